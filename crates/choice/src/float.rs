//! The order of simplicity on floats: an index for every `f64`, smaller being simpler.
//!
//! Small whole numbers come first, by magnitude; then what people write with few decimal places, by their
//! number and by magnitude; then everything else by exponent (close to 0 first), sign, and mantissa with its
//! fractional digits reversed, so that fewer digits are simpler: 0, -0, 1, -1, 2, … , 0.1, 0.2, … , 0.01, … ,
//! infinities, NaN. All NaNs share one index.

/// Whole numbers below this are "small": their index is twice their magnitude plus the sign.
const SMALL: u64 = 1 << 50;
/// Where numbers with decimal places start; each number of places has twice [`DIGITS`] indices.
const DECIMALS: u64 = 2 * SMALL;
/// The digits of such a number, read as a whole number, are below this.
const DIGITS: u64 = 1 << 46;
/// At most so many decimal places: their powers of ten are exact, and so many indices are free.
const MAX_PLACES: usize = 15;
/// The powers of ten.
const POWERS: [f64; MAX_PLACES + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
/// Where the other numbers start; each (exponent, sign) pair has 2^52 indices.
const OTHERS: u64 = 1 << 52;
const MANTISSA: u64 = (1 << 52) - 1;
const INFINITE: u64 = 4095 << 52;

/// The index of NaN, the least simple of all.
pub(crate) const LARGEST_INDEX: u64 = INFINITE + 2;

/// The index of `f`.
pub const fn index_of(f: f64) -> u64 {
    let sign = f.is_sign_negative() as u64;
    if f.is_nan() {
        return LARGEST_INDEX;
    }
    let magnitude = f.abs();
    if magnitude == f64::INFINITY {
        return INFINITE + sign;
    }
    if magnitude < SMALL as f64 && magnitude as u64 as f64 == magnitude {
        return 2 * (magnitude as u64) + sign;
    }
    if let Some((places, digits)) = decimal(magnitude) {
        return DECIMALS + 2 * DIGITS * (places as u64 - 1) + 2 * digits + sign;
    }
    let bits = magnitude.to_bits();
    let exponent = (bits >> 52) as i64 - 1023;
    OTHERS + (((rank_of_exponent(exponent) * 2 + sign) << 52) | reversed(bits & MANTISSA, exponent))
}

/// The float at `index`, moved into `lo..=hi` (given as bits) where it lies outside.
pub(crate) const fn at(index: u64, lo: u64, hi: u64, special: bool) -> f64 {
    let f = unbounded(index);
    let (lo, hi) = (f64::from_bits(lo), f64::from_bits(hi));
    if f.is_nan() || f.is_infinite() {
        return if special {
            f
        } else if f.is_sign_negative() {
            lo
        } else {
            hi
        };
    }
    if f < lo {
        lo
    } else if f > hi {
        hi
    } else {
        f
    }
}

const fn unbounded(index: u64) -> f64 {
    if index >= LARGEST_INDEX {
        return f64::NAN;
    }
    if index >= INFINITE {
        return if index == INFINITE { f64::INFINITY } else { f64::NEG_INFINITY };
    }
    if index < OTHERS {
        let magnitude = if index < DECIMALS {
            (index / 2) as f64
        } else {
            let place = (index - DECIMALS) / (2 * DIGITS);
            ((index - DECIMALS) % (2 * DIGITS) / 2) as f64 / POWERS[1 + place as usize % MAX_PLACES]
        };
        return if index.is_multiple_of(2) { magnitude } else { -magnitude };
    }
    let rest = index - OTHERS;
    let exponent = exponent_of_rank(rest >> 53);
    let mantissa = reversed(rest & MANTISSA, exponent);
    let magnitude = f64::from_bits((((exponent + 1023) as u64) << 52) | mantissa);
    if (rest >> 52).is_multiple_of(2) { magnitude } else { -magnitude }
}

/// The decimal places of a number and its digits as a whole number, if it is what they are read as.
pub const fn decimal(magnitude: f64) -> Option<(usize, u64)> {
    let mut places = 1;
    while places <= MAX_PLACES {
        let digits = magnitude * POWERS[places] + 0.5;
        if digits >= DIGITS as f64 {
            return None;
        }
        // A quotient of two exact numbers is the float nearest to it, which is what the digits are read as.
        if digits as u64 as f64 / POWERS[places] == magnitude {
            return Some((places, digits as u64));
        }
        places += 1;
    }
    None
}

/// 0, 1, -1, 2, -2, … up to the 2047 finite exponents.
const fn rank_of_exponent(exponent: i64) -> u64 {
    if exponent > 0 { 2 * exponent as u64 - 1 } else { 2 * exponent.unsigned_abs() }
}

const fn exponent_of_rank(rank: u64) -> i64 {
    if rank.is_multiple_of(2) { -((rank / 2) as i64) } else { rank.div_ceil(2) as i64 }
}

/// Reverses the bits behind the binary point; its own inverse.
const fn reversed(mantissa: u64, exponent: i64) -> u64 {
    let n_fraction = if exponent <= 0 {
        52
    } else if exponent < 52 {
        52 - exponent as u32
    } else {
        return mantissa;
    };
    let low = mantissa & ((1 << n_fraction) - 1);
    (mantissa ^ low) | (low.reverse_bits() >> (64 - n_fraction))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(f: f64) -> f64 {
        at(index_of(f), f64::NEG_INFINITY.to_bits(), f64::INFINITY.to_bits(), true)
    }

    #[test]
    fn every_float_has_an_index_of_its_own() {
        let mut prng = crate::Prng::new(5);
        for _ in 0..20_000 {
            let f = f64::from_bits(prng.next_u64());
            if !f.is_nan() {
                assert_eq!(round_trip(f).to_bits(), f.to_bits(), "{f:e}");
            }
        }
        for f in [0.0, -0.0, 1.0, -1.0, 0.1, 0.5, 1e300, 5e-324, f64::MAX, f64::MIN, 2f64.powi(51)] {
            assert_eq!(round_trip(f).to_bits(), f.to_bits(), "{f:e}");
        }
        assert!(round_trip(f64::NAN).is_nan());
        assert_eq!(round_trip(f64::NEG_INFINITY), f64::NEG_INFINITY);
    }

    #[test]
    fn people_would_agree_on_the_order() {
        let order = [
            0.0,
            1.0,
            -1.0,
            2.0,
            1e15,
            0.1,
            0.5,
            -0.5,
            1.1,
            1.5,
            2.5,
            0.01,
            1.25,
            0.6693392689523441,
            1e300,
            f64::INFINITY,
            f64::NAN,
        ];
        for pair in order.windows(2) {
            assert!(index_of(pair[0]) < index_of(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn bounds_are_kept() {
        let (lo, hi) = (0.25f64.to_bits(), 0.75f64.to_bits());
        for index in [0, 7, OTHERS, LARGEST_INDEX, INFINITE + 1] {
            let f = at(index, lo, hi, false);
            assert!((0.25..=0.75).contains(&f), "{f}");
        }
    }
}
