//! Arithmetic: bits that wrap in their type, integers without bounds, reals.
//!
//! Computes the result of operands of one type, or says what makes it impossible. Pure.

use num_bigint::{BigInt, Sign};

use super::stop::{Fault, StopReason};
use super::value::{Arena, Value};
use crate::spec::checked::{Arithmetic, Builtin};
use crate::spec::types::Bits;

/// In bits, of an `integer`: what a spec makes larger than this is a mistake, and would take all memory.
const MAX_BITS: u64 = 1 << 20;

/// An operation on bits.
pub(super) fn bits(op: Arithmetic, ty: Bits, a: i128, b: i128) -> Result<i128, Fault> {
    let raw = match op {
        Arithmetic::Add => a.wrapping_add(b),
        Arithmetic::Subtract => a.wrapping_sub(b),
        Arithmetic::Multiply => a.wrapping_mul(b),
        Arithmetic::Divide | Arithmetic::Remainder | Arithmetic::Modulo => return divide_bits(op, ty, a, b),
        Arithmetic::BitAnd => a & b,
        Arithmetic::BitOr => a | b,
        Arithmetic::BitXor => a ^ b,
        Arithmetic::ShiftLeft => shift_amount(ty, b).map_or(0, |by| a << by),
        Arithmetic::ShiftRight => match shift_amount(ty, b) {
            Some(by) if ty.is_signed => a >> by,
            Some(by) => ((a as u128) >> by) as i128,
            None if ty.is_signed && a < 0 => -1,
            None => 0,
        },
        Arithmetic::Power => return power_bits(ty, a, b),
    };
    Ok(ty.extend(raw))
}

/// An operation on bits, if it has a result.
pub(crate) fn on_bits(op: Arithmetic, ty: Bits, a: i128, b: i128) -> Option<i128> {
    bits(op, ty, a, b).ok()
}

/// By how much to shift, if something of the number is left then.
fn shift_amount(ty: Bits, by: i128) -> Option<u32> {
    u32::try_from(by).ok().filter(|by| *by < u32::from(ty.width))
}

fn divide_bits(op: Arithmetic, ty: Bits, a: i128, b: i128) -> Result<i128, Fault> {
    if b == 0 {
        return Err(StopReason::DivisionByZero.into());
    }
    let raw = if ty.is_signed {
        match op {
            Arithmetic::Divide => a.wrapping_div(b),
            Arithmetic::Remainder => a.wrapping_rem(b),
            _ => floored(a.wrapping_rem(b), b),
        }
    } else {
        let (a, b) = (a as u128, b as u128);
        (if op == Arithmetic::Divide { a / b } else { a % b }) as i128
    };
    Ok(ty.extend(raw))
}

fn floored(rest: i128, b: i128) -> i128 {
    if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
}

fn power_bits(ty: Bits, a: i128, b: i128) -> Result<i128, Fault> {
    if ty.is_signed && b < 0 {
        return Err(StopReason::NegativeExponent.into());
    }
    let (mut result, mut square, mut exponent) = (1i128, a, b as u128);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        exponent >>= 1;
    }
    Ok(ty.extend(result))
}

/// An operation on integers.
pub(super) fn integer(op: Arithmetic, a: Value, b: Value, arena: &mut Arena) -> Result<Value, Fault> {
    if let (Value::Integer(a), Value::Integer(b)) = (a, b) {
        let small = match op {
            Arithmetic::Add => a.checked_add(b),
            Arithmetic::Subtract => a.checked_sub(b),
            Arithmetic::Multiply => a.checked_mul(b),
            Arithmetic::Divide => a.checked_div(b),
            Arithmetic::Remainder => a.checked_rem(b),
            Arithmetic::Modulo => a.checked_rem(b).map(|rest| floored(rest, b)),
            Arithmetic::BitAnd => Some(a & b),
            Arithmetic::BitOr => Some(a | b),
            Arithmetic::BitXor => Some(a ^ b),
            _ => None,
        };
        if let Some(small) = small {
            return Ok(Value::Integer(small));
        }
    }
    let missing = || {
        if matches!(a, Value::Missing) || matches!(b, Value::Missing) {
            Fault::from(StopReason::NoEntry)
        } else {
            Fault::from(StopReason::Malformed)
        }
    };
    let (a, b) = (arena.big(a).ok_or_else(missing)?, arena.big(b).ok_or_else(missing)?);
    let result = big(op, &a, &b)?;
    Ok(arena.integer(result))
}

fn big(op: Arithmetic, a: &BigInt, b: &BigInt) -> Result<BigInt, Fault> {
    let is_zero = b.sign() == Sign::NoSign;
    let fits = |bits: Option<u64>| match bits {
        Some(0..=MAX_BITS) => Ok(()),
        _ => Err(Fault::from(StopReason::TooLarge)),
    };
    Ok(match op {
        Arithmetic::Add => a + b,
        Arithmetic::Subtract => a - b,
        Arithmetic::Multiply => {
            fits(a.bits().checked_add(b.bits()))?;
            a * b
        }
        Arithmetic::Divide | Arithmetic::Remainder | Arithmetic::Modulo if is_zero => {
            return Err(StopReason::DivisionByZero.into());
        }
        Arithmetic::Divide => a / b,
        Arithmetic::Remainder => a % b,
        Arithmetic::Modulo => ((a % b) + b) % b,
        Arithmetic::BitAnd => a & b,
        Arithmetic::BitOr => a | b,
        Arithmetic::BitXor => a ^ b,
        Arithmetic::ShiftLeft | Arithmetic::ShiftRight | Arithmetic::Power if b.sign() == Sign::Minus => {
            return Err(StopReason::NegativeExponent.into());
        }
        Arithmetic::ShiftLeft if a.sign() == Sign::NoSign => BigInt::ZERO,
        Arithmetic::ShiftLeft => {
            let by = u64::try_from(b).map_err(|_| Fault::from(StopReason::TooLarge))?;
            fits(a.bits().checked_add(by))?;
            a << by
        }
        Arithmetic::ShiftRight => match u64::try_from(b) {
            Ok(by) if by <= a.bits() => a >> by,
            _ if a.sign() == Sign::Minus => BigInt::from(-1),
            _ => BigInt::ZERO,
        },
        Arithmetic::Power => match u32::try_from(b) {
            Ok(exponent) => {
                let bits = if a.bits() <= 1 { Some(1) } else { a.bits().checked_mul(u64::from(exponent)) };
                fits(bits)?;
                a.pow(exponent)
            }
            // Of 0, 1 and -1 every power is small.
            Err(_) if a.bits() <= 1 => a.pow(if (b % 2u32).sign() == Sign::NoSign { 2 } else { 1 }),
            Err(_) => return Err(StopReason::TooLarge.into()),
        },
    })
}

/// An operation on reals.
pub(super) fn real(op: Arithmetic, a: f64, b: f64) -> Result<f64, Fault> {
    let is_division = matches!(op, Arithmetic::Divide | Arithmetic::Remainder | Arithmetic::Modulo);
    if is_division && b == 0.0 {
        return Err(StopReason::DivisionByZero.into());
    }
    Ok(match op {
        Arithmetic::Add => a + b,
        Arithmetic::Subtract => a - b,
        Arithmetic::Multiply => a * b,
        Arithmetic::Divide => a / b,
        Arithmetic::Remainder => a % b,
        Arithmetic::Modulo => a - b * (a / b).floor(),
        Arithmetic::Power => a.powf(b),
        Arithmetic::ShiftLeft => a * b.exp2(),
        Arithmetic::ShiftRight => a / b.exp2(),
        Arithmetic::BitAnd | Arithmetic::BitOr | Arithmetic::BitXor => {
            return Err(StopReason::Malformed.into());
        }
    })
}

/// A number as a real.
pub(super) fn to_real(value: &BigInt) -> f64 {
    // Rounded correctly, and infinite where it is too large.
    value.to_string().parse().unwrap_or(f64::NAN)
}

/// What is counted in bits.
pub(super) fn count(which: Builtin, ty: Bits, pattern: i128) -> i128 {
    let width = u32::from(ty.width);
    let unused = 128 - width;
    let raw = ((pattern as u128) << unused) >> unused;
    let n = match which {
        Builtin::LeadingZeros => raw.leading_zeros() - unused,
        Builtin::TrailingZeros => raw.trailing_zeros().min(width),
        Builtin::FirstSet if raw == 0 => 0,
        Builtin::FirstSet => raw.trailing_zeros() + 1,
        _ => 128 - raw.leading_zeros(),
    };
    // A count of at most 128 does not always fit: 128 in an `i8` never comes up, as its width is 8.
    ty.extend(i128::from(n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Arithmetic::*;

    fn ty(name: &str) -> Bits {
        Bits::from_name(name).expect("a type")
    }

    #[test]
    fn bits_wrap_truncate_and_keep_their_sign() {
        let (i8, u8, i128, u128) = (ty("i8"), ty("u8"), ty("i128"), ty("u128"));
        assert_eq!(bits(Add, i8, 127, 1), Ok(-128));
        assert_eq!(bits(Subtract, u8, 0, 1), Ok(255));
        assert_eq!(bits(Multiply, u8, 200, 2), Ok(144));
        assert_eq!(bits(Divide, i8, -7, 2), Ok(-3));
        assert_eq!(bits(Remainder, i8, -7, 2), Ok(-1));
        assert_eq!(bits(Modulo, i8, -7, 2), Ok(1));
        assert_eq!(bits(Modulo, i8, 7, -2), Ok(-1));
        assert_eq!(bits(Divide, i8, -128, -1), Ok(-128));
        assert_eq!(bits(Divide, i128, i128::MIN, -1), Ok(i128::MIN));
        assert_eq!(bits(Divide, u128, -1, 2), Ok(i128::MAX));
        assert_eq!(bits(Remainder, u8, 1, 0), Err(Box::new(StopReason::DivisionByZero)));
        assert_eq!(bits(ShiftLeft, u8, 3, 7), Ok(128));
        assert_eq!(bits(ShiftLeft, u8, 3, 8), Ok(0));
        assert_eq!(bits(ShiftRight, i8, -2, 1), Ok(-1));
        assert_eq!(bits(ShiftRight, i8, -2, 9), Ok(-1));
        assert_eq!(bits(ShiftRight, u8, 200, 3), Ok(25));
        assert_eq!(bits(Power, u8, 3, 5), Ok(243));
        assert_eq!(bits(Power, u8, 3, 6), Ok(729 % 256));
        assert_eq!(bits(Power, i8, 3, -1), Err(Box::new(StopReason::NegativeExponent)));
    }

    #[test]
    fn counts_are_those_of_the_width() {
        let i8 = ty("i8");
        let all = |pattern| {
            [Builtin::LeadingZeros, Builtin::TrailingZeros, Builtin::FirstSet, Builtin::LastSet]
                .map(|which| count(which, i8, pattern))
        };
        assert_eq!(all(0), [8, 8, 0, 0]);
        assert_eq!(all(-1), [0, 0, 1, 8]);
        assert_eq!(all(0b0010_0100), [2, 2, 3, 6]);
    }

    #[test]
    fn integers_grow_and_shrink() {
        let mut arena = Arena::default();
        let mut go = |op, a: Value, b: i128| integer(op, a, Value::Integer(b), &mut arena);
        let huge = go(Power, Value::Integer(2), 200).expect("a number");
        assert!(matches!(huge, Value::Big(_)));
        let back = go(ShiftRight, huge, 190).expect("a number");
        assert!(matches!(back, Value::Integer(1024)));
        assert!(matches!(go(Modulo, huge, 7), Ok(Value::Integer(4))));
        assert_eq!(
            go(Power, Value::Integer(2), 1 << 40).expect_err("no number"),
            Box::new(StopReason::TooLarge)
        );
        assert!(matches!(go(Power, Value::Integer(-1), (1 << 40) + 1), Ok(Value::Integer(-1))));
        assert_eq!(go(Divide, huge, 0).expect_err("no number"), Box::new(StopReason::DivisionByZero));
        assert!(matches!(go(ShiftRight, Value::Integer(-5), 1), Ok(Value::Integer(-3))));
        assert_eq!(
            go(ShiftLeft, Value::Integer(1), i128::MAX).expect_err("no number"),
            Box::new(StopReason::TooLarge)
        );
        assert!(matches!(go(Divide, Value::Integer(i128::MIN), -1), Ok(Value::Big(_))));
    }
}
