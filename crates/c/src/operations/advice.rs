//! Suggests what to do about a failure that may be the caller's fault: a contract to paste, or an option.
//!
//! A function without a contract is called with every value of its types, so users first need to know how to
//! say which values are meant. This module adds hints to a failure and never decides a verdict.

use super::exclusions::NumberFilter;
use super::log::{Call, Log};
use super::targets::Target;
use super::{Calls, Sequence, failures};
use crate::ctypes::CType;
use crate::finding::{Doubt, Hint};
use crate::machine::{BlockId, ByteState, Violation};
use stairway::report::{Failure, FailureKind, Reach};

impl Calls {
    /// Adds to a failure what the user may do about it.
    pub(super) fn advise(&self, op: usize, sequence: &Sequence, failure: &mut Failure) {
        let (target, _, wishes) = &self.targets[op];
        if let Some(doubted) = &sequence.doubted {
            failures::hint(failure, Hint::Doubtful(doubted.clone()));
            // A number of elements in a contract would only move the end by one.
            if doubted.doubt == Doubt::Unended && doubted.function == target.name {
                return;
            }
        }
        let violation = self.judge.observed().violation.clone();
        let what = violation.as_ref().and_then(what_of);
        if target.contract.is_some() {
            if let Some(ByteState::Global { name: Some(global) }) = what {
                let is_deeper = self.judge.observed().is_deeper;
                failures::hint(failure, self.accessing(target, global, is_deeper));
            }
            return;
        }
        if !self.is_blamed(op) {
            return;
        }
        let telling = violation.as_ref().map_or(NumberFilter::Set, NumberFilter::of);
        let function = target.name.to_string();
        let clauses = self.excluding(target, &sequence.buffer, what, telling);
        let freed = clauses.is_none().then(|| freed_block(violation.as_ref()?)).flatten();
        let is_directly = matches!(failure.kind, FailureKind::Call { reach: Reach::Directly, .. });
        if let Some(clauses) = clauses {
            failures::hint(failure, Hint::Exclude { function, step: None, clauses });
        } else if let Some(hint) = freed.and_then(|block| self.freed_earlier(block, sequence)) {
            failures::hint(failure, hint);
        } else if let Some(Violation::Assert { text, .. }) = &violation
            && let Some(guard) = is_directly.then(|| self.guard(target, text)).flatten()
        {
            failures::hint(failure, Hint::Guard { function, guard });
        } else if let Some((earlier, step, clauses)) = self.excluding_earlier(sequence) {
            failures::hint(
                failure,
                Hint::Exclude { function: earlier.to_string(), step: Some(step), clauses },
            );
        } else if !is_hang(violation.as_ref())
            && let Some(clauses) = self.excluding_zero(target, &sequence.buffer)
        {
            failures::hint(failure, Hint::Exclude { function, step: None, clauses });
        }
        let is_set_up =
            |wish: &super::ParameterHints| wish.fresh == super::FreshMemory::Zeroed && wish.object.is_some();
        let is_object = wishes.iter().any(is_set_up);
        failures::hint(failure, Hint::SetUp { is_object });
    }

    /// Adds to a failure by memory that nobody has set what the user may do about it.
    pub(super) fn advise_setting(&self, call: &Call, log: &Log, sequence: &Sequence, failure: &mut Failure) {
        let target = &self.targets[call.op].0;
        if let Some(doubted) = &sequence.doubted {
            failures::hint(failure, Hint::Doubtful(doubted.clone()));
        }
        if target.contract.is_some() {
            return;
        }
        let types = &self.project.program.types;
        let unset = self.unset_parameter(call, log).filter(|k| !target.names[*k].is_empty());
        if let Some(k) = unset
            && let CType::Pointer { to, .. } = types.get(target.parameters[k])
        {
            // Nobody knows how large that is; its first byte has to be set in any case.
            let is_void = matches!(types.get(*to), CType::Void);
            let pointee = if is_void { "char".to_string() } else { types.name(*to) };
            let (function, parameter) = (target.name.to_string(), target.names[k].to_string());
            failures::hint(failure, Hint::SetFirst { function, parameter, pointee });
        }
        failures::hint(failure, Hint::SetUp { is_object: false });
    }

    /// What to do where an earlier call has freed what is used now.
    fn freed_earlier(&self, block: BlockId, sequence: &Sequence) -> Option<Hint> {
        let (op, step) = *sequence.freed.get(&block.0)?;
        let target = &self.targets[op].0;
        target.contract.is_none().then(|| Hint::FreedBy { function: target.name.to_string(), step })
    }

    /// The beginning of a contract with which a function may use a variable.
    fn accessing(&self, target: &Target, global: &str, is_deeper: bool) -> Hint {
        if is_deeper {
            return Hint::Accesses { global: global.to_string(), user: None };
        }
        let project = &self.project;
        let contract = target.contract.map(|k| &project.specs.contracts[k]);
        let known = contract.into_iter().flat_map(|contract| &contract.accesses);
        let mut names: Vec<String> =
            known.map(|access| project.described.globals[access.global.0 as usize].name.clone()).collect();
        names.push(global.to_string());
        Hint::Accesses { global: global.to_string(), user: Some((target.name.to_string(), names)) }
    }
}

const fn is_hang(violation: Option<&Violation>) -> bool {
    matches!(violation, Some(violation) if violation.is_hang())
}

/// The block that was used although it was freed.
fn freed_block(violation: &Violation) -> Option<BlockId> {
    match violation {
        Violation::Access { what, .. } | Violation::Signal { what, .. } | Violation::BadFree { what, .. } => {
            match what {
                ByteState::Freed { block, .. } | ByteState::RedZone { block, is_freed: true, .. } => {
                    Some(*block)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The memory that a violation is about.
fn what_of(violation: &Violation) -> Option<&ByteState> {
    match violation {
        Violation::Access { what, .. } | Violation::Signal { what, .. } => Some(what),
        _ => None,
    }
}
