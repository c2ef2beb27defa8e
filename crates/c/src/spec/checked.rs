//! The contract language, checked: what the evaluator runs.
//!
//! Made by `check` from the tree of what is written; every name is resolved, every type known, every implicit thing explicit.
//! Nothing here is looked up by name while it runs.
//!
//! # How to run it
//!
//! **Frames.** An evaluation has a frame: a vector of values indexed by [`Slot`]. Every parameter, `take`, `let`, pattern variable and
//! index has a slot of its own (none is reused), and is written before it is read. A predicate, function or lemma has a
//! frame of its own with its arguments in the first slots. The clauses of a C function share one frame: arguments at entry, then what `requires` binds,
//! then the result and what `ensures` binds. So a name bound in `requires` *is* the old value: the same slot, still there at exit. Invariants and
//! statements read that frame too and put their own bindings behind it ([`Loop::n_slots`] is the size of the whole).
//! Keep the frame from entry to exit.
//!
//! **Memory** is only read by [`ResourceKind::Memory`] (which adds a footprint, and whose value goes to a slot) and, in
//! statements and for globals in invariants, by [`ExprKind::Load`]. `*p`, `p->f` and `g` in contracts have become reads of the slot whose `take` holds
//! them; `{ e }%start` and `{ e }unchanged` have become reads of entry slots. There is no other state to keep.
//!
//! **Values by type.** `Bits`: the pattern in an `i128`, sign-extended if signed and zero-extended if not ([`Bits::extend`]
//! after each operation makes arithmetic wrap). `Record`: a vector in the order of the type's fields. `Struct`: a vector in the order of
//! the C record's members; what has no type to a spec, such as padding, has no value. `Datatype`: constructor index and fields in the order of
//! the definition. `Map`: keys to values, and [`ExprKind::Default`] of the value type for every other key. `Pointer`: an address.
//!
//! **Laziness.** [`ExprKind::And`], `Or`, `Implies`, `If` and `Match` evaluate only what they need, left to right. Everything else is strict.
//!
//! **Not run.** Clauses with [`Clause::not_run`] are skipped, and whole contracts with [`Contract::not_run`] are treated as absent; the user was
//! warned once, with the reason.

use super::Site;
use super::position::Span;
use super::types::{Bits, DatatypeId, Type};
use crate::ctypes::{RecordId, TypeId};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// A place in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u32);

/// A spec function, by its place in [`Specs::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// A predicate, by its place in [`Specs::predicates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredicateId(pub u32);

/// A lemma, by its place in [`Specs::lemmas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LemmaId(pub u32);

/// A C function, by its place in [`Program::functions`](super::Program::functions).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CFunctionId(pub u32);

/// A C variable at file scope, by its place in [`Program::globals`](super::Program::globals).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(pub u32);

/// A C variable that a loop's invariant or a statement reads, by its place among the captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaptureId(pub u32);

/// All specs of a program.
#[derive(Clone, Debug, Default)]
pub struct Specs {
    /// Datatypes, indexed by [`DatatypeId`].
    pub datatypes: Vec<Datatype>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Predicates.
    pub predicates: Vec<Predicate>,
    /// Lemmas.
    pub lemmas: Vec<Lemma>,
    /// Contracts of C functions.
    pub contracts: Vec<Contract>,
    /// Which contract a C function has, by its name.
    pub contract_of: BTreeMap<String, usize>,
    /// Loops with invariants.
    pub loops: Vec<Loop>,
    /// Places in bodies with statements.
    pub statements: Vec<Statements>,
}

impl Specs {
    /// The contract of a C function.
    #[must_use]
    pub fn contract(&self, function: &str) -> Option<&Contract> {
        self.contract_of.get(function).and_then(|k| self.contracts.get(*k))
    }
}

/// A datatype.
#[derive(Clone, Debug)]
pub struct Datatype {
    /// Its name.
    pub name: String,
    /// Its constructors; values name them by index.
    pub constructors: Vec<Constructor>,
    /// The constructor of its default value: the one that needs the fewest others, so that making it ends.
    pub default: u32,
    /// Where it is defined.
    pub span: Span,
}

/// A constructor.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: String,
    /// Its fields in order; values hold them in this order.
    pub fields: Vec<(String, Type)>,
}

/// A parameter of anything.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name in the spec.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its C type, if it is one of a C function.
    pub ctype: Option<TypeId>,
    /// Where its value is put.
    pub slot: Slot,
}

/// A spec function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it takes; slots 0 and on.
    pub parameters: Vec<Parameter>,
    /// What it gives.
    pub ty: Type,
    /// What it is.
    pub body: FunctionBody,
    /// The size of its frame.
    pub n_slots: u32,
    /// Where its name stands.
    pub span: Span,
}

/// What a spec function is.
#[derive(Clone, Debug)]
pub enum FunctionBody {
    /// This expression.
    Expr(Expr),
    /// This C function, to be called (`cn_function`).
    Lifted(CFunctionId),
    /// Nothing is known of it: evaluating it is an error of the spec.
    Uninterpreted,
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// What it takes; slots 0 and on.
    pub parameters: Vec<Parameter>,
    /// What it gives.
    pub ty: Type,
    /// What it does; evaluating one without a body is an error of the spec.
    pub body: Option<Block>,
    /// The size of its frame.
    pub n_slots: u32,
    /// Where its name stands.
    pub span: Span,
}

/// The body of a predicate, or a branch of it.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it takes, names and asserts, in order.
    pub clauses: Vec<Clause>,
    /// How it ends.
    pub end: BlockEnd,
}

/// How a block ends.
#[derive(Clone, Debug)]
pub enum BlockEnd {
    /// With a value; [`ExprKind::Unit`] where nothing is returned.
    Return(Expr),
    /// In the first branch whose condition holds, or else in the last block.
    If(Vec<(Expr, Block)>, Box<Block>),
}

/// A lemma: `apply` checks `requires`, then `ensures`, in one frame.
#[derive(Clone, Debug)]
pub struct Lemma {
    /// Its name.
    pub name: String,
    /// What it takes; slots 0 and on.
    pub parameters: Vec<Parameter>,
    /// What must hold.
    pub requires: Vec<Clause>,
    /// What then holds.
    pub ensures: Vec<Clause>,
    /// The size of its frame.
    pub n_slots: u32,
    /// Where its name stands.
    pub span: Span,
}

/// The contract of a C function.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The function's name.
    pub name: String,
    /// The function; `None` if the program does not have it (a `spec` in a header that nothing uses).
    pub function: Option<CFunctionId>,
    /// Whether it is `trusted`: its `RW` bytes in `ensures` are initialised by decree.
    pub is_trusted: bool,
    /// Its parameters at entry; slots 0 and on.
    pub parameters: Vec<Parameter>,
    /// Where the result is put before `ensures`, if it has one.
    pub result: Option<Parameter>,
    /// The globals it accesses.
    pub accesses: Vec<Access>,
    /// The spec function this one is the meaning of.
    pub lifts: Option<FunctionId>,
    /// What must hold at entry, in order. What `accesses` takes comes first.
    pub requires: Vec<Clause>,
    /// What must hold at exit, in order. What `accesses` takes comes first.
    pub ensures: Vec<Clause>,
    /// The slots written by the end of `requires`: the part of the frame that invariants and statements see.
    pub n_entry_slots: u32,
    /// The size of the whole frame.
    pub n_slots: u32,
    /// Why it is not run at all, if it is not.
    pub not_run: Option<NotRun>,
    /// Where it is.
    pub span: Span,
}

impl Contract {
    /// Whether it says nothing: such a function opens no frame of ownership.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.requires.is_empty() && self.ensures.is_empty() && self.accesses.is_empty()
    }
}

/// A global that a function takes at entry and returns at exit.
#[derive(Clone, Debug)]
pub struct Access {
    /// The global.
    pub global: GlobalId,
    /// Its type.
    pub ctype: TypeId,
    /// In bytes.
    pub size: u64,
    /// Where its value at entry is put.
    pub before: Slot,
    /// Where its value at exit is put.
    pub after: Slot,
    /// Where it is named.
    pub span: Span,
}

/// A part of a contract, an invariant, a lemma or a predicate.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What it is.
    pub kind: ClauseKind,
    /// Where it is, without the semicolon: what reports underline.
    pub span: Span,
    /// Why it is skipped, if it is. Only conditions are.
    pub not_run: Option<NotRun>,
}

/// What a clause is.
#[derive(Clone, Debug)]
pub enum ClauseKind {
    /// `take x = resource;`
    Take {
        /// As it is written, for reports.
        name: String,
        /// Where the value is put.
        slot: Slot,
        /// What is owned.
        resource: Resource,
    },
    /// `let x = expr;`
    Let {
        /// As it is written, for reports.
        name: String,
        /// Where the value is put.
        slot: Slot,
        /// What it is.
        value: Expr,
    },
    /// `expr;` or `assert(expr);`
    Holds(Expr),
    /// `each (T i; guard) { expr };`
    Each(Index, Expr),
}

/// Something owned.
#[derive(Clone, Debug)]
pub struct Resource {
    /// What it is.
    pub kind: ResourceKind,
    /// The type of its value.
    pub ty: Type,
    /// Where it is.
    pub span: Span,
}

/// What is owned.
#[derive(Clone, Debug)]
pub enum ResourceKind {
    /// `RW<ctype>(p)` or `W<ctype>(p)`
    Memory {
        /// Where.
        pointer: Expr,
        /// As what.
        ctype: TypeId,
        /// In bytes.
        size: u64,
        /// Whether every byte that is not padding must be initialised. If not, the value must not be looked at: give the default.
        is_initialised: bool,
    },
    /// `Name(p, …)`
    Predicate {
        /// Which.
        predicate: PredicateId,
        /// With what; they go to the first slots of its frame.
        arguments: Vec<Expr>,
    },
    /// `each (T i; guard) { … }`: the value is a map from indices.
    Each {
        /// The indices.
        index: Index,
        /// What is owned for each.
        body: Box<Resource>,
    },
    /// `Alloc(p)`: that `p` points into an allocation; owns nothing. Its contract is not run.
    Allocation {
        /// Where.
        pointer: Expr,
    },
}

/// The indices of an `each`.
///
/// To enumerate: if one of `conditions` does not hold there are none. Else, evaluate the lower and upper limits once, go from the
/// greatest lower to the least upper, both inclusive, and take those for which `guard` holds.
/// Limits are numbers of any size; keep them within the index's type, and refuse ranges too large to walk.
#[derive(Clone, Debug)]
pub struct Index {
    /// As it is written, for reports.
    pub name: String,
    /// Where the index is put.
    pub slot: Slot,
    /// Its type: bits or integer.
    pub ty: Type,
    /// Conditions at the beginning of the guard that do not depend on the index, in order.
    pub conditions: Vec<Expr>,
    /// Never empty for types without a small range; the type's own minimum holds as well.
    pub lower: Vec<Limit>,
    /// Never empty for types without a small range; the type's own maximum holds as well.
    pub upper: Vec<Limit>,
    /// The whole guard.
    pub guard: Expr,
}

/// A limit of an index.
#[derive(Clone, Debug)]
pub struct Limit {
    /// Does not depend on the index; bits or integer, of any width: compare numbers, not patterns.
    pub value: Expr,
    /// Whether the limit itself is excluded.
    pub is_excluded: bool,
}

/// A loop with an invariant.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The function it is in.
    pub function: String,
    /// Which loop.
    pub site: Site,
    /// The variables it reads; the probe hands over their addresses in this order.
    pub captures: Vec<Capture>,
    /// What must hold, in order.
    pub clauses: Vec<Clause>,
    /// The size of the frame, the function's own entry slots included.
    pub n_slots: u32,
    /// Where it is.
    pub span: Span,
}

/// A place in a body with statements.
#[derive(Clone, Debug)]
pub struct Statements {
    /// The function it is in.
    pub function: String,
    /// Which place.
    pub site: Site,
    /// The variables it reads; the probe hands over their addresses in this order.
    pub captures: Vec<Capture>,
    /// What is checked, in order; empty if all statements are for proofs.
    pub statements: Vec<Statement>,
    /// The size of the frame, the function's own entry slots included.
    pub n_slots: u32,
    /// Where it is.
    pub span: Span,
}

/// A C variable that is read where it lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ctype: TypeId,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it is, without the semicolon.
    pub span: Span,
    /// Why it is skipped, if it is.
    pub not_run: Option<NotRun>,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `assert(e);`
    Assert(Expr),
    /// `assert(each (T i; guard) { e });`
    AssertEach(Box<Index>, Expr),
    /// `apply lemma(…);`
    Apply(LemmaId, Vec<Expr>),
    /// For proofs only: its keyword. Nothing to run.
    ProofOnly(&'static str),
}

/// Why something is not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRun {
    /// Ghost parameters have no values when the program runs.
    Ghosts,
    /// Allocation identities do not exist when the program runs.
    AllocationIds,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it is.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A bit-vector: the pattern, extended to 128 bits by its type's sign.
    Bits(i128),
    /// An `integer`, or a `real` that is whole.
    Integer(BigInt),
    /// A `boolean`.
    Boolean(bool),
    /// `NULL`
    Null,
    /// The value of what returns nothing.
    Unit,
    /// The default value of its type: zero, false, NULL, the default constructor, the empty map or list, `none`.
    Default,
    /// What is in a slot.
    Slot(Slot),
    /// A C variable's current value, read where it lives (invariants and statements).
    Capture(CaptureId),
    /// A C variable's address (invariants and statements).
    CaptureAddress(CaptureId),
    /// A global's address.
    GlobalAddress(GlobalId),
    /// A C function's address.
    FunctionAddress(CFunctionId),
    /// What memory holds now (statements; globals in invariants).
    Load(Box<Expr>, TypeId),
    /// A member of a struct or union value, by its place in the C record.
    Member(Box<Expr>, u32),
    /// A field of a record value, by its place in the type.
    Field(Box<Expr>, u32),
    /// A pointer moved by a number of bytes: `&(p->f)`, `member_shift`.
    Offset(Box<Expr>, u64),
    /// A pointer moved by an index (bits or integer) times a size in bytes: `p + i`, `array_shift`. Wraps at 64 bits.
    Shift {
        /// The pointer.
        pointer: Box<Expr>,
        /// How many elements.
        index: Box<Expr>,
        /// In bytes, of one element.
        size: u64,
    },
    /// `!` on `boolean`
    Not(Box<Expr>),
    /// `-` on bits (wraps), `integer`, `real`
    Negate(Box<Expr>),
    /// `~` on bits
    Complement(Box<Expr>),
    /// `&&`
    And(Box<Expr>, Box<Expr>),
    /// `||`
    Or(Box<Expr>, Box<Expr>),
    /// `implies`
    Implies(Box<Expr>, Box<Expr>),
    /// Arithmetic on two of the same type: bits (wraps), `integer` or `real`.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// `==` on two of the same type: structural; pointers by address.
    Equal(Box<Expr>, Box<Expr>),
    /// `!=`
    Unequal(Box<Expr>, Box<Expr>),
    /// `a < b` on two of the same type: bits by the type's sign, `integer`, `real`, pointers by address. `a > b` is `b < a`.
    Less(Box<Expr>, Box<Expr>),
    /// `a <= b`. `a >= b` is `b <= a`.
    LessEqual(Box<Expr>, Box<Expr>),
    /// Condition, then, else.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// To this expression's type: between bits (truncates or extends), bits and `integer`, pointers and bits or `integer`, to `real`.
    Cast(Box<Expr>),
    /// A call of a spec function; arguments go to the first slots of its frame.
    Call(FunctionId, Vec<Expr>),
    /// A value of a datatype: constructor, and fields in the order of its definition.
    Construct(DatatypeId, u32, Vec<Expr>),
    /// A struct value: members in the order of the C record. Members that have no name are `Default`.
    Struct(RecordId, Vec<Expr>),
    /// A record value: fields in the order of the type.
    Record(Vec<Expr>),
    /// A record or struct with some fields replaced, by place.
    Update(Box<Expr>, Vec<(u32, Expr)>),
    /// `m[i]`
    MapGet(Box<Expr>, Box<Expr>),
    /// `m[i: v, …]`, one after the other.
    MapSet(Box<Expr>, Vec<(Expr, Expr)>),
    /// `[a, …]`
    List(Vec<Expr>),
    /// `match`
    Match(Box<Match>),
    /// Binds slots in order, then gives the last.
    Let(Vec<(Slot, Expr)>, Box<Expr>),
    /// Whether a condition holds for all values from the first to the second, both included.
    Each {
        /// Where the value is put.
        slot: Slot,
        /// The first and the last value; of the index's type.
        range: Box<[Expr; 2]>,
        /// The condition.
        body: Box<Expr>,
    },
    /// Whether a value is one that the C type can have: in range, and pointers aligned.
    Good(TypeId, Box<Expr>),
    /// A builtin.
    Builtin(Builtin, Vec<Expr>),
    /// Something that was wrong. Not in trees that were checked without errors.
    Wrong,
}

/// A `match`.
#[derive(Clone, Debug)]
pub struct Match {
    /// What is matched.
    pub of: Expr,
    /// The arms in order; the first that matches is taken, and one does.
    pub arms: Vec<Arm>,
    /// For a datatype: the arms that can match a constructor, by its index, in order. Where it is one arm, only its
    /// inner patterns remain to be looked at. Empty for other types.
    pub arms_of: Vec<Vec<u32>>,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Everything.
    Any,
    /// Everything, and puts it into a slot.
    Bind(Slot),
    /// A constructor, with patterns for fields by index; fields that match everything are left out.
    Construct(u32, Vec<(u32, Pattern)>),
}

/// An operation on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, truncating. By zero: see CN.md.
    Divide,
    /// `%` and `rem`: the sign of the first operand. By zero: see CN.md.
    Remainder,
    /// `mod`: never negative for a positive divisor (the sign of the divisor). By zero: see CN.md.
    Modulo,
    /// `&`, on bits
    BitAnd,
    /// `|`, on bits
    BitOr,
    /// `^`, on bits
    BitXor,
    /// `shift_left`, on bits; by the width or more gives 0. On `integer`: times a power of two.
    ShiftLeft,
    /// `shift_right`, on bits: arithmetic if signed. On `integer`: divided by a power of two, rounded down.
    ShiftRight,
    /// `power`; a negative exponent is an error of the spec.
    Power,
}

/// A builtin that is no operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `is_null(p)`
    IsNull,
    /// `has_alloc_id(p)`: whether it is not NULL, as far as can be known at run time.
    HasAllocId,
    /// `bw_clz(x)`: leading zeros, in the operand's type; the width for 0.
    LeadingZeros,
    /// `bw_ctz(x)`: trailing zeros; the width for 0.
    TrailingZeros,
    /// `bw_ffs(x)`: 1 + the place of the lowest set bit; 0 for 0.
    FirstSet,
    /// `bw_fls(x)`: 1 + the place of the highest set bit; 0 for 0.
    LastSet,
    /// `Some(x)`
    Some,
    /// `is_some(o)`
    IsSome,
    /// `is_none(o)`
    IsNone,
    /// `get_opt(o)`; the default of its type if there is none.
    GetOption,
    /// `prov_eq(p, q)`: in clauses that are not run.
    ProvenanceEqual,
}

impl Expr {
    /// Visits the expressions right below.
    pub fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Bits(_)
            | ExprKind::Integer(_)
            | ExprKind::Boolean(_)
            | ExprKind::Null
            | ExprKind::Unit
            | ExprKind::Default
            | ExprKind::Slot(_)
            | ExprKind::Capture(_)
            | ExprKind::CaptureAddress(_)
            | ExprKind::GlobalAddress(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::Wrong => {}
            ExprKind::Load(e, _)
            | ExprKind::Member(e, _)
            | ExprKind::Field(e, _)
            | ExprKind::Offset(e, _)
            | ExprKind::Not(e)
            | ExprKind::Negate(e)
            | ExprKind::Complement(e)
            | ExprKind::Cast(e)
            | ExprKind::Good(_, e) => visit(e),
            ExprKind::Shift { pointer: a, index: b, .. }
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Implies(a, b)
            | ExprKind::Arithmetic(_, a, b)
            | ExprKind::Equal(a, b)
            | ExprKind::Unequal(a, b)
            | ExprKind::Less(a, b)
            | ExprKind::LessEqual(a, b)
            | ExprKind::MapGet(a, b) => {
                visit(a);
                visit(b);
            }
            ExprKind::If(c, a, b) => [c, a, b].into_iter().for_each(|e| visit(e)),
            ExprKind::Call(_, list)
            | ExprKind::Construct(_, _, list)
            | ExprKind::Struct(_, list)
            | ExprKind::Record(list)
            | ExprKind::List(list)
            | ExprKind::Builtin(_, list) => list.iter().for_each(visit),
            ExprKind::Update(base, updates) => {
                visit(base);
                updates.iter().for_each(|(_, e)| visit(e));
            }
            ExprKind::MapSet(map, updates) => {
                visit(map);
                for (key, value) in updates {
                    visit(key);
                    visit(value);
                }
            }
            ExprKind::Match(of) => {
                visit(&of.of);
                of.arms.iter().for_each(|arm| visit(&arm.body));
            }
            ExprKind::Let(bindings, body) => {
                bindings.iter().for_each(|(_, e)| visit(e));
                visit(body);
            }
            ExprKind::Each { range, body, .. } => {
                range.iter().for_each(&mut *visit);
                visit(body);
            }
        }
    }

    /// Whether a slot is read in it.
    #[must_use]
    pub fn reads(&self, slot: Slot) -> bool {
        if matches!(self.kind, ExprKind::Slot(read) if read == slot) {
            return true;
        }
        let mut is_read = false;
        self.each_child(&mut |child| is_read = is_read || child.reads(slot));
        is_read
    }

    /// The number it is, if it is one that is known.
    #[must_use]
    pub fn number(&self) -> Option<BigInt> {
        match (&self.kind, &self.ty) {
            (ExprKind::Integer(value), _) => Some(value.clone()),
            (ExprKind::Bits(pattern), Type::Bits(bits)) => Some(Bits::number(*bits, *pattern)),
            _ => None,
        }
    }
}
