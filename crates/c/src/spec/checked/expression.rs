//! Expressions, checked. How to run them is said in [`super`].

use super::{CFunctionId, CaptureId, FunctionId, GlobalId, Slot};
use crate::ctypes::{RecordId, TypeId};
use crate::spec::position::Span;
use crate::spec::types::{Bits, DatatypeId, Type};
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};

/// An expression.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it is.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    /// The default value of its type: zero, false, NULL, the default constructor, the empty map or list,
    /// `none`.
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
    /// A pointer moved by an index (bits or integer) times a size in bytes: `p + i`, `array_shift`. Wraps at
    /// 64 bits.
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
    /// `a < b` on two of the same type: bits by the type's sign, `integer`, `real`, pointers by address.
    /// `a > b` is `b < a`.
    Less(Box<Expr>, Box<Expr>),
    /// `a <= b`. `a >= b` is `b <= a`.
    LessEqual(Box<Expr>, Box<Expr>),
    /// Condition, then, else.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// To this expression's type: between bits (truncates or extends), bits and `integer`, pointers and bits
    /// or `integer`, to `real`.
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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Match {
    /// What is matched.
    pub of: Expr,
    /// The arms in order; the first that matches is taken, and one does.
    pub arms: Vec<Arm>,
    /// For a datatype: the arms that can match a constructor, by its index, in order. Where it is one arm,
    /// only its inner patterns remain to be looked at. Empty for other types.
    pub arms_of: Vec<Vec<u32>>,
}

/// An arm of a `match`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Arm {
    /// What it matches.
    pub pattern: Pattern,
    /// What it gives.
    pub body: Expr,
}

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pattern {
    /// Everything.
    Any,
    /// Everything, and puts it into a slot.
    Bind(Slot),
    /// A constructor, with patterns for fields by index; fields that match everything are left out.
    Construct(u32, Vec<(u32, Pattern)>),
}

/// An operation on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// `mod`: on `integer` never negative, on bits with the sign of the divisor. By zero: see CN.md.
    Modulo,
    /// `&`, on bits; on `integer` (older `bw_and_uf`) as two's complement without end.
    BitAnd,
    /// `|`, likewise.
    BitOr,
    /// `^`, likewise.
    BitXor,
    /// `shift_left`, on bits; by the width or more gives 0. On `integer`: times a power of two.
    ShiftLeft,
    /// `shift_right`, on bits: arithmetic if signed. On `integer`: divided by a power of two, rounded down.
    ShiftRight,
    /// `power`; a negative exponent is an error of the spec.
    Power,
}

/// A builtin that is no operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
