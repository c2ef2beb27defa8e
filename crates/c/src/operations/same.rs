//! Compares two functions that should do the same: runs a sequence again with one in place of the other.
//!
//! Different results, different plain data behind pointers or different output is a failure. Addresses are
//! not compared, nor data that holds pointers: two implementations may build different things.

use super::candidates::Candidates;
use super::log::Event;
use super::{Calls, CallsError, Sequence, Settings, Target, failures, replay::Extent};
use crate::ctypes::{CType, CTypes, TypeId};
use crate::dwarf::CFunction;
use crate::finding::{Difference, Problem};
use crate::machine::{Function, Machine, Range};
use crate::project::Project;
use stairway::report::{CallFault, Failure, Site};
use stairway::{Checked, Stop};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// How many elements behind a pointer are compared.
const MOST_ELEMENTS: u64 = 256;
/// How many bytes describe the effects of a call, about.
const MOST_BYTES: usize = 1 << 16;
// What stands for a pointer to something, a pointer to nothing, and uninitialised bytes.
const SOMETHING: u8 = 1;
const NOTHING: u8 = 2;
const UNINITIALISED: u8 = 3;

/// The functions that are called beside others, by the place of the other.
pub(super) type Others = BTreeMap<usize, (&'static str, Function)>;

/// Finds two functions with the same type.
fn pair<'p>(project: &'p Project, one: &str, other: &str) -> Result<&'p CFunction, CallsError> {
    let find = |name: &str| {
        let found = project.program.functions.iter().find(|f| f.name == name && f.address.is_some());
        found.ok_or_else(|| CallsError::NoSuchFunction(name.to_string()))
    };
    let (first, second) = (find(one)?, find(other)?);
    match first.signature == second.signature {
        true => Ok(second),
        false => Err(CallsError::NotAlike(one.to_string(), other.to_string())),
    }
}

/// Whether all pairs are there.
pub(super) fn look(project: &Project, settings: &Settings) -> Result<(), CallsError> {
    settings.same.iter().try_for_each(|(one, other)| pair(project, one, other).map(|_| ()))
}

/// Numbers that occur in one of two functions are worth trying for both.
pub(super) fn share_constants(project: &Project, targets: &mut [Target], settings: &Settings) {
    for (one, other) in &settings.same {
        let of_other = project.sources.functions.iter().filter(|function| function.name == *other);
        for worth in of_other.map(|other| Candidates::of(project, other)) {
            for target in targets.iter_mut().filter(|target| target.name == one) {
                target.worth.add(worth.numbers.iter().copied(), worth.texts.iter());
            }
        }
    }
}

/// Makes the other functions callable.
pub(super) fn others(
    project: &Project,
    machine: &Machine,
    targets: &[Target],
    settings: &Settings,
) -> Result<Others, CallsError> {
    let mut others = Others::new();
    for (one, other) in &settings.same {
        let function = pair(project, one, other)?;
        let place = targets.iter().position(|target| target.name == one);
        let place = place.ok_or_else(|| CallsError::NoSuchFunction(one.clone()))?;
        let entry = function.address.and_then(|offset| machine.entry(offset));
        let entry = entry.ok_or_else(|| CallsError::NoSuchFunction(other.clone()))?;
        let callable = machine.function(entry, targets[place].prototype.clone());
        others.insert(place, (&*other.clone().leak(), callable));
    }
    Ok(others)
}

impl Calls {
    /// Fails a sequence that goes otherwise with the other functions in it. What it printed is on the machine.
    pub(super) fn check_same(&self, sequence: &Sequence) -> Checked {
        let log = &*sequence.log.borrow();
        let used = log.events.iter().filter_map(|event| match event {
            Event::Call(call) => {
                self.others.get(&call.op).map(|(name, _)| (self.targets[call.op].0.name, *name))
            }
            _ => None,
        });
        let Some(pair) = used.last() else { return Ok(()) };
        let printed = self.machine.output();
        self.start_over(self.settings.machine.fill);
        let mut found: Option<Box<Failure>> = None;
        let mut effects = Vec::new();
        let came = self.again(log, true, &mut |made| {
            let target = &self.targets[made.call.op].0;
            let name = target.name;
            let pair = self.others.get(&made.call.op).map_or(pair, |(other, _)| (name, *other));
            if let Some(violation) = &made.violation {
                let place = violation.pc().and_then(|pc| failures::at(&self.project, pc));
                found = Some(differs(pair, name, Difference::Violation(violation.clone()), place));
                return ControlFlow::Break(());
            }
            effects.clear();
            self.effects(target, made.arguments, made.result, &mut effects);
            if effects != log.bytes(made.call.effects) {
                let shown = |bytes: &[u8]| self.judge.show(target.returns, bytes);
                let [one, other] = [log.bytes(made.call.result), made.result].map(shown);
                let what = match one == other || made.result.is_empty() {
                    true => Difference::Data,
                    false => Difference::Results(one, other),
                };
                found = Some(differs(pair, name, what, None));
                return ControlFlow::Break(());
            }
            self.judge.ask_again(&self.machine);
            ControlFlow::Continue(())
        });
        if came == Extent::Whole && printed != self.machine.output() {
            found = Some(differs(pair, pair.0, Difference::Output, None));
        }
        match found {
            Some(failure) => Err(Stop::fail(sequence.doubtful(*failure))),
            None => Ok(()),
        }
    }

    /// Describes what could be seen of a call: its result and the plain data that its arguments point to.
    pub(super) fn effects(&self, target: &Target, arguments: &[u8], result: &[u8], to: &mut Vec<u8>) {
        let seen = ValueReader { machine: &self.machine, types: &self.project.program.types };
        if !result.is_empty() {
            seen.value(target.returns, result, None, to);
        }
        for (k, ty) in target.parameters.iter().enumerate() {
            if let CType::Pointer { .. } = seen.types.get(*ty) {
                seen.value(*ty, &arguments[target.prototype.place(k)], None, to);
            }
        }
    }
}

fn differs((one, other): (&str, &str), at: &str, what: Difference, place: Option<Site>) -> Box<Failure> {
    let kind = failures::of_call(CallFault::Differs, &format!("{one} and {other} in {at}"));
    let [one, other, at] = [one, other, at].map(ToString::to_string);
    failures::failure(kind, place, Problem::Difference { one, other, at, what })
}

/// Looks at values.
struct ValueReader<'c> {
    machine: &'c Machine,
    types: &'c CTypes,
}

impl ValueReader<'_> {
    /// Describes a value; `from`: where it is, if it is in the program's memory.
    fn value(&self, ty: TypeId, bytes: &[u8], from: Option<u64>, to: &mut Vec<u8>) {
        if to.len() > MOST_BYTES {
            return;
        }
        match self.types.get(ty) {
            CType::Record(id) if self.types.record(*id).is_union => {}
            CType::Record(id) => {
                for member in &self.types.record(*id).members {
                    let size = self.types.size(member.ty).unwrap_or(0);
                    let place = member.offset as usize..(member.offset + size) as usize;
                    if let (None, Some(part)) = (member.bits, bytes.get(place)) {
                        self.value(member.ty, part, from.map(|from| from + member.offset), to);
                    }
                }
            }
            CType::Array { of, .. } => {
                let size = self.types.size(*of).unwrap_or(0).max(1);
                for (k, part) in bytes.chunks_exact(size as usize).enumerate() {
                    self.value(*of, part, from.map(|from| from + k as u64 * size), to);
                }
            }
            _ if !self.is_set(from, bytes.len()) => to.push(UNINITIALISED),
            CType::Pointer { to: pointee, .. } => self.pointer(*pointee, bytes, to),
            CType::Float { size, .. } if *size > 8 => to.extend(bytes.iter().take(10)),
            _ => to.extend(bytes),
        }
    }

    fn is_set(&self, from: Option<u64>, size: usize) -> bool {
        from.is_none_or(|address| self.machine.is_initialised(Range { address, size: size as u64 }))
    }

    /// Describes plain data behind a pointer.
    fn pointer(&self, pointee: TypeId, bytes: &[u8], to: &mut Vec<u8>) {
        let address = <[u8; 8]>::try_from(bytes).map_or(0, u64::from_le_bytes);
        to.push(if address == 0 { NOTHING } else { SOMETHING });
        let size = self.types.size(pointee).filter(|size| *size > 0 && self.is_plain(pointee));
        let Some(size) = size else { return };
        let block = self.machine.block_at(address).filter(|block| block.is_live);
        let n = block.map_or(1, |block| (block.range.address + block.range.size - address) / size);
        let is_text = matches!(self.types.get(pointee), CType::Char);
        let mut element = vec![0; size as usize];
        for k in 0..n.min(MOST_ELEMENTS) {
            let at = address + k * size;
            if !self.machine.is_live(Range { address: at, size }) || !self.machine.read(at, &mut element) {
                return;
            }
            self.value(pointee, &element, Some(at), to);
            if is_text && element == [0] {
                return;
            }
        }
    }

    /// Whether values of a type hold no pointers.
    fn is_plain(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            CType::Bool | CType::Char | CType::Integer { .. } | CType::Enum(_) | CType::Float { .. } => true,
            CType::Array { of, .. } => self.is_plain(*of),
            CType::Record(id) => self.types.record(*id).members.iter().all(|member| self.is_plain(member.ty)),
            _ => false,
        }
    }
}
