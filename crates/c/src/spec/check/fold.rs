//! What is known when the spec is read is computed then.
//!
//! Bounded: a number that would take too many digits is left to be computed when it is reached.

use super::expr;
use crate::spec::checked::{Arithmetic, Expr, ExprKind};
use crate::spec::position::Span;
use crate::spec::types::Type;
use num_bigint::{BigInt, Sign};

/// In bits, of a number that is computed in advance.
const MAX_BITS: u64 = 4_096;

pub(super) fn not(of: Expr, span: Span) -> Expr {
    match of.kind {
        ExprKind::Boolean(value) => expr(ExprKind::Boolean(!value), Type::Boolean, span),
        _ => expr(ExprKind::Not(Box::new(of)), Type::Boolean, span),
    }
}

pub(super) fn negate(of: Expr, span: Span) -> Expr {
    let ty = of.ty.clone();
    match of.number() {
        Some(value) => number(-value, ty, span),
        None => expr(ExprKind::Negate(Box::new(of)), ty, span),
    }
}

pub(super) fn cast(of: Expr, to: Type, span: Span) -> Expr {
    if of.ty == to {
        return Expr { span, ..of };
    }
    match (of.number(), &to) {
        (Some(value), Type::Bits(_) | Type::Integer | Type::Real) => number(value, to, span),
        _ => expr(ExprKind::Cast(Box::new(of)), to, span),
    }
}

pub(super) fn arithmetic(op: Arithmetic, a: Expr, b: Expr, ty: Type, span: Span) -> Expr {
    let is_exact = matches!(ty, Type::Bits(_) | Type::Integer);
    let value = match (a.number(), b.number()) {
        (Some(a), Some(b)) if is_exact => compute(op, &a, &b, &ty),
        _ => None,
    };
    match value {
        Some(value) => number(value, ty, span),
        None => expr(ExprKind::Arithmetic(op, Box::new(a), Box::new(b)), ty, span),
    }
}

/// A number of a type; wraps where the type does.
fn number(value: BigInt, ty: Type, span: Span) -> Expr {
    let kind = match &ty {
        Type::Bits(bits) => ExprKind::Bits(bits.pattern(&value)),
        _ => ExprKind::Integer(value),
    };
    expr(kind, ty, span)
}

fn compute(op: Arithmetic, a: &BigInt, b: &BigInt, ty: &Type) -> Option<BigInt> {
    let is_zero = b.sign() == Sign::NoSign;
    match op {
        Arithmetic::Add => Some(a + b),
        Arithmetic::Subtract => Some(a - b),
        Arithmetic::Multiply => (a.bits() + b.bits() <= MAX_BITS).then(|| a * b),
        Arithmetic::Divide if !is_zero => Some(a / b),
        Arithmetic::Remainder if !is_zero => Some(a % b),
        Arithmetic::Modulo if !is_zero => {
            // The sign of the divisor, or none.
            let divisor = if *ty == Type::Integer && b.sign() == Sign::Minus { -b } else { b.clone() };
            Some(((a % &divisor) + &divisor) % &divisor)
        }
        Arithmetic::BitAnd => Some(a & b),
        Arithmetic::BitOr => Some(a | b),
        Arithmetic::BitXor => Some(a ^ b),
        Arithmetic::Power => {
            let exponent = u32::try_from(b.clone()).ok()?;
            (a.bits().max(1).checked_mul(u64::from(exponent))? <= MAX_BITS).then(|| a.pow(exponent))
        }
        // Shifts depend on the width; they are rare, and cheap when they are reached.
        Arithmetic::ShiftLeft if *ty == Type::Integer => {
            let by = u64::try_from(b.clone()).ok()?;
            (a.bits() + by <= MAX_BITS).then(|| a << by)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::types::Bits;

    fn integers(op: Arithmetic, a: i64, b: i64) -> Option<i64> {
        compute(op, &BigInt::from(a), &BigInt::from(b), &Type::Integer)
            .map(|value| i64::try_from(value).unwrap())
    }

    #[test]
    fn division_truncates_and_modulo_does_not() {
        assert_eq!(integers(Arithmetic::Divide, -7, 2), Some(-3));
        assert_eq!(integers(Arithmetic::Remainder, -7, 2), Some(-1));
        assert_eq!(integers(Arithmetic::Modulo, -7, 2), Some(1));
        assert_eq!(integers(Arithmetic::Modulo, 7, -2), Some(1));
        let bits = compute(Arithmetic::Modulo, &BigInt::from(7), &BigInt::from(-2), &Type::Bits(Bits::I32));
        assert_eq!(bits, Some(BigInt::from(-1)));
    }

    #[test]
    fn division_by_zero_and_giants_are_left_for_later() {
        for op in [Arithmetic::Divide, Arithmetic::Remainder, Arithmetic::Modulo] {
            assert_eq!(integers(op, 1, 0), None);
        }
        assert_eq!(integers(Arithmetic::Power, 2, 1_000_000), None);
        assert_eq!(integers(Arithmetic::Power, 2, -1), None);
        assert_eq!(integers(Arithmetic::ShiftLeft, 1, 1 << 40), None);
        assert_eq!(integers(Arithmetic::Power, 2, 10), Some(1024));
    }
}
