//! Keeps what is shown of a sequence: answers, what the contract bound at entry, what the call changed.
//!
//! Nothing here runs for sequences that are not shown, and nothing decides a verdict.

use super::names::{AddressBase, NamedValue, Names};
use super::targets::Target;
use super::{Calls, Sequence, failures, views};
use crate::evaluate::ValueText;
use crate::finding::Finding;
use stairway::__private::StepSource;
use stairway::engine::Step;
use stairway::report::{CallFault, ContractClause, Failure, FailureKind};
use std::collections::BTreeMap;

/// What was shown of the sequence so far.
#[derive(Debug, Default)]
pub(super) struct ShownValues {
    /// The memory made for arguments.
    pub(super) made: Vec<NamedValue>,
    /// What was shown last of each thing.
    values: BTreeMap<String, ValueText>,
}

impl Calls {
    /// The variables of a sequence, as C has them.
    fn named(sequence: &Sequence) -> Vec<NamedValue> {
        let variables = sequence.variables.iter().map(|variable| NamedValue {
            text: variable.name(),
            ty: variable.ty,
            address: variable.address,
            is_pointee: false,
        });
        variables.chain(sequence.shown.made.iter().cloned()).collect()
    }

    fn names(&self, sequence: &Sequence) -> Names<'_> {
        Names::new(&self.machine, &self.project.program.types, &Calls::named(sequence))
    }

    /// A result as text. A pointer to something new is what its variable is for, so nothing is said of it.
    pub(super) fn answer(&self, target: &Target, sequence: &Sequence) -> String {
        let value = self.judge.show(target.returns, &sequence.result);
        let names = self.names(sequence);
        let is_new = value
            .as_address()
            .and_then(|address| names.name(address))
            .is_some_and(|name| matches!(name.base, AddressBase::Block(_)));
        if is_new { String::new() } else { value.named(&|address| names.text(address)) }
    }

    /// Keeps what the contract binds at entry.
    pub(super) fn show_entry(&self, target: &Target, sequence: &Sequence, step: &mut Step<'_, '_>) {
        let Some(contract) = target.contract else { return };
        let places = (0..target.prototype.n_parameters()).map(|k| target.prototype.place(k));
        let arguments: Vec<&[u8]> = places.map(|place| &sequence.buffer[place]).collect();
        let names = self.names(sequence);
        let mut evaluator = self.judge.evaluator();
        let Ok(entered) = evaluator.enter(contract, &arguments, &self.machine) else { return };
        let values = evaluator.entry_values(&entered);
        if let Some(source) = step.attached::<StepSource>() {
            source.entry = evaluator.entry_data(&entered);
        }
        evaluator.leave(entered);
        let is_bound =
            |name: &str| !self.project.specs.contracts[contract].parameters.iter().any(|p| p.name == name);
        let lines: Vec<String> = values
            .into_iter()
            .filter(|(name, _)| is_bound(name))
            .map(|(name, value)| format!("{name} = {}", value.named(&|address| names.text(address))))
            .collect();
        step.show_system(|| lines.join("\n"));
    }

    /// Keeps what a call has changed.
    pub(super) fn show_state(&self, sequence: &mut Sequence, step: &mut Step<'_, '_>) {
        let named = Calls::named(sequence);
        let names = Names::new(&self.machine, &self.project.program.types, &named);
        let name = |address| names.text(address);
        let mut evaluator = self.judge.evaluator();
        let looked = views::look(&self.project, &self.machine, &mut evaluator, &self.views, &named, &name);
        let changed = |(what, value): &&(String, ValueText)| sequence.shown.values.get(what) != Some(value);
        let lines =
            looked.iter().filter(changed).map(|(what, value)| format!("{what} = {}", value.named(&name)));
        let lines: Vec<String> = lines.collect();
        sequence.shown.values.extend(looked);
        step.show_state(|| lines.join("\n"));
    }

    /// Names the addresses in a failure, and keeps the answer of a call that returned.
    pub(super) fn show_failure(
        &self,
        target: &Target,
        sequence: &Sequence,
        step: &mut Step<'_, '_>,
        failure: &mut Failure,
    ) {
        let has_returned = matches!(
            &failure.kind,
            FailureKind::Call {
                fault: CallFault::Clause(ContractClause::Postcondition)
                    | CallFault::OwnershipAfter
                    | CallFault::Leak
                    | CallFault::Lost,
                function,
                ..
            } if function == target.name
        );
        if !sequence.result.is_empty() && has_returned {
            step.show_answer(|| self.answer(target, sequence));
        }
        let names = self.names(sequence);
        if let Some(finding) = Finding::of_mut(failure) {
            let at = |pc| failures::at(&self.project, pc);
            finding.name_all(|address| names.text(address), |block| names.block(block, at));
        }
    }
}
