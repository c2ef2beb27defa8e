//! Values of the contract language: small and copied, with their parts in an arena.
//!
//! Values can be copied, compared and taken apart. It knows nothing of memory, and of types only what values
//! show.

use std::cmp::Ordering;

use num_bigint::BigInt;

use crate::spec::checked::Datatype;
use crate::spec::types::DatatypeId;

/// A value. What has parts names a range of the [`Arena`] it was made in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    /// Nothing was put here: the entry of a function that was not seen.
    Missing,
    /// What returns nothing returns this.
    Unit,
    Boolean(bool),
    /// Extended to 128 bits by the type's sign.
    Bits(i128),
    Integer(i128),
    /// An `integer` that does not fit the other.
    Big(u32),
    Real(f64),
    Pointer(u64),
    /// A record, struct, union or tuple.
    Parts {
        at: u32,
        n: u32,
    },
    Data {
        of: DatatypeId,
        constructor: u32,
        at: u32,
        n: u32,
    },
    /// Keys and values in turn, by ascending key.
    Map {
        at: u32,
        n: u32,
    },
    List {
        at: u32,
        n: u32,
    },
    Option(Option<u32>),
}

/// The parts of values.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    pub(crate) values: Vec<Value>,
    bigs: Vec<BigInt>,
    /// Reused by comparisons.
    work: Vec<(Value, Other)>,
}

/// What a value is compared with.
#[derive(Clone, Copy, Debug)]
enum Other {
    Value(Value),
    /// The default of its type: what a map without the key gives.
    Default,
}

/// How much of an arena was in use.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    n_values: usize,
    n_bigs: usize,
}

impl Arena {
    pub(crate) fn mark(&self) -> Mark {
        Mark { n_values: self.values.len(), n_bigs: self.bigs.len() }
    }

    /// Forgets everything made since.
    pub(crate) fn release(&mut self, mark: Mark) {
        self.values.truncate(mark.n_values);
        self.bigs.truncate(mark.n_bigs);
    }

    /// Where a value's part is; nothing if it has no such part.
    #[inline]
    pub(crate) fn part_place(&self, of: &Value, k: u32) -> Option<usize> {
        match of {
            Value::Parts { at, n } | Value::Data { at, n, .. } if k < *n => Some((*at + k) as usize),
            _ => None,
        }
    }

    /// A value's part; nothing if it has no such part.
    pub(crate) fn part(&self, of: &Value, k: u32) -> Option<&Value> {
        self.values.get(self.part_place(of, k)?)
    }

    /// Some values in a row.
    pub(crate) fn slice(&self, at: u32, n: u32) -> &[Value] {
        self.values.get(at as usize..at as usize + n as usize).unwrap_or(&[])
    }

    /// Puts values into the arena; says where.
    pub(crate) fn push(&mut self, parts: &[Value]) -> u32 {
        let at = self.values.len() as u32;
        self.values.extend_from_slice(parts);
        at
    }

    pub(crate) fn integer(&mut self, value: BigInt) -> Value {
        match i128::try_from(&value) {
            Ok(small) => Value::Integer(small),
            Err(_) => {
                self.bigs.push(value);
                Value::Big(self.bigs.len() as u32 - 1)
            }
        }
    }

    pub(crate) fn big(&self, value: Value) -> Option<BigInt> {
        match value {
            Value::Integer(x) => Some(BigInt::from(x)),
            Value::Big(k) => self.bigs.get(k as usize).cloned(),
            _ => None,
        }
    }

    /// The value of a key, if the map has it.
    pub(crate) fn lookup(&self, at: u32, n: u32, key: Value) -> Option<Value> {
        let entries = self.slice(at, n * 2);
        let first = *entries.first()?;
        if let (Value::Bits(first) | Value::Integer(first), Value::Bits(key) | Value::Integer(key)) =
            (first, key)
            && let Ok(k) = usize::try_from(key.wrapping_sub(first))
            && let Some([Value::Bits(found) | Value::Integer(found), value]) =
                k.checked_mul(2).and_then(|k| entries.get(k..k + 2))
            && *found == key
        {
            // Keys mostly follow one another.
            return Some(*value);
        }
        self.place(entries, key).ok().map(|k| entries[2 * k + 1])
    }

    fn place(&self, entries: &[Value], key: Value) -> Result<usize, usize> {
        let (mut low, mut high) = (0, entries.len() / 2);
        while low < high {
            let middle = low.midpoint(high);
            match self.order(entries[2 * middle], key) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Ok(middle),
                Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    /// A map with one key set.
    pub(crate) fn insert(&mut self, at: u32, n: u32, key: Value, value: Value) -> Value {
        let place = self.place(self.slice(at, n * 2), key);
        let (k, behind, n_new) = match place {
            Ok(k) => (k, k + 1, n),
            Err(k) => (k, k, n + 1),
        };
        let (start, end) = (at as usize, at as usize + 2 * n as usize);
        let made = self.values.len() as u32;
        self.values.extend_from_within(start..start + 2 * k);
        self.values.extend([key, value]);
        self.values.extend_from_within(start + 2 * behind..end);
        Value::Map { at: made, n: n_new }
    }

    /// An order of keys. Only keys are ordered, so it goes down by recursion no deeper than their types.
    fn order(&self, a: Value, b: Value) -> Ordering {
        let parts = |a: u32, n: u32, b: u32, m: u32| {
            let pairs = self.slice(a, n).iter().zip(self.slice(b, m));
            let different = pairs.map(|(a, b)| self.order(*a, *b)).find(|o| o.is_ne());
            different.unwrap_or(n.cmp(&m))
        };
        match (a, b) {
            (Value::Bits(a), Value::Bits(b)) | (Value::Integer(a), Value::Integer(b)) => a.cmp(&b),
            (Value::Integer(_) | Value::Big(_), Value::Integer(_) | Value::Big(_)) => {
                self.big(a).cmp(&self.big(b))
            }
            (Value::Boolean(a), Value::Boolean(b)) => a.cmp(&b),
            (Value::Pointer(a), Value::Pointer(b)) => a.cmp(&b),
            (Value::Real(a), Value::Real(b)) => a.total_cmp(&b),
            (Value::Parts { at: a, n }, Value::Parts { at: b, n: m })
            | (Value::List { at: a, n }, Value::List { at: b, n: m }) => parts(a, n, b, m),
            (Value::Map { at: a, n }, Value::Map { at: b, n: m }) => parts(a, 2 * n, b, 2 * m),
            (
                Value::Data { constructor: c, at: a, n, .. },
                Value::Data { constructor: d, at: b, n: m, .. },
            ) => c.cmp(&d).then_with(|| parts(a, n, b, m)),
            (Value::Option(Some(a)), Value::Option(Some(b))) => parts(a, 1, b, 1),
            (Value::Option(a), Value::Option(b)) => a.is_some().cmp(&b.is_some()),
            _ => Ordering::Equal,
        }
    }

    /// Whether two values of one type are the same; `None` if one was never seen.
    pub(crate) fn equal(&mut self, a: Value, b: Value, datatypes: &[Datatype]) -> Option<bool> {
        match (a, b) {
            (Value::Missing, _) | (_, Value::Missing) => None,
            (Value::Bits(a), Value::Bits(b)) | (Value::Integer(a), Value::Integer(b)) => Some(a == b),
            (Value::Pointer(a), Value::Pointer(b)) => Some(a == b),
            _ => Some(self.equal_parts(a, b, datatypes)),
        }
    }

    /// With a list of what is left to compare instead of recursion: values are as deep as memory is large.
    fn equal_parts(&mut self, a: Value, b: Value, datatypes: &[Datatype]) -> bool {
        let mut work = std::mem::take(&mut self.work);
        work.clear();
        work.push((a, Other::Value(b)));
        let mut is_equal = true;
        while is_equal && let Some((a, b)) = work.pop() {
            is_equal = match b {
                Other::Value(b) => self.step(a, b, &mut work),
                Other::Default => self.step_default(a, datatypes, &mut work),
            };
        }
        self.work = work;
        is_equal
    }

    fn step(&self, a: Value, b: Value, work: &mut Vec<(Value, Other)>) -> bool {
        let mut parts = |a: u32, b: u32, n: u32| {
            // In place, twice the same is the same.
            if a != b {
                let pairs = self.slice(a, n).iter().zip(self.slice(b, n));
                work.extend(pairs.map(|(a, b)| (*a, Other::Value(*b))));
            }
            true
        };
        match (a, b) {
            (Value::Bits(a), Value::Bits(b)) | (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Integer(_) | Value::Big(_), Value::Integer(_) | Value::Big(_)) => {
                self.big(a) == self.big(b)
            }
            (Value::Unit, Value::Unit) => true,
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            (Value::Pointer(a), Value::Pointer(b)) => a == b,
            // What was not changed is equal, also if it is no number.
            (Value::Real(a), Value::Real(b)) => a == b || (a.is_nan() && b.is_nan()),
            (Value::Parts { at: a, n }, Value::Parts { at: b, n: m })
            | (Value::List { at: a, n }, Value::List { at: b, n: m }) => n == m && parts(a, b, n),
            (
                Value::Data { constructor: c, at: a, n, .. },
                Value::Data { constructor: d, at: b, n: m, .. },
            ) => c == d && n == m && parts(a, b, n),
            (Value::Option(Some(a)), Value::Option(Some(b))) => parts(a, b, 1),
            (Value::Option(a), Value::Option(b)) => a.is_some() == b.is_some(),
            (Value::Map { at: a, n }, Value::Map { at: b, n: m }) => {
                if a != b || n != m {
                    self.step_map(self.slice(a, 2 * n), self.slice(b, 2 * m), work);
                }
                true
            }
            // Members that have no value to a spec.
            (Value::Missing, Value::Missing) => true,
            _ => false,
        }
    }

    /// Maps are functions: where one has no key, it has the default.
    fn step_map(&self, a: &[Value], b: &[Value], work: &mut Vec<(Value, Other)>) {
        let (mut i, mut j) = (0, 0);
        while i < a.len() || j < b.len() {
            let order = match (a.get(i), b.get(j)) {
                (Some(a), Some(b)) => self.order(*a, *b),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            match order {
                Ordering::Less => work.push((a[i + 1], Other::Default)),
                Ordering::Greater => work.push((b[j + 1], Other::Default)),
                Ordering::Equal => work.push((a[i + 1], Other::Value(b[j + 1]))),
            }
            i += if order.is_le() { 2 } else { 0 };
            j += if order.is_ge() { 2 } else { 0 };
        }
    }

    fn step_default(&self, value: Value, datatypes: &[Datatype], work: &mut Vec<(Value, Other)>) -> bool {
        let mut parts = |at: u32, n: u32| {
            work.extend(self.slice(at, n).iter().map(|v| (*v, Other::Default)));
            true
        };
        match value {
            Value::Missing | Value::Unit => true,
            Value::Boolean(x) => !x,
            Value::Bits(x) | Value::Integer(x) => x == 0,
            Value::Big(_) | Value::Option(Some(_)) => false,
            Value::Real(x) => x == 0.0,
            Value::Pointer(x) => x == 0,
            Value::Parts { at, n } => parts(at, n),
            Value::Data { of, constructor, at, n } => {
                datatypes.get(of.0 as usize).is_some_and(|d| d.default == constructor) && parts(at, n)
            }
            Value::Map { at, n } => {
                let values = self.slice(at, 2 * n).iter().skip(1).step_by(2);
                work.extend(values.map(|v| (*v, Other::Default)));
                true
            }
            Value::List { n, .. } => n == 0,
            Value::Option(None) => true,
        }
    }
}
