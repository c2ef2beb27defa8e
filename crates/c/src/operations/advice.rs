//! Suggests what to do about a failure that may be the caller's fault: a contract to paste, or an option.
//!
//! A function without a contract is called with every value of its types, so users first need to know how to
//! say which values are meant. This module adds lines to a failure and never decides a verdict.

use super::exclusions::Telling;
use super::log::{Call, Log};
use super::targets::Target;
use super::{Calls, Sequence, words};
use crate::ctypes::CType;
use crate::machine::{BlockId, Violation, What};
use stairway::report::{Failure, FailureKind, Reach};

/// What to do where something has to happen before a call.
const SETUP: &str =
    "help: if something has to be called first, name it with --init; --only and --skip choose what is called";
const SETUP_OF_OBJECT: &str = "help: if its object has to be set up first, write a function that returns one, or name the one that \
                               sets it up with --init; --only and --skip choose what is called";

impl Calls {
    /// Adds to a failure what the user may do about it.
    pub(super) fn advise(&self, op: usize, sequence: &Sequence, failure: &mut Failure) {
        let (target, _, wishes) = &self.targets[op];
        if let Some(doubted) = &sequence.doubted {
            words::hint(failure, &doubted.help());
        }
        let violation = self.judge.observed().violation.clone();
        let what = violation.as_ref().and_then(what_of);
        if target.contract.is_some() {
            if let Some(What::Global { name: Some(global) }) = what {
                let is_deeper = self.judge.observed().is_deeper;
                words::hint(failure, &self.accessing(target, global, is_deeper));
            }
            return;
        }
        if !self.is_blamed(op) {
            return;
        }
        let name = target.name;
        let telling = violation.as_ref().map_or(Telling::Set, Telling::of);
        let clause = self.excluding(target, &sequence.buffer, what, telling);
        let freed = clause.is_none().then(|| freed_block(violation.as_ref()?)).flatten();
        let is_directly = matches!(failure.kind, FailureKind::Call { reach: Reach::Directly, .. });
        if let Some(clause) = clause {
            words::hint(failure, &no_contract(name, &clause));
        } else if let Some(help) = freed.and_then(|block| self.freed_earlier(block, sequence)) {
            words::hint(failure, &help);
        } else if let Some(Violation::Assert { text, .. }) = &violation
            && let Some(guard) = is_directly.then(|| self.guard(target, text)).flatten()
        {
            words::hint(
                failure,
                &format!(
                    "help: if callers have to see to that, leave `{name}` out with --skip {name}, and call it in a function of \
                     your own:\n    {guard}"
                ),
            );
        } else if let Some((earlier, step, clause)) = self.excluding_earlier(sequence) {
            words::hint(
                failure,
                &format!(
                    "help: `{earlier}` has no contract, so it is passed every argument of its types\nhelp: if call {step} is not \
                     allowed, say so before its body:\n    /*@ requires {clause} @*/"
                ),
            );
        } else if !is_hang(violation.as_ref())
            && let Some(clause) = self.excluding_zero(target, &sequence.buffer)
        {
            words::hint(failure, &no_contract(name, &clause));
        }
        let is_set_up =
            |wish: &super::Wish| wish.fresh == super::FreshMemory::Zeroed && wish.object.is_some();
        let is_object = wishes.iter().any(is_set_up);
        words::hint(failure, if is_object { SETUP_OF_OBJECT } else { SETUP });
    }

    /// Adds to a failure by memory that nobody has set what the user may do about it.
    pub(super) fn advise_setting(&self, call: &Call, log: &Log, sequence: &Sequence, failure: &mut Failure) {
        let target = &self.targets[call.op].0;
        if let Some(doubted) = &sequence.doubted {
            words::hint(failure, &doubted.help());
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
            let of = if matches!(types.get(*to), CType::Void) { "char".to_string() } else { types.name(*to) };
            let (name, parameter) = (target.name, target.names[k]);
            words::hint(
                failure,
                &format!(
                    "help: `{name}` has no contract, so it is passed memory that nobody has set\nhelp: if callers have to set \
                     what `{parameter}` points to, say so before its body:\n    /*@ requires take Set = RW<{of}>({parameter}); @*/"
                ),
            );
        }
        words::hint(failure, SETUP);
    }

    /// What to do where an earlier call has freed what is used now.
    fn freed_earlier(&self, block: BlockId, sequence: &Sequence) -> Option<String> {
        let (op, step) = *sequence.freed.get(&block.0)?;
        let target = &self.targets[op].0;
        let name = target.name;
        target.contract.is_none().then(|| {
            format!(
                "help: `{name}` (call {step}) has freed it, and nobody says that it was still needed\nhelp: if callers may not do \
                 that, leave `{name}` out with --skip {name}, or say what it takes in a contract"
            )
        })
    }

    /// The beginning of a contract with which a function may use a variable.
    fn accessing(&self, target: &Target, global: &str, is_deeper: bool) -> String {
        if is_deeper {
            return format!(
                "help: if it may be used there, the contract of the function that uses it begins with\n    /*@ accesses {global};"
            );
        }
        let project = &self.project;
        let contract = target.contract.map(|k| &project.specs.contracts[k]);
        let known = contract.into_iter().flat_map(|contract| &contract.accesses);
        let mut names: Vec<&str> =
            known.map(|access| &*project.described.globals[access.global.0 as usize].name).collect();
        names.push(global);
        format!(
            "help: if `{}` may use `{global}`, its contract begins with\n    /*@ accesses {};",
            target.name,
            names.join(", ")
        )
    }
}

/// A contract that excludes a call, and why it is needed.
fn no_contract(name: &str, clause: &str) -> String {
    format!(
        "help: `{name}` has no contract, so it is passed every argument of its types\nhelp: if this call is not allowed, say so \
         before its body:\n    /*@ requires {clause} @*/"
    )
}

const fn is_hang(violation: Option<&Violation>) -> bool {
    matches!(violation, Some(violation) if violation.is_hang())
}

/// The block that was used although it was freed.
fn freed_block(violation: &Violation) -> Option<BlockId> {
    match violation {
        Violation::Access { what, .. } | Violation::Signal { what, .. } | Violation::BadFree { what, .. } => {
            match what {
                What::Freed { block, .. } | What::RedZone { block, is_freed: true, .. } => Some(*block),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The memory that a violation is about.
fn what_of(violation: &Violation) -> Option<&What> {
    match violation {
        Violation::Access { what, .. } | Violation::Signal { what, .. } => Some(what),
        _ => None,
    }
}
