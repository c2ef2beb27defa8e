//! What is checked at the start of a program and after each of its steps: invariants, the abstraction,
//! coverage.
//!
//! All answers of the program are right so far. What the methods are and which comes next is for `methods` to
//! say.

use super::{Invariant, ModelBuilder, fingerprint_of};
use crate::panics;
use crate::program::in_turn::Turn;
use crate::program::program_run::{ProgramRun, Side};
use crate::program::step_source::{self, Claim};
use stairway_engine::{
    Case, Checked, Failure, FailureKind, Moment, Party, Role, SpecificationFault, Step, StepOutcome, Stop,
};
use std::sync::Arc;

impl<M, S> ModelBuilder<M, S> {
    /// The first invariant that does not hold.
    fn violated(&self, model: &M, system: &S) -> Option<&Invariant<M, S>> {
        let mut seen = self.invariants.iter().filter(|invariant| self.has_system || !invariant.sees_system);
        seen.find(|invariant| !(invariant.holds)(model, system))
    }

    fn observe(&self, model: &M, system: &S, case: &mut Case<'_>) {
        for (name, percent, holds) in &self.covers {
            case.cover(*percent, holds(model, system), *name);
        }
    }

    /// The beginning of a program, with a second side if there is to be one.
    pub(in crate::program) fn begin(&self, case: &mut Case<'_>, twice: bool) -> Checked<ProgramRun<M, S>> {
        panics::blame(Party::Start);
        let (left, right) = (self.start)(case, twice)?;
        panics::blame(Party::Specification);
        let has_system = self.has_system;
        let running = ProgramRun {
            left: Side::new(left, has_system),
            right: right.map(|side| Box::new(Side::new(side, has_system))),
            has_system,
            is_lone: has_system && !twice,
            abstraction: self.abstraction.as_ref().map(|abstraction| Arc::clone(&abstraction.of)),
            turn: None,
        };
        if self.is_plain {
            return Ok(running);
        }
        let Side { models, system, .. } = &running.left;
        if let Some(violated) = self.violated(&models[0], system) {
            return Err(Stop::fail(violated.failure(Moment::Start, &models[0], system)));
        }
        if let Some(seen) = self.seen(system)?
            && !(self.agrees(&seen, &models[0]))
        {
            return Err(Stop::fail(self.apart(FailureKind::StartsApart, &seen, &models[0])));
        }
        self.observe(&models[0], system, case);
        Ok(running)
    }

    /// Begins a program as one of two that run one after the other.
    pub(in crate::program) fn begin_in_turn(
        &self,
        case: &mut Case<'_>,
        turn: Turn,
    ) -> Checked<ProgramRun<M, S>> {
        let running = self.begin(case, false)?;
        Ok(ProgramRun { is_lone: false, turn: Some(turn), ..running })
    }

    /// Takes in what became of a step, and shows both states where it failed.
    #[inline(never)]
    pub(super) fn take_in(
        &self,
        op: usize,
        stepped: &mut Checked<StepOutcome>,
        running: &mut ProgramRun<M, S>,
        step: &mut Step<'_, '_>,
    ) {
        if let Ok(StepOutcome::Done) = stepped {
            *stepped = self.settle(op, running, step).map(|()| StepOutcome::Done);
        }
        if stepped.is_err() {
            self.show(running, step);
        }
    }

    /// Ends a step: invariants, the abstraction, coverage, what is shown of the state.
    #[inline]
    pub(in crate::program) fn settle(
        &self,
        op: usize,
        running: &mut ProgramRun<M, S>,
        step: &mut Step<'_, '_>,
    ) -> Checked {
        if self.is_plain && !step.is_shown() {
            return Ok(());
        }
        self.settle_fully(self.names[op], running, step)
    }

    fn settle_fully(
        &self,
        op: &'static str,
        running: &mut ProgramRun<M, S>,
        step: &mut Step<'_, '_>,
    ) -> Checked {
        if step.is_shown() {
            self.show(running, step);
        }
        let is_law = running.is_law();
        let Side { models, system, .. } = &mut running.left;
        let system = &*system;
        if !is_law {
            let broken = models.iter().find_map(|model| Some((self.violated(model, system)?, model)));
            if let Some((violated, model)) = broken {
                let failure = violated.failure(Moment::Step, model, system);
                models.retain(|model| self.violated(model, system).is_none());
                if models.is_empty() {
                    show_claim(step, || violated.claim());
                    return Err(Stop::fail(failure.with(Role::Operation, op)));
                }
            }
            if let Some(seen) = self.seen(system)?
                && !models.iter().all(|model| self.agrees(&seen, model))
            {
                let failure =
                    self.apart(FailureKind::Commutation { operation: op.into() }, &seen, &models[0]);
                models.retain(|model| self.agrees(&seen, model));
                if models.is_empty() {
                    if let Some(source) = &self.source {
                        show_claim(step, || format!("{}::{}(&system) == model", source.model, source.of));
                    }
                    return Err(Stop::fail(failure));
                }
            }
            self.observe(&models[0], system, step.case());
        }
        if self.names_states && step.case().wants_features() {
            self.name_state(running, step.case());
        }
        Ok(())
    }

    /// Names the states as features: the model by its hash, or by how it is shown, and the system by its fingerprint.
    fn name_state(&self, running: &ProgramRun<M, S>, case: &mut Case<'_>) {
        let Side { models, system, .. } = &running.left;
        let of_model = |model: &M| match self.traits.hash_model {
            Some(hash) => Some(hash(model)),
            None => (self.traits.show_model)(model).map(|text| fingerprint_of(&text)),
        };
        if let Some(state) = models.first().and_then(of_model) {
            case.feature(state as u64);
        }
        if let Some(fingerprint) = self.traits.fingerprint.filter(|_| self.has_system) {
            case.feature(!(fingerprint(system) as u64));
        }
    }

    /// Keeps both states for showing.
    #[cold]
    pub(super) fn show(&self, running: &ProgramRun<M, S>, step: &mut Step<'_, '_>) {
        let Side { models, system, .. } = &running.left;
        if let Some(model) = models.first() {
            step.show_state(|| (self.traits.show_model)(model).unwrap_or_default());
        }
        if self.has_system {
            step.show_system(|| (self.traits.show_system)(system));
        }
    }

    /// What the abstraction sees in the system, if there is one and it can be trusted.
    fn seen(&self, system: &S) -> Checked<Option<M>> {
        let Some(abstraction) = self.abstraction.as_ref().filter(|_| self.has_system) else {
            return Ok(None);
        };
        let before = self.state_of(system);
        let (first, second) = ((abstraction.of)(system), (abstraction.of)(system));
        if before != self.state_of(system) {
            let kind = FailureKind::Specification(SpecificationFault::AbstractionDisturbs);
            return Err(Stop::fail(Failure::new(kind)));
        }
        if !(abstraction.is_same)(&first, &second) {
            let failure = Failure::new(FailureKind::Specification(SpecificationFault::AbstractionDiffers));
            let (left, right) = (self.text_of(&first), self.text_of(&second));
            return Err(Stop::fail(failure.with(Role::Left, left).with(Role::Right, right)));
        }
        Ok(Some(first))
    }

    /// As much as is known of a system's state.
    fn state_of(&self, system: &S) -> (Option<u128>, String) {
        match self.traits.fingerprint {
            Some(fingerprint) => (Some(fingerprint(system)), String::new()),
            None => (None, panics::showing(|| (self.traits.show_system)(system))),
        }
    }

    fn agrees(&self, seen: &M, model: &M) -> bool {
        self.abstraction.as_ref().is_none_or(|abstraction| (abstraction.is_same)(seen, model))
    }

    fn apart(&self, kind: FailureKind, seen: &M, model: &M) -> Failure {
        Failure::new(kind).with(Role::System, self.text_of(seen)).with(Role::Model, self.text_of(model))
    }

    /// A model among the operands of a failure: by its type, if it has no text.
    fn text_of(&self, model: &M) -> String {
        (self.traits.show_model)(model).unwrap_or_else(|| format!("<{}>", std::any::type_name::<M>()))
    }
}

impl<M, S> Invariant<M, S> {
    /// What a printed test states.
    pub(super) fn claim(&self) -> String {
        let system = if self.sees_system { "&system" } else { "" };
        self.returns.claim(&format!("model.{}({system})", self.name))
    }

    fn failure(&self, moment: Moment, model: &M, system: &S) -> Failure {
        let failure = Failure::new(FailureKind::Invariant { name: self.name.into(), moment });
        let parts = (self.parts)(model, system).into_iter();
        parts.fold(failure, |failure, (name, value)| failure.with_named(Role::Part, name, value))
    }
}

/// Keeps what does not hold after a step.
fn show_claim(step: &mut Step<'_, '_>, claim: impl FnOnce() -> String) {
    if let Some(code) = step_source::of_running(step) {
        code.claim = Claim::new(claim());
    }
}
