//! What is checked at the start of a program and after each of its steps: invariants, the abstraction, coverage.
//!
//! Receives a program on its way whose answers are right so far. What the methods are and which comes next is for
//! `methods` to say.

use super::ModelBuilder;
use crate::panics::{self, Blame};
use crate::program::running::{Running, Side};
use crate::reproducer_program::PARTED_AT_THE_START;
use stairway_engine::{Case, Checked, Failure, Step, Stop};
use std::sync::Arc;

impl<M, S> ModelBuilder<M, S> {
    /// The first invariant that does not hold.
    fn violated(&self, model: &M, system: &S) -> Option<&'static str> {
        let mut seen = self.invariants.iter().filter(|(_, sees_system, _)| self.has_system || !sees_system);
        seen.find(|(_, _, holds)| !holds(model, system)).map(|(name, ..)| *name)
    }

    fn observe(&self, model: &M, system: &S, case: &mut Case<'_>) {
        for (name, percent, holds) in &self.covers {
            case.cover(*percent, holds(model, system), *name);
        }
    }

    /// The beginning of a program, with a second side if there is to be one.
    pub(in crate::program) fn begin(&self, case: &mut Case<'_>, twice: bool) -> Checked<Running<M, S>> {
        panics::blame(Blame::Start);
        let (left, right) = (self.start)(case, twice)?;
        panics::blame(Blame::Specification);
        let has_system = self.has_system;
        let running = Running {
            left: Side::new(left, has_system),
            right: right.map(|side| Box::new(Side::new(side, has_system))),
            has_system,
            is_lone: has_system && !twice,
            abstraction: self.abstraction.as_ref().map(|abstraction| Arc::clone(&abstraction.of)),
        };
        if self.is_plain {
            return Ok(running);
        }
        let Side { models, system, .. } = &running.left;
        if let Some(name) = self.violated(&models[0], system) {
            let message = format!("the invariant `{name}` does not hold at the start");
            return Err(Stop::fail(Failure::of(format!("invariant {name} at the start"), message)));
        }
        if let Some(seen) = self.seen(system)?
            && !(self.agrees(&seen, &models[0]))
        {
            let message = self.parted("at the start", &seen, &models[0]);
            return Err(Stop::fail(Failure::of(PARTED_AT_THE_START, message)));
        }
        self.observe(&models[0], system, case);
        Ok(running)
    }

    /// Ends a step: invariants, the abstraction, coverage, what is shown of the state.
    #[inline]
    pub(in crate::program) fn settle(
        &self,
        op: usize,
        running: &mut Running<M, S>,
        step: &mut Step<'_, '_>,
    ) -> Checked {
        if self.is_plain && !step.is_shown() {
            return Ok(());
        }
        self.settle_fully(self.names[op], running, step)
    }

    fn settle_fully(&self, op: &str, running: &mut Running<M, S>, step: &mut Step<'_, '_>) -> Checked {
        if step.is_shown() {
            self.show(running, step);
        }
        let Side { models, system, .. } = &mut running.left;
        let system = &*system;
        if running.right.is_none() {
            if let Some(name) = models.iter().find_map(|model| self.violated(model, system)) {
                models.retain(|model| self.violated(model, system).is_none());
                if models.is_empty() {
                    let sees_system = self.invariants.iter().any(|(other, sees, _)| *other == name && *sees);
                    let system = if sees_system { "&system" } else { "" };
                    show_claim(step, || format!("model.{name}({system})"));
                    let message = format!("the invariant `{name}` does not hold after `{op}`");
                    return Err(Stop::fail(Failure::of(format!("invariant {name}"), message)));
                }
            }
            if let Some(seen) = self.seen(system)?
                && !models.iter().all(|model| self.agrees(&seen, model))
            {
                let message = self.parted(&format!("after `{op}`"), &seen, &models[0]);
                models.retain(|model| self.agrees(&seen, model));
                if models.is_empty() {
                    if let Some(source) = &self.source {
                        show_claim(step, || format!("{}::{}(&system) == model", source.model, source.of));
                    }
                    return Err(Stop::fail(Failure::of(format!("{op} does not commute"), message)));
                }
            }
            self.observe(&models[0], system, step.case());
        }
        Ok(())
    }

    /// Keeps both states for showing.
    #[cold]
    pub(super) fn show(&self, running: &Running<M, S>, step: &mut Step<'_, '_>) {
        let Side { models, system, .. } = &running.left;
        if let Some(model) = models.first() {
            step.show_state(|| (self.traits.show_model)(model));
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
            let message = "the abstraction changes the system it looks at: it must leave it as it was";
            return Err(Stop::fail(Failure::of(
                "the specification: abstraction disturbs",
                message.to_string(),
            )));
        }
        if !(abstraction.is_same)(&first, &second) {
            let show = self.traits.show_model;
            let message = format!(
                "the abstraction gives two models for one system: first {}, then {}",
                show(&first),
                show(&second)
            );
            return Err(Stop::fail(Failure::of("the specification: abstraction differs", message)));
        }
        Ok(Some(first))
    }

    /// As much as is known of a system's state.
    fn state_of(&self, system: &S) -> (Option<u128>, String) {
        match self.traits.fingerprint {
            Some(fingerprint) => (Some(fingerprint(system)), String::new()),
            None => (None, (self.traits.show_system)(system)),
        }
    }

    fn agrees(&self, seen: &M, model: &M) -> bool {
        self.abstraction.as_ref().is_none_or(|abstraction| (abstraction.is_same)(seen, model))
    }

    fn parted(&self, when: &str, seen: &M, model: &M) -> String {
        let show = self.traits.show_model;
        format!("{when} the system stands for {}, but the model is {}", show(seen), show(model))
    }
}

/// Keeps what does not hold after a step.
fn show_claim(step: &mut Step<'_, '_>, claim: impl FnOnce() -> String) {
    if let Some(code) = step.code() {
        code.claim = claim();
    }
}
