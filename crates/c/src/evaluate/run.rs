//! Runs code over memory.
//!
//! Runs compiled clauses over a frame with what is known, and memory: the result is what the clauses bind and
//! take, or at which operation they stopped and why. No recursion: a stack of values and one of frames grow
//! to a limit, and every operation is counted.

use super::Limits;
use super::code::{self, Code, Failure, Op};
use super::footprint::OwnedRanges;
use super::memory::Memory;
use super::number;
use super::stop::{Fault, StopReason};
use super::value::{Arena, Value};
use crate::spec::types::Bits;

/// What is kept between evaluations, so that none allocates.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) arena: Arena,
    /// Frames, each followed by the operands of what runs in it.
    pub(super) stack: Vec<Value>,
    /// The definitions that are running.
    pub(super) frames: Vec<Frame>,
    pub(super) owned: OwnedRanges,
    pub(super) bytes: Vec<u8>,
    pub(super) arms: Arms,
}

/// Which branches of contracts were taken, where somebody wants to know.
#[derive(Debug, Default)]
pub(super) struct Arms {
    /// For each operation, whether a branch led to it since they were taken.
    is_taken: Vec<bool>,
    pub(super) taken: Vec<u32>,
}

impl Arms {
    fn take(&mut self, to: usize) {
        if self.is_taken.len() <= to {
            self.is_taken.resize(to + 1, false);
        }
        if !std::mem::replace(&mut self.is_taken[to], true) {
            self.taken.push(to as u32);
        }
    }

    /// Hands each operation that a branch led to, and forgets them.
    pub(super) fn drain(&mut self, mut keep: impl FnMut(u32)) {
        for to in self.taken.drain(..) {
            self.is_taken[to as usize] = false;
            keep(to);
        }
    }
}

/// A definition that is running.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) unit: u32,
    /// Where it was called; it goes on behind.
    pub(super) call: u32,
    /// The caller's frame.
    caller: u32,
    /// Its own.
    pub(super) base: u32,
}

/// Code being run.
pub(super) struct Run<'r> {
    pub(super) code: &'r Code,
    pub(super) state: &'r mut State,
    pub(super) memory: &'r dyn Memory,
    /// The addresses of the variables that are read where they live.
    pub(super) captures: &'r [u64],
    /// Whether what is taken counts as initialised, as after a `trusted` function.
    pub(super) is_decreed: bool,
    pub(super) limits: Limits,
    pub(super) n_steps: u64,
    /// The operation, and the frame it runs in: where it stopped, if it did.
    pub(super) pc: usize,
    pub(super) base: usize,
    /// The clause it belongs to.
    pub(super) clause: u32,
}

impl Run<'_> {
    /// Runs from `pc` to the end; gives what is on the stack then. Compiled twice, so that what nobody watches costs
    /// nothing.
    pub(super) fn run<const WATCHES: bool>(&mut self) -> Result<Value, Fault> {
        let code = self.code;
        let mut pc = self.pc;
        loop {
            self.pc = pc;
            self.n_steps += 1;
            let op = code.ops.get(pc).ok_or_else(malformed)?;
            pc += 1;
            match *op {
                Op::Constant(k) => self.copy_from(&code.constants, k as usize),
                Op::Slot(k) => {
                    let at = self.base + k as usize;
                    self.state.stack.extend_from_within(at..at + 1);
                }
                Op::Store(k) => self.move_top(self.base + k as usize),
                Op::SlotPart(slot, k) => {
                    let of = self.state.stack.get(self.base + slot as usize).unwrap_or(&Value::Missing);
                    let at = self.state.arena.part_place(of, k).ok_or_else(|| wrong(*of))?;
                    self.state.stack.extend_from_slice(&self.state.arena.values[at..=at]);
                }
                Op::Part(k) => {
                    let of = self.state.stack.last().unwrap_or(&Value::Missing);
                    let at = self.state.arena.part_place(of, k).ok_or_else(|| wrong(*of))?;
                    self.drop_top();
                    self.state.stack.extend_from_slice(&self.state.arena.values[at..=at]);
                }
                Op::IsNull => {
                    let is_null = self.pointer()? == 0;
                    self.push(Value::Boolean(is_null));
                }
                Op::Not => {
                    let value = self.boolean()?;
                    self.push(Value::Boolean(!value));
                }
                Op::Equal => {
                    let is_equal = self.equal()?;
                    self.push(Value::Boolean(is_equal));
                }
                Op::Construct(of, constructor, n) => {
                    let value = Value::Data { of, constructor, at: self.gather(n)?, n };
                    self.push(value);
                }
                Op::Take(k) => {
                    let address = self.pointer()?;
                    let access = &code.accesses[k as usize];
                    self.take(access, address)?;
                    if access.is_initialised {
                        let value = self.read(access.shape, access.size, address)?;
                        self.push(value);
                    }
                }
                Op::Jump(to) => pc = to as usize,
                Op::JumpIfFalse(to) => {
                    if !self.boolean()? {
                        pc = to as usize;
                    }
                    self.took::<WATCHES>(pc);
                }
                Op::And(to) => {
                    if self.boolean()? {
                        self.took::<WATCHES>(pc);
                        continue;
                    }
                    self.push(Value::Boolean(false));
                    pc = to as usize;
                }
                Op::Or(to) => {
                    if !self.boolean()? {
                        self.took::<WATCHES>(pc);
                        continue;
                    }
                    self.push(Value::Boolean(true));
                    pc = to as usize;
                }
                Op::Implies(to) => {
                    if self.boolean()? {
                        self.took::<WATCHES>(pc);
                        continue;
                    }
                    self.push(Value::Boolean(true));
                    pc = to as usize;
                }
                Op::Call(unit) => pc = self.call(unit)?,
                Op::Return => {
                    let frame = self.state.frames.pop().ok_or_else(malformed)?;
                    let base = frame.base as usize;
                    let top = self.state.stack.len().checked_sub(1).filter(|top| *top >= base);
                    let top = top.ok_or_else(malformed)?;
                    self.state.stack.copy_within(top..=top, base);
                    self.state.stack.truncate(base + 1);
                    self.base = frame.caller as usize;
                    pc = frame.call as usize + 1;
                }
                Op::Switch(slot, table) => match self.state.stack.get(self.base + slot as usize) {
                    Some(Value::Data { constructor, .. }) => {
                        let targets = &code.switches[table as usize];
                        pc = *targets.get(*constructor as usize).ok_or_else(malformed)? as usize;
                        self.took::<WATCHES>(pc);
                    }
                    other => return Err(wrong(other.copied().unwrap_or(Value::Unit))),
                },
                Op::Begin(range, name, to) => {
                    if self.begin(range, name)? {
                        pc = to as usize;
                    }
                }
                Op::Next(range, to) => {
                    let (first, last) = self.range(range);
                    if first < last {
                        self.set_slot(range, Value::Integer(first + 1));
                        self.check_limits()?;
                        pc = to as usize;
                    }
                }
                Op::Clause(k) => self.clause = k,
                Op::Require(_) => {
                    if !self.boolean()? {
                        return Err(StopReason::False.into());
                    }
                }
                Op::End => return Ok(self.state.stack.last().copied().unwrap_or(Value::Unit)),
                other => self.simple(other)?,
            }
        }
    }

    /// A branch led to this operation.
    #[inline(always)]
    fn took<const WATCHES: bool>(&mut self, to: usize) {
        if WATCHES {
            self.state.arms.take(to);
        }
    }

    /// What does not change what comes next, and is not as frequent as what `run` does itself.
    #[inline(never)]
    fn simple(&mut self, op: Op) -> Result<(), Fault> {
        let result = match op {
            Op::Default(ty) => self.code.default_of(&self.code.types[ty as usize], &mut self.state.arena),
            Op::Capture(k, shape) => {
                let address = *self.captures.get(k as usize).ok_or_else(|| Box::new(StopReason::NoEntry))?;
                self.read(shape, self.code.shapes.size(shape), address)?
            }
            Op::CaptureAddress(k) => {
                Value::Pointer(*self.captures.get(k as usize).ok_or_else(|| Box::new(StopReason::NoEntry))?)
            }
            Op::Load(k) => {
                let address = self.pointer()?;
                self.load(&self.code.accesses[k as usize], address)?
            }
            Op::Offset(by) => Value::Pointer(self.pointer()?.wrapping_add(by)),
            Op::Shift(size) => {
                let index = self.pop();
                let index = self.low_bits(index)?;
                Value::Pointer(self.pointer()?.wrapping_add((index as u64).wrapping_mul(size)))
            }
            Op::NegateBits(ty) => Value::Bits(ty.extend(self.bits()?.wrapping_neg())),
            Op::NegateInteger => {
                let value = self.pop();
                let subtract = crate::spec::checked::Arithmetic::Subtract;
                number::integer(subtract, Value::Integer(0), value, &mut self.state.arena)?
            }
            Op::NegateReal => Value::Real(-self.real()?),
            Op::Complement(ty) => Value::Bits(ty.extend(!self.bits()?)),
            Op::Bits(op, ty) => {
                let (b, a) = (self.bits()?, self.bits()?);
                Value::Bits(number::bits(op, ty, a, b)?)
            }
            Op::Integer(op) => {
                let (b, a) = (self.pop(), self.pop());
                number::integer(op, a, b, &mut self.state.arena)?
            }
            Op::Real(op) => {
                let (b, a) = (self.real()?, self.real()?);
                Value::Real(number::real(op, a, b)?)
            }
            Op::Unequal => Value::Boolean(!self.equal()?),
            Op::Less(is_u128) => {
                Value::Boolean(self.compare(is_u128)?.is_some_and(std::cmp::Ordering::is_lt))
            }
            Op::LessEqual(is_u128) => {
                Value::Boolean(self.compare(is_u128)?.is_some_and(std::cmp::Ordering::is_le))
            }
            Op::ToBits(ty) => {
                let value = self.pop();
                Value::Bits(match value {
                    Value::Big(_) => ty.pattern(&self.state.arena.big(value).unwrap_or_default()),
                    _ => ty.extend(self.low_bits(value)?),
                })
            }
            Op::ToInteger(is_u128) => {
                let value = self.pop();
                self.unbounded(value, is_u128)?
            }
            Op::ToReal(is_u128) => {
                let value = self.pop();
                let value = self.unbounded(value, is_u128)?;
                Value::Real(number::to_real(&self.state.arena.big(value).ok_or_else(malformed)?))
            }
            Op::ToPointer => {
                let value = self.pop();
                Value::Pointer(self.low_bits(value)? as u64)
            }
            Op::IsNotNull => Value::Boolean(self.pointer()? != 0),
            Op::Count(which, ty) => Value::Bits(number::count(which, ty, self.bits()?)),
            Op::Good(shape) => {
                let value = self.pop();
                Value::Boolean(self.code.shapes.is_good(shape, value, &self.state.arena))
            }
            Op::Increase(k) => {
                if let Value::Integer(n) = self.slot(k) {
                    self.set_slot(k, Value::Integer(n + 1));
                }
                return Ok(());
            }
            Op::Range(k, ty) => {
                let (first, last) = limits_of(ty);
                self.set_slot(k, Value::Integer(first));
                self.set_slot(k + 1, Value::Integer(last));
                return Ok(());
            }
            Op::Narrow(range, how) => return self.narrow(range, how),
            Op::Index(range, ty) => {
                let first = self.range(range).0;
                if ty.is_some() { Value::Bits(first) } else { Value::Integer(first) }
            }
            Op::NewState => {
                self.state.owned.clear();
                return Ok(());
            }
            Op::Drop => {
                self.pop();
                return Ok(());
            }
            Op::Fail(failure) => return Err(self.failure(failure).into()),
            Op::CallC(k) => self.call_c(k)?,
            other => self.structure(other)?,
        };
        self.push(result);
        Ok(())
    }

    /// What makes and takes apart values with parts.
    fn structure(&mut self, op: Op) -> Result<Value, Fault> {
        Ok(match op {
            Op::Parts(n) => Value::Parts { at: self.gather(n)?, n },
            Op::List(n) => Value::List { at: self.gather(n)?, n },
            Op::Map(count) => {
                let Value::Integer(n) = self.slot(count) else { return Err(StopReason::Malformed.into()) };
                Value::Map { at: self.gather(2 * n as u32)?, n: n as u32 }
            }
            Op::Copy => match self.pop() {
                Value::Parts { at, n } => {
                    let made = self.state.arena.values.len() as u32;
                    self.state.arena.values.extend_from_within(at as usize..(at + n) as usize);
                    Value::Parts { at: made, n }
                }
                other => return Err(wrong(other)),
            },
            Op::Set(k) => {
                let value = self.pop();
                match self.pop() {
                    Value::Parts { at, n } if k < n => {
                        self.state.arena.values[(at + k) as usize] = value;
                        Value::Parts { at, n }
                    }
                    other => return Err(wrong(other)),
                }
            }
            Op::MapGet(ty) => {
                let key = self.pop();
                match self.pop() {
                    Value::Map { at, n } => match self.state.arena.lookup(at, n, key) {
                        Some(found) => found,
                        None => self.code.default_of(&self.code.types[ty as usize], &mut self.state.arena),
                    },
                    other => return Err(wrong(other)),
                }
            }
            Op::MapSet => {
                let (value, key) = (self.pop(), self.pop());
                match self.pop() {
                    Value::Map { at, n } => self.state.arena.insert(at, n, key, value),
                    other => return Err(wrong(other)),
                }
            }
            Op::IsConstructor(constructor) => match self.pop() {
                Value::Data { constructor: is, .. } => Value::Boolean(is == constructor),
                other => return Err(wrong(other)),
            },
            Op::Some => Value::Option(Some(self.gather(1)?)),
            Op::IsSome => Value::Boolean(self.option()?.is_some()),
            Op::IsNone => Value::Boolean(self.option()?.is_none()),
            Op::GetOption(ty) => match self.option()? {
                Some(at) => self.state.arena.slice(at, 1).first().copied().ok_or_else(malformed)?,
                None => self.code.default_of(&self.code.types[ty as usize], &mut self.state.arena),
            },
            _ => return Err(StopReason::Malformed.into()),
        })
    }

    // Values that are only moved are moved as bytes: whoever looks at them on the way takes them apart and
    // puts them together again.

    #[inline(always)]
    fn copy_from(&mut self, from: &[Value], k: usize) {
        self.state.stack.extend_from_slice(&from[k..=k]);
    }

    /// Takes the topmost value down to a place below it.
    #[inline(always)]
    fn move_top(&mut self, to: usize) {
        let Some(top) = self.state.stack.len().checked_sub(1) else { return };
        self.state.stack.copy_within(top..=top, to.min(top));
        self.state.stack.truncate(top);
    }

    #[inline(always)]
    fn push(&mut self, value: Value) {
        self.state.stack.push(value);
    }

    #[inline(always)]
    fn pop(&mut self) -> Value {
        // Code that was compiled never finds it empty; a plain value is copied in one go, a `Result` of one
        // is not.
        self.state.stack.pop().unwrap_or(Value::Missing)
    }

    #[inline(always)]
    fn slot(&self, k: u32) -> Value {
        self.state.stack.get(self.base + k as usize).copied().unwrap_or(Value::Missing)
    }

    #[inline(always)]
    fn set_slot(&mut self, k: u32, value: Value) {
        if let Some(slot) = self.state.stack.get_mut(self.base + k as usize) {
            *slot = value;
        }
    }

    #[inline(always)]
    fn drop_top(&mut self) {
        let n = self.state.stack.len().saturating_sub(1);
        self.state.stack.truncate(n);
    }

    #[cold]
    fn wrong_top(&self) -> Fault {
        wrong(self.state.stack.last().copied().unwrap_or(Value::Unit))
    }

    #[inline(always)]
    fn boolean(&mut self) -> Result<bool, Fault> {
        let Some(Value::Boolean(value)) = self.state.stack.last() else { return Err(self.wrong_top()) };
        let value = *value;
        self.drop_top();
        Ok(value)
    }

    #[inline(always)]
    fn bits(&mut self) -> Result<i128, Fault> {
        let Some(Value::Bits(value)) = self.state.stack.last() else { return Err(self.wrong_top()) };
        let value = *value;
        self.drop_top();
        Ok(value)
    }

    fn real(&mut self) -> Result<f64, Fault> {
        let Some(Value::Real(value)) = self.state.stack.last() else { return Err(self.wrong_top()) };
        let value = *value;
        self.drop_top();
        Ok(value)
    }

    #[inline(always)]
    fn pointer(&mut self) -> Result<u64, Fault> {
        let Some(Value::Pointer(value)) = self.state.stack.last() else { return Err(self.wrong_top()) };
        let value = *value;
        self.drop_top();
        Ok(value)
    }

    fn option(&mut self) -> Result<Option<u32>, Fault> {
        match self.pop() {
            Value::Option(at) => Ok(at),
            other => Err(wrong(other)),
        }
    }

    fn equal(&mut self) -> Result<bool, Fault> {
        let (b, a) = (self.pop(), self.pop());
        self.state.arena.equal(a, b, &self.code.datatypes).ok_or_else(|| Box::new(StopReason::NoEntry))
    }

    /// Nothing for reals that are no numbers.
    fn compare(&mut self, is_u128: bool) -> Result<Option<std::cmp::Ordering>, Fault> {
        let (b, a) = (self.pop(), self.pop());
        Ok(Some(match (a, b) {
            (Value::Bits(a), Value::Bits(b)) if is_u128 => (a as u128).cmp(&(b as u128)),
            (Value::Bits(a), Value::Bits(b)) | (Value::Integer(a), Value::Integer(b)) => a.cmp(&b),
            (Value::Pointer(a), Value::Pointer(b)) => a.cmp(&b),
            (Value::Real(a), Value::Real(b)) => return Ok(a.partial_cmp(&b)),
            (Value::Integer(_) | Value::Big(_), Value::Integer(_) | Value::Big(_)) => {
                self.state.arena.big(a).cmp(&self.state.arena.big(b))
            }
            (Value::Missing, _) | (_, Value::Missing) => return Err(StopReason::NoEntry.into()),
            _ => return Err(StopReason::Malformed.into()),
        }))
    }

    /// At least the low 64 bits of a number.
    fn low_bits(&self, value: Value) -> Result<i128, Fault> {
        match value {
            Value::Bits(x) | Value::Integer(x) => Ok(x),
            Value::Pointer(address) => Ok(i128::from(address)),
            Value::Big(_) => {
                let wide = Bits { width: 128, is_signed: false };
                Ok(wide.pattern(&self.state.arena.big(value).unwrap_or_default()))
            }
            other => Err(wrong(other)),
        }
    }

    fn unbounded(&mut self, value: Value, is_u128: bool) -> Result<Value, Fault> {
        match value {
            Value::Bits(x) if is_u128 && x < 0 => {
                Ok(self.state.arena.integer(num_bigint::BigInt::from(x as u128)))
            }
            Value::Bits(x) => Ok(Value::Integer(x)),
            Value::Pointer(address) => Ok(Value::Integer(i128::from(address))),
            Value::Integer(_) | Value::Big(_) => Ok(value),
            other => Err(wrong(other)),
        }
    }

    /// The values on top become parts.
    fn gather(&mut self, n: u32) -> Result<u32, Fault> {
        let from = self.state.stack.len().checked_sub(n as usize).ok_or_else(malformed)?;
        let at = self.state.arena.push(&self.state.stack[from..]);
        self.state.stack.truncate(from);
        Ok(at)
    }

    fn call(&mut self, unit: u32) -> Result<usize, Fault> {
        let called = self.code.units.get(unit as usize).ok_or_else(malformed)?;
        let n = called.parameters.len();
        let base = self.state.stack.len().checked_sub(n).ok_or_else(malformed)?;
        self.state.frames.push(Frame {
            unit,
            call: self.pc as u32,
            caller: self.base as u32,
            base: base as u32,
        });
        self.check_limits()?;
        self.state.stack.resize(base + called.n_frame as usize, Value::Missing);
        self.base = base;
        Ok(called.entry as usize)
    }

    fn check_limits(&self) -> Result<(), Fault> {
        if self.state.frames.len() > self.limits.depth as usize {
            return Err(StopReason::TooDeep.into());
        }
        if self.n_steps > self.limits.n_steps {
            return Err(StopReason::TooLong.into());
        }
        if self.state.stack.len().max(self.state.arena.values.len()) > self.limits.n_values {
            return Err(StopReason::TooLarge.into());
        }
        Ok(())
    }

    fn call_c(&mut self, k: u32) -> Result<Value, Fault> {
        let code = self.code;
        let foreign = code.foreign.get(k as usize).ok_or_else(malformed)?;
        let from = self.state.stack.len().checked_sub(foreign.parameters.len()).ok_or_else(malformed)?;
        let mut arguments = Vec::new();
        for (shape, value) in foreign.parameters.iter().zip(&self.state.stack[from..]) {
            let mut bytes = vec![0; code.shapes.size(*shape) as usize];
            code.shapes.encode(*shape, *value, &self.state.arena, &mut bytes)?;
            arguments.push(bytes);
        }
        self.state.stack.truncate(from);
        let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
        let mut result = vec![0; code.shapes.size(foreign.returns) as usize];
        let outcome = self.memory.call(foreign.function, &arguments, &mut result);
        outcome.map_err(|why| {
            Box::new(StopReason::CallFailed { function: foreign.name.clone(), why: Box::new(why) })
        })?;
        code.shapes.decode(foreign.returns, &result, &mut self.state.arena, self.limits.n_values)
    }

    fn failure(&self, failure: Failure) -> StopReason {
        let name = |unit: u32| self.code.units.get(unit as usize).map_or(String::new(), |u| u.name.clone());
        match failure {
            Failure::Uninterpreted(unit) => StopReason::Uninterpreted(name(unit)),
            Failure::Abstract(unit) => StopReason::Abstract(name(unit)),
            Failure::NoAddress => StopReason::NoAddress,
            Failure::Malformed => StopReason::Malformed,
        }
    }

    #[inline(always)]
    fn range(&self, k: u32) -> (i128, i128) {
        match (self.slot(k), self.slot(k + 1)) {
            (Value::Integer(first), Value::Integer(last)) => (first, last),
            _ => (1, 0),
        }
    }

    fn narrow(&mut self, range: u32, how: code::Limits) -> Result<(), Fault> {
        let value = self.pop();
        let value = self.unbounded(value, how.is_u128)?;
        let (first, last) = self.range(range);
        let step = i128::from(how.is_excluded);
        let (first, last) = match (value, how.is_lower) {
            (Value::Integer(x), true) => x.checked_add(step).map_or((1, 0), |x| (first.max(x), last)),
            (Value::Integer(x), false) => x.checked_sub(step).map_or((1, 0), |x| (first, last.min(x))),
            (_, is_lower) => {
                let is_negative =
                    self.state.arena.big(value).is_some_and(|x| x.sign() == num_bigint::Sign::Minus);
                // A limit that far out either excludes everything or nothing.
                if is_negative == is_lower { (first, last) } else { (1, 0) }
            }
        };
        self.set_slot(range, Value::Integer(first));
        self.set_slot(range + 1, Value::Integer(last));
        Ok(())
    }

    /// Whether a range is empty.
    fn begin(&mut self, range: u32, name: u32) -> Result<bool, Fault> {
        let (first, last) = self.range(range);
        if first > last {
            return Ok(true);
        }
        let n = (last as u128).wrapping_sub(first as u128).saturating_add(1);
        match self.code.names.get(name as usize) {
            Some(index) if n > u128::from(self.limits.n_indices) => {
                Err(StopReason::TooManyIndices { index: index.clone(), n: n.to_string() }.into())
            }
            _ => Ok(false),
        }
    }

    pub(super) fn clause_span(&self) -> crate::spec::position::Span {
        let known = self.code.clauses.get(self.clause as usize).copied();
        known.unwrap_or_else(|| self.code.places[self.pc.min(self.code.places.len().saturating_sub(1))])
    }
}

#[cold]
fn malformed() -> Fault {
    Box::new(StopReason::Malformed)
}

/// What stands where something else should: either nothing, or the tree was not checked.
#[cold]
fn wrong(value: Value) -> Fault {
    Box::new(if matches!(value, Value::Missing) { StopReason::NoEntry } else { StopReason::Malformed })
}

/// The least and the greatest index of a type; of an `integer`, and of `u128` above, as far as it can be
/// counted.
fn limits_of(ty: Option<Bits>) -> (i128, i128) {
    match ty {
        None => (i128::MIN, i128::MAX),
        Some(Bits { width: 128, is_signed: true }) => (i128::MIN, i128::MAX),
        Some(Bits { width: 128, is_signed: false }) => (0, i128::MAX),
        Some(Bits { width, is_signed: true }) => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        Some(Bits { width, is_signed: false }) => (0, (1 << width) - 1),
    }
}
