//! Runs a logged sequence once more and shows each call with its outcome to a visitor; contracts are not
//! checked again.
//!
//! This answers two questions: whether garbage in fresh memory decided anything (with other garbage the same
//! sequence then takes another path), and whether another function does the same (`same`).

use super::log::{Bytes, Call, Event, Log, Source};
use super::play::Replay;
use super::{Calls, Sequence, failures, make};
use crate::ctypes::{CType, TypeId};
use crate::facts::Note;
use crate::machine::{Machine, Range, Settings, Violation};
use stairway::{Case, Checked, Stop};
use std::ops::ControlFlow;

/// Sequences up to this length are run with other garbage even if no read of garbage was seen: reads of local
/// variables are not.
const SHORT: u32 = 8;
/// Other garbage than noise.
const OTHER_FILLS: [u64; 2] = [0, 255];

/// A call that was made again.
pub(super) struct RepeatedCall<'a> {
    /// What happened the first time.
    pub(super) call: &'a Call,
    /// How it ended now, if it did not return.
    pub(super) violation: Option<Violation>,
    /// Its arguments now.
    pub(super) arguments: &'a [u8],
    /// Its result now.
    pub(super) result: &'a [u8],
}

/// How far a sequence came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// To its end.
    Whole,
    /// To where the visitor had seen enough.
    AsFarAsWanted,
    /// To where arguments could not be made again.
    Part,
}

/// Memory and variables of a sequence that is run again.
#[derive(Default)]
struct Places {
    allocations: Vec<u64>,
    variables: Vec<u64>,
}

impl Calls {
    /// Resets the machine for a sequence on memory that holds `fill`.
    pub(super) fn start_over(&self, fill: u64) {
        // Calls that returned the first time do so again, whatever fuel they had.
        self.present.set(Settings { fill, ..self.settings.machine });
        self.machine.configure(self.present.get());
        self.reset();
    }

    /// Lets an allocation of the next call fail; 0 for none.
    pub(super) fn fail_allocation(&self, n: u64) {
        if n > 0 || self.present.get().failing_allocation > 0 {
            self.present.set(Settings { failing_allocation: n, ..self.present.get() });
            self.machine.configure(self.present.get());
        }
    }

    /// Runs a sequence again on a machine that was reset. `is_other`: with the functions that stand beside
    /// others.
    pub(super) fn again(
        &self,
        log: &Log,
        is_other: bool,
        visit: &mut dyn FnMut(&RepeatedCall<'_>) -> ControlFlow<()>,
    ) -> Extent {
        let mut places = Places::default();
        let (mut arguments, mut result) = (Vec::new(), Vec::new());
        for event in &log.events {
            match event {
                Event::Allocate { size } => match self.machine.allocate(*size, 16) {
                    Some(address) => places.allocations.push(address),
                    None => return Extent::Part,
                },
                Event::Global { address, bytes } => {
                    if !self.fill(log, *bytes, &places, &mut arguments)
                        || !self.machine.write(*address, &arguments)
                    {
                        return Extent::Part;
                    }
                }
                Event::Write { allocation, at, bytes } => {
                    let address = places.allocations.get(*allocation as usize).copied();
                    let is_filled = self.fill(log, *bytes, &places, &mut arguments);
                    match address.filter(|_| is_filled) {
                        Some(address) if self.machine.write(address + at, &arguments) => {}
                        _ => return Extent::Part,
                    }
                }
                Event::Hold { allocation } => {
                    let made = places.allocations.get(*allocation as usize).copied();
                    match made.and_then(|made| self.hold(made)) {
                        Some(address) => places.variables.push(address),
                        None => return Extent::Part,
                    }
                }
                Event::Answers { slot, bytes } => {
                    if !self.fill(log, *bytes, &places, &mut arguments) {
                        return Extent::Part;
                    }
                    self.machine.set_answers(*slot, &make::answer_words(&arguments));
                }
                Event::Call(call) => {
                    if !self.fill(log, call.arguments, &places, &mut arguments) {
                        return Extent::Part;
                    }
                    let violation = self.call_again(log, call, is_other, &mut arguments, &mut result);
                    let has_ended = violation.is_some();
                    let made = RepeatedCall { call, violation, arguments: &arguments, result: &result };
                    if visit(&made).is_break() || has_ended {
                        return Extent::AsFarAsWanted;
                    }
                    if call.is_kept {
                        match self.keep_again(call, &result) {
                            Some(address) => places.variables.push(address),
                            None => return Extent::Part,
                        }
                    }
                }
            }
        }
        Extent::Whole
    }

    /// Makes bytes of the log with the addresses of this run.
    fn fill(&self, log: &Log, bytes: Bytes, places: &Places, to: &mut Vec<u8>) -> bool {
        to.clear();
        to.extend_from_slice(log.bytes(bytes));
        log.patches(bytes).iter().all(|patch| {
            let Some(part) = to.get_mut(patch.at..patch.at + patch.size) else { return false };
            patched(&self.machine, places, patch.source, part).is_some()
        })
    }

    fn call_again(
        &self,
        log: &Log,
        call: &Call,
        is_other: bool,
        arguments: &mut [u8],
        result: &mut Vec<u8>,
    ) -> Option<Violation> {
        let (target, function, _) = &self.targets[call.op];
        let function =
            self.others.get(&call.op).map(|(_, other)| other).filter(|_| is_other).unwrap_or(function);
        result.clear();
        result.resize(target.prototype.result_size(), 0);
        self.fail_allocation(call.failing);
        let played = log.played(call).iter();
        let mut hooks = Replay { project: &self.project, played };
        self.machine.call(function, arguments, result, &mut hooks).err()
    }

    fn keep_again(&self, call: &Call, result: &[u8]) -> Option<u64> {
        let align = self.project.program.types.align(self.targets[call.op].0.returns).unwrap_or(16);
        let address = self.machine.slot(result.len() as u64, align)?;
        self.machine.write(address, result).then_some(address)
    }

    /// Fails a sequence in which garbage decided something.
    pub(super) fn check_garbage(&self, sequence: &Sequence, case: &mut Case<'_>) -> Checked {
        let log = &*sequence.log.borrow();
        // What a trusted function hands back has values by decree, and other garbage would be other values.
        if self.judge.is_decreed.get() {
            return Ok(());
        }
        if log.n_calls == 0 || !(log.has_reads || log.n_calls <= SHORT) {
            return Ok(());
        }
        let usual = self.settings.machine.fill;
        let fills = &OTHER_FILLS[..if log.has_reads { 2 } else { 1 }];
        let different = fills.iter().find_map(|fill| self.difference(log, *fill));
        let Some(call) = different else {
            self.start_over(usual);
            return Ok(());
        };
        let is_steady = self.difference(log, usual).is_none();
        let name = self.targets[call.op].0.name;
        if !is_steady || !self.is_blamed(call.op) {
            self.start_over(usual);
            let function = name.to_string();
            match is_steady {
                false => Note::Unsteady { function }.put(case),
                true => Note::GarbageNotBlamed { function }.put(case),
            }
            return Ok(());
        }
        let read = call.read.or_else(|| earlier_read(log, &call));
        let mut failure = failures::uninitialised(&self.project, name, read);
        self.advise_setting(&call, log, sequence, &mut failure);
        self.start_over(usual);
        Err(Stop::fail(sequence.doubtful(*failure)))
    }

    /// The first parameter of a call that points to memory which is not set, in a run of its sequence that goes
    /// no further than this call.
    pub(super) fn unset_parameter(&self, call: &Call, log: &Log) -> Option<usize> {
        let target = &self.targets[call.op].0;
        let types = &self.project.program.types;
        let mut unset = None;
        self.start_over(self.settings.machine.fill);
        self.again(log, false, &mut |made| {
            if made.call.arguments_start() != call.arguments_start() {
                return ControlFlow::Continue(());
            }
            unset = (0..target.parameters.len()).find(|k| {
                let CType::Pointer { to, .. } = types.get(target.parameters[*k]) else { return false };
                let pointer = &made.arguments[target.prototype.place(*k)];
                let address = u64::from_le_bytes(pointer.try_into().unwrap_or_default());
                let size = types.size(*to).unwrap_or(1).max(1);
                let range = Range { address, size };
                self.machine.is_live(range) && !self.machine.is_initialised(range)
            });
            ControlFlow::Break(())
        });
        unset
    }

    /// The first call that goes another way when fresh memory holds something else.
    fn difference(&self, log: &Log, fill: u64) -> Option<Call> {
        self.start_over(fill);
        let mut found = None;
        self.again(log, false, &mut |made| {
            let returns = self.targets[made.call.op].0.returns;
            let is_same = made.violation.is_none()
                && self.machine.flow() == made.call.flow
                && self.is_same_result(returns, log.bytes(made.call.result), made.result);
            if !is_same {
                found = Some(*made.call);
                return ControlFlow::Break(());
            }
            self.judge.ask_again(&self.machine);
            ControlFlow::Continue(())
        });
        found
    }

    /// Whether two results are one value. Parts of structs may be uninitialised: handing them on is no
    /// decision.
    fn is_same_result(&self, ty: TypeId, one: &[u8], other: &[u8]) -> bool {
        match self.project.program.types.get(ty) {
            CType::Record(_) => true,
            // The 80 bits of a long double.
            CType::Float { size, .. } if *size > 8 => one.get(..10) == other.get(..10),
            CType::Pointer { .. } => one == other || (self.is_foreign(one) && self.is_foreign(other)),
            _ => one == other,
        }
    }

    /// Whether a pointer leads to memory of the C library, which is not the same in each run.
    fn is_foreign(&self, pointer: &[u8]) -> bool {
        let Ok(address) = <[u8; 8]>::try_from(pointer) else { return false };
        let address = u64::from_le_bytes(address);
        address > 4096
            && !self.machine.is_live(Range { address, size: 1 })
            && self.machine.block_at(address).is_none()
    }
}

/// Where garbage was read before a call.
fn earlier_read(log: &Log, call: &Call) -> Option<Option<crate::machine::Pc>> {
    let mut read = None;
    for event in &log.events {
        if let Event::Call(earlier) = event {
            if earlier.arguments_start() >= call.arguments_start() {
                break;
            }
            read = earlier.read.or(read);
        }
    }
    read
}

/// Puts the present bytes of a source; `None` if there are none.
fn patched(machine: &Machine, places: &Places, source: Source, part: &mut [u8]) -> Option<()> {
    match source {
        Source::Allocation(k) => {
            part.copy_from_slice(&places.allocations.get(k as usize)?.to_le_bytes());
            Some(())
        }
        Source::Inside { allocation, offset } => {
            let address = places.allocations.get(allocation as usize)?.checked_add(offset)?;
            part.copy_from_slice(&address.to_le_bytes());
            Some(())
        }
        Source::Variable { index, is_through, offset, is_address } => {
            let variable = *places.variables.get(index)?;
            let mut pointer = variable.to_le_bytes();
            if is_through && !machine.read(variable, &mut pointer) {
                return None;
            }
            let address = u64::from_le_bytes(pointer).checked_add(offset)?;
            if is_address {
                part.copy_from_slice(&address.to_le_bytes());
                return Some(());
            }
            let range = Range { address, size: part.len() as u64 };
            (machine.is_live(range) && machine.read(address, part)).then_some(())
        }
    }
}
