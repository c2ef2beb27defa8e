//! The contract language as it is written.
//!
//! The parser makes these, the checker reads them, `print` writes them back as text. Nothing is
//! resolved here: names are texts with positions.

use super::Place;
use super::position::Span;
use super::types::Bits;
use num_bigint::BigInt;

/// A name where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A comment, read.
#[derive(Clone, Debug)]
pub struct Comment {
    /// Where its text begins and ends.
    pub span: Span,
    /// What it belongs to.
    pub place: Place,
    /// What it says.
    pub content: Content,
}

/// What a comment says.
#[derive(Clone, Debug)]
pub enum Content {
    /// At top level.
    Definitions(Vec<Definition>),
    /// Of a function.
    Contract(Contract),
    /// Of a loop: `inv`.
    Invariant(Vec<Condition>),
    /// In a body.
    Statements(Vec<Statement>),
    /// At a call: `f(x /*@ e @*/)`.
    GhostArguments(Vec<Expr>),
}

/// A definition at top level.
#[derive(Clone, Debug)]
pub enum Definition {
    /// `predicate T Name(args) { clauses }`
    Predicate(Predicate),
    /// `function (T) name(args) { expr }`
    Function(Function),
    /// `datatype D { … }`
    Datatype(Datatype),
    /// `type_synonym t = T`
    Synonym(Synonym),
    /// `lemma name(args) requires … ensures …`
    Lemma(Lemma),
    /// `spec f(args); contract`
    Spec(FunctionSpec),
}

/// A parameter or a field: a type and a name.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its type.
    pub ty: TypeExpr,
    /// Its name.
    pub name: Name,
}

/// `predicate T Name(args) { clauses }`
#[derive(Clone, Debug)]
pub struct Predicate {
    /// `[rec]` and others; without meaning at run time.
    pub attributes: Vec<Name>,
    /// What it returns.
    pub output: TypeExpr,
    /// Its name.
    pub name: Name,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// What it does.
    pub body: Option<Block>,
}

/// `function (T) name(args) { expr }`
#[derive(Clone, Debug)]
pub struct Function {
    /// `[rec]` and others; without meaning at run time.
    pub attributes: Vec<Name>,
    /// What it returns.
    pub output: TypeExpr,
    /// Its name.
    pub name: Name,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// What it is.
    pub body: Option<Expr>,
}

/// `datatype D { Con { T f, … }, … }`
#[derive(Clone, Debug)]
pub struct Datatype {
    /// Its name.
    pub name: Name,
    /// Its constructors.
    pub constructors: Vec<Constructor>,
}

/// A constructor of a datatype.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<Parameter>,
}

/// `type_synonym t = T`
#[derive(Clone, Debug)]
pub struct Synonym {
    /// The new name.
    pub name: Name,
    /// What it means.
    pub ty: TypeExpr,
}

/// `lemma name(args) requires … ensures …`
#[derive(Clone, Debug)]
pub struct Lemma {
    /// Its name.
    pub name: Name,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// What must hold.
    pub requires: Vec<Condition>,
    /// What then holds.
    pub ensures: Vec<Condition>,
}

/// `spec f(args); contract`
#[derive(Clone, Debug)]
pub struct FunctionSpec {
    /// The C function.
    pub name: Name,
    /// Its parameters, by position.
    pub parameters: Vec<Parameter>,
    /// Its contract.
    pub contract: Contract,
}

/// A contract.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    /// `trusted;`
    pub trusted: Option<Span>,
    /// `accesses g, h;`
    pub accesses: Vec<Name>,
    /// `cn_function g;`
    pub lifts: Option<Name>,
    /// `requires cn_ghost T x, …;`
    pub ghosts: Vec<Parameter>,
    /// `ensures cn_ghost T x, …;`
    pub ghost_results: Vec<Parameter>,
    /// What must hold at entry.
    pub requires: Vec<Condition>,
    /// What must hold at exit.
    pub ensures: Vec<Condition>,
}

/// A part of `requires`, `ensures` or `inv`.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What it is.
    pub kind: ConditionKind,
    /// Where it is, without the semicolon.
    pub span: Span,
}

/// What a condition is.
#[derive(Clone, Debug)]
pub enum ConditionKind {
    /// `take x = resource;`
    Take(Name, Resource),
    /// `let x = expr;`
    Let(Name, Expr),
    /// `expr;`
    Holds(Expr),
    /// `each (T i; guard) { expr };`
    Each(Index, Expr),
}

/// `T i; guard`
#[derive(Clone, Debug)]
pub struct Index {
    /// The index's type.
    pub ty: TypeExpr,
    /// The index.
    pub name: Name,
    /// Which values it takes.
    pub guard: Expr,
}

/// A resource.
#[derive(Clone, Debug)]
pub struct Resource {
    /// What it is.
    pub kind: ResourceKind,
    /// Where it is.
    pub span: Span,
}

/// What a resource is.
#[derive(Clone, Debug)]
pub enum ResourceKind {
    /// `Name(p, …)`, `RW<ctype>(p)`, …
    Call(ResourceCall),
    /// `each (T i; guard) { pred(…) }`
    Each(Box<Index>, ResourceCall),
}

/// `Name(p, …)`, `RW<ctype>(p)`, `W<ctype>(p)` and their older names.
#[derive(Clone, Debug)]
pub struct ResourceCall {
    /// What is called.
    pub name: ResourceName,
    /// With what.
    pub arguments: Vec<Expr>,
    /// Where it is.
    pub span: Span,
}

/// What is owned.
#[derive(Clone, Debug)]
pub enum ResourceName {
    /// `RW` or `Owned`, `W` or `Block`, `R`.
    Memory {
        /// Whether it must be initialised.
        is_initialised: bool,
        /// Whether it is only read.
        is_read_only: bool,
        /// Of which type, if it is said.
        ctype: Option<CTypeExpr>,
    },
    /// A predicate.
    Predicate(Name),
}

/// The body of a predicate or a branch of it.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it takes, names and asserts.
    pub conditions: Vec<Condition>,
    /// How it ends.
    pub end: BlockEnd,
    /// Where it is.
    pub span: Span,
}

/// How a block ends.
#[derive(Clone, Debug)]
pub enum BlockEnd {
    /// `return expr;` or `return;`
    Return(Option<Expr>, Span),
    /// `if (e) { … } else if … else { … }`
    If(Vec<(Expr, Block)>, Box<Block>),
    /// Nothing: an error the checker reports, which knows the type.
    Missing(Span),
}

/// A statement in a body.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it is, without the semicolon.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `assert(e);`
    Assert(Expr),
    /// `assert(each (T i; guard) { e });`
    AssertEach(Box<Index>, Expr),
    /// `apply lemma(…);`
    Apply(Name, Vec<Expr>),
    /// One for proofs only.
    ProofOnly,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    /// What it is.
    pub kind: TypeKind,
    /// Where it is.
    pub span: Span,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `u32`
    Bits(Bits),
    /// `integer`
    Integer,
    /// `real`
    Real,
    /// `boolean`
    Boolean,
    /// `pointer`
    Pointer,
    /// `alloc_id`
    AllocId,
    /// `void`
    Void,
    /// `{T a, …}`
    Record(Vec<Parameter>),
    /// `struct S`
    Struct(Name),
    /// `datatype D`
    Datatype(Name),
    /// `map<K, V>`
    Map(Box<TypeExpr>, Box<TypeExpr>),
    /// `cn_list<T>`
    List(Box<TypeExpr>),
    /// `cn_tuple<…>`
    Tuple(Vec<TypeExpr>),
    /// `cn_set<T>`
    Set(Box<TypeExpr>),
    /// `cn_option<T>`
    Option(Box<TypeExpr>),
    /// A synonym, or a C typedef.
    Named(String),
    /// One that was wrong and was reported.
    Wrong,
}

/// How long an array is said to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArrayLength {
    /// As a number.
    Number(u64),
    /// By a constant of an enumeration.
    Constant(Name),
}

/// A C type as it is written between `<` and `>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CTypeExpr {
    /// Its words, qualifiers left out: `["unsigned", "int"]`, `["struct", "S"]`.
    pub words: Vec<String>,
    /// How many stars follow.
    pub n_stars: u32,
    /// Lengths of arrays, outermost first.
    pub lengths: Vec<Option<ArrayLength>>,
    /// Where it is.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is.
    pub span: Span,
    /// The longest way down from here: the parser bounds it, so that nothing that walks a tree runs out of
    /// stack.
    height: u32,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `5`, `5i32`
    Number(BigInt, Option<Bits>),
    /// `true`, `false`
    Boolean(bool),
    /// `NULL`
    Null,
    /// `x`
    Variable(Name),
    /// `return`
    Return,
    /// `e.f`
    Member(Box<Expr>, Name),
    /// `p->f`
    Arrow(Box<Expr>, Name),
    /// `*p`
    Deref(Box<Expr>),
    /// `&x`, `&(p->f)`
    AddressOf(Box<Expr>),
    /// `-e`, `!e`, `~e`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b` and the others
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if (c) { a } else { b }`, `c ? a : b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(T) e`
    Cast(TypeExpr, Box<Expr>),
    /// `f(x, …)`
    Call(Name, Vec<Expr>),
    /// `Con { f: e }`
    Construct(Name, Vec<(Name, Expr)>),
    /// `struct S { f: e }`
    Struct(Name, Vec<(Name, Expr)>),
    /// `{ a: e }`
    Record(Vec<(Name, Expr)>),
    /// `{ a: e, ..r }`
    Update(Vec<(Name, Expr)>, Box<Expr>),
    /// `m[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `m[i: v, j: w]`
    MapUpdate(Box<Expr>, Vec<(Expr, Expr)>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `match x { pattern => { e } … }`
    Match(Box<Expr>, Vec<Arm>),
    /// `let x = e; let y = f; g`
    Let(Vec<(Name, Expr)>, Box<Expr>),
    /// `each (T i: lo, hi; e)`
    Each(Box<TypeExpr>, Name, Box<[Expr; 2]>, Box<Expr>),
    /// `array_shift<T>(p, i)`
    ArrayShift(Option<CTypeExpr>, Box<Expr>, Box<Expr>),
    /// `member_shift<S>(p, f)`
    MemberShift(Option<CTypeExpr>, Box<Expr>, Name),
    /// `sizeof<T>`
    SizeOf(CTypeExpr),
    /// `offsetof(S, f)`
    OffsetOf(Name, Name),
    /// `default<T>`
    Default(TypeExpr),
    /// `good<T>(e)`
    Good(CTypeExpr, Box<Expr>),
    /// `{ e }unchanged`
    Unchanged(Box<Expr>),
    /// `{ e }%start`, `{ e }@start`
    At(Box<Expr>, Name),
}

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// What it matches.
    pub pattern: Pattern,
    /// What it gives.
    pub body: Expr,
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// Where it is.
    pub span: Span,
}

/// What a pattern is.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`
    Any,
    /// `x`
    Bind(String),
    /// `Con { f: pattern, … }`
    Construct(Name, Vec<(Name, Pattern)>),
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `implies`
    Implies,
}

impl UnaryOp {
    /// As it is written.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            UnaryOp::Negate => "-",
            UnaryOp::Not => "!",
            UnaryOp::Complement => "~",
        }
    }
}

impl BinaryOp {
    const TABLE: [(BinaryOp, &'static str, u8); 17] = [
        (BinaryOp::BitAnd, "&", 6),
        (BinaryOp::BitXor, "^", 6),
        (BinaryOp::Multiply, "*", 6),
        (BinaryOp::Divide, "/", 6),
        (BinaryOp::Remainder, "%", 6),
        (BinaryOp::BitOr, "|", 5),
        (BinaryOp::Add, "+", 5),
        (BinaryOp::Subtract, "-", 5),
        (BinaryOp::Equal, "==", 4),
        (BinaryOp::Unequal, "!=", 4),
        (BinaryOp::Less, "<", 4),
        (BinaryOp::LessEqual, "<=", 4),
        (BinaryOp::Greater, ">", 4),
        (BinaryOp::GreaterEqual, ">=", 4),
        (BinaryOp::And, "&&", 3),
        (BinaryOp::Implies, "implies", 2),
        (BinaryOp::Or, "||", 1),
    ];

    /// The operator written so.
    #[must_use]
    pub fn from_sign(sign: &str) -> Option<BinaryOp> {
        BinaryOp::TABLE.iter().find(|(_, known, _)| *known == sign).map(|(op, _, _)| *op)
    }

    /// As it is written.
    #[must_use]
    pub fn sign(self) -> &'static str {
        BinaryOp::TABLE.iter().find(|(op, _, _)| *op == self).map_or("?", |(_, sign, _)| sign)
    }

    /// How strongly it binds, 1 the least.
    #[must_use]
    pub fn strength(self) -> u8 {
        BinaryOp::TABLE.iter().find(|(op, _, _)| *op == self).map_or(1, |(_, _, strength)| *strength)
    }
}

impl Expr {
    /// An expression.
    #[must_use]
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        let mut below = 0;
        kind.each_child(|child| below = below.max(child.height));
        Expr { kind, span, height: below + 1 }
    }

    /// The longest way down from here.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }
}

impl ExprKind {
    /// Visits the expressions right below.
    pub fn each_child<'a>(&'a self, mut visit: impl FnMut(&'a Expr)) {
        match self {
            ExprKind::Number(..)
            | ExprKind::Boolean(_)
            | ExprKind::Null
            | ExprKind::Variable(_)
            | ExprKind::Return
            | ExprKind::SizeOf(_)
            | ExprKind::OffsetOf(..)
            | ExprKind::Default(_) => {}
            ExprKind::Member(e, _)
            | ExprKind::Arrow(e, _)
            | ExprKind::Deref(e)
            | ExprKind::AddressOf(e)
            | ExprKind::Unary(_, e)
            | ExprKind::Cast(_, e)
            | ExprKind::MemberShift(_, e, _)
            | ExprKind::Good(_, e)
            | ExprKind::Unchanged(e)
            | ExprKind::At(e, _) => visit(e),
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::ArrayShift(_, a, b) => {
                visit(a);
                visit(b);
            }
            ExprKind::If(c, a, b) => [c, a, b].into_iter().for_each(|e| visit(e)),
            ExprKind::Call(_, list) | ExprKind::List(list) => list.iter().for_each(visit),
            ExprKind::Construct(_, fields) | ExprKind::Struct(_, fields) | ExprKind::Record(fields) => {
                fields.iter().for_each(|(_, e)| visit(e));
            }
            ExprKind::Update(fields, base) => {
                fields.iter().for_each(|(_, e)| visit(e));
                visit(base);
            }
            ExprKind::MapUpdate(map, updates) => {
                visit(map);
                for (key, value) in updates {
                    visit(key);
                    visit(value);
                }
            }
            ExprKind::Match(of, arms) => {
                visit(of);
                arms.iter().for_each(|arm| visit(&arm.body));
            }
            ExprKind::Let(bindings, body) => {
                bindings.iter().for_each(|(_, e)| visit(e));
                visit(body);
            }
            ExprKind::Each(_, _, range, body) => {
                range.iter().for_each(&mut visit);
                visit(body);
            }
        }
    }
}
