//! Properties as the engine's operations.
//!
//! The engine asks what is possible and does one step after the other on the test at hand. A test is a
//! program of normal properties that ends with one cleanup property of each set. Which steps there are, how
//! they are drawn and how they are made fewer is the engine's business.

use crate::abi::{Body, CRASH, FAIL, HANG, OK, REFUSE, Verdict};
use crate::frames;
use crate::generators::{LAST_VERDICT, sw_draw};
use crate::live::{Kind, Live, Sink, Site};
use crate::print::sw_put_value;
use crate::result_codes;
use crate::spec::{arguments, pointee, slice, text};
use core::cell::Cell;
use core::fmt::Write;
use core::ptr;
use stairway_engine::{Case, Checked, Ending, Fault, Halt, Operations, Step, StepOutcome, Stop};

/// The properties of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Properties<'r> {
    pub(crate) live: &'r Live,
    pub(crate) names: &'static [&'static str],
}

/// How far a test has come.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    phase: Cell<Phase>,
    n_done: u64,
    /// Properties done because cleanup was not possible yet.
    n_more: u64,
    /// Whether the cleanup of the set at hand was done.
    is_clean: bool,
    /// Whether the test ended because no normal property was eligible.
    is_cut_short: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Normal properties.
    Normal,
    /// Cleanup of this set.
    Cleanup(usize),
    /// Nothing is possible.
    Stuck,
    /// Cleanup never became possible.
    Endless,
}

/// How many cleanup properties are tried at the end of a test, some of which may refuse.
const MAX_CLEANUPS: u64 = 256;

/// Ends the test because of a mistake in what was given.
fn wrong_input() -> Stop {
    Stop::halt(Halt::Fault(Fault::NoAlternative))
}

impl Properties<'_> {
    /// Asks all preconditions, once for each state.
    fn look(&self) {
        let live = self.live;
        if live.is_eligible_known.replace(true) {
            return;
        }
        for (op, operation) in live.operations.iter().enumerate() {
            live.set.set(operation.set);
            let is_eligible = live.results.suffice_for(operation.property)
                && match operation.property.precondition {
                    // SAFETY: the header asks for a function that takes this.
                    Some(precondition) => unsafe { precondition(live.handle()) },
                    None => true,
                };
            live.eligible[op].set(is_eligible);
        }
    }

    fn any_eligible(&self, wanted: impl Fn(&crate::live::Operation) -> bool) -> bool {
        self.look();
        let all = self.live.operations.iter().zip(&self.live.eligible);
        all.into_iter().any(|(operation, eligible)| eligible.get() && wanted(operation))
    }

    /// Whether each set from `first` on can be cleaned up now.
    fn can_clean_up(&self, first: usize) -> bool {
        (first..self.live.spec.sets.len())
            .all(|set| self.any_eligible(|operation| operation.is_cleanup && operation.set == set))
    }

    /// Makes the arguments of the operation at hand; false if there are none in this state.
    fn make(&self, op: usize) -> bool {
        for (index, argument) in arguments(self.live.operations[op].property).enumerate() {
            let Some((place, _)) = self.live.argument(index) else { return false };
            // SAFETY: the place has room for a value of this generator.
            if unsafe { sw_draw(self.live.handle(), argument.generator, place) } != OK {
                return false;
            }
        }
        true
    }

    /// Calls a body, through the guard where there is one.
    fn call(&self, body: Body) -> Verdict {
        let (settings, t) = (self.live.spec.settings, self.live.handle());
        let verdict = match settings.guard {
            // SAFETY: the header asks for a function that takes this.
            Some(guard) => unsafe { guard(settings.user, t, body) },
            // SAFETY: as above.
            None => unsafe { body(t) },
        };
        self.live.inside.clear();
        verdict
    }

    /// The arguments as text, or each as a frame of this kind.
    fn show_arguments(&self, op: usize, kind: &str) {
        let mut out = self.live;
        for (index, argument) in arguments(self.live.operations[op].property).enumerate() {
            let Some((place, _)) = self.live.argument(index) else { return };
            if let Some(frame) = out.frame(kind) {
                frame.text(text(argument.name)).open_text();
            } else {
                let _ = write!(out, "{}{} = ", if index == 0 { "" } else { ", " }, text(argument.name));
            }
            // SAFETY: there is a value of this generator.
            unsafe { sw_put_value(self.live.handle(), argument.generator, place) };
            frames::end_text(out.spec.settings);
        }
    }

    fn show_step(&self, op: usize) {
        let mut out = self.live;
        let operation = &self.live.operations[op];
        if out.is_framed() {
            return self.show_arguments(op, "argument");
        }
        let _ = match self.live.spec.sets {
            [_] => write!(out, "  {}(", text(operation.property.name)),
            sets => write!(out, "  {}: {}(", text(sets[operation.set].name), text(operation.property.name)),
        };
        self.show_arguments(op, "");
        let _ = writeln!(out, ")");
    }

    /// Does a property whose arguments are made, and shows it where that is wanted.
    fn act(&self, op: usize) -> Checked<StepOutcome> {
        let mut out = self.live;
        out.n_steps.set(out.n_steps.get() + 1);
        let body = || out.operations[op].property.body.map_or(OK, |body| self.call(body));
        if !out.is_shown() {
            return self.judge(op, body());
        }
        let before = out.hash_of_arguments();
        self.show_step(op);
        let verdict = body();
        if out.hash_of_arguments() != before {
            if out.is_framed() {
                self.show_arguments(op, "changed");
            } else {
                let _ = write!(out, "      changed by the body: ");
                self.show_arguments(op, "");
                let _ = writeln!(out);
            }
        }
        let stepped = self.judge(op, verdict);
        if matches!(stepped, Ok(StepOutcome::Refused)) {
            out.remark("note", format_args!("refused"));
        } else if let Some((name, number)) = out.results.given_by(out.step.get()) {
            out.remark("note", format_args!("gives {name} {number}"));
        }
        self.show_state(out.operations[op].set);
        stepped
    }

    /// What follows a body: its verdict, and whether it holds.
    fn judge(&self, op: usize, verdict: Verdict) -> Checked<StepOutcome> {
        let live = self.live;
        if !(OK..=LAST_VERDICT).contains(&verdict) {
            live.is_wrong(result_codes::VERDICT, "a body gave something that is no verdict");
        }
        if live.wrong.get().is_some() {
            return Err(wrong_input());
        }
        let kind = match verdict {
            HANG => Some(Kind::Hang),
            CRASH if live.has_crashed() => None,
            CRASH => Some(Kind::Crash),
            FAIL if live.failed_at.get().is_none() => Some(Kind::Unsaid),
            _ => None,
        };
        if let Some(kind) = kind {
            live.failed_at.set(None);
            live.fails(Site::of(kind, Some(op)));
        }
        match live.failed_at.get() {
            Some(at) => Err(Stop::site(at as u64)),
            None if verdict == REFUSE => Ok(StepOutcome::Refused),
            None => Ok(StepOutcome::Done),
        }
    }

    /// Takes the user's statistics after a success.
    fn measure(&self, op: usize) {
        let operation = &self.live.operations[op];
        let statistics = operation.property.statistics.iter().map_while(|pointer| pointee(*pointer));
        for (k, statistic) in statistics.enumerate() {
            let (Some(measure), mut value) = (statistic.measure, 0) else { continue };
            // SAFETY: the header asks for a function that takes this.
            if unsafe { measure(self.live.handle(), &raw mut value) } {
                self.live.measures.borrow_mut()[operation.first_statistic + k].add(value);
            }
        }
    }

    /// Looks which demands are met now.
    fn look_at_demands(&self) {
        let mut at = 0;
        for (index, set) in self.live.spec.sets.iter().enumerate() {
            self.live.set.set(index);
            for demand in slice(set.demands, set.n_demands) {
                if let (Some(holds), false) = (demand.holds, self.live.hits[at].get()) {
                    // SAFETY: the header asks for a function that takes this.
                    self.live.hits[at].set(unsafe { holds(self.live.handle()) });
                }
                at += 1;
            }
        }
    }

    /// Notes which state all sets together are in.
    fn visit(&self, op: Option<usize>) {
        if cfg!(feature = "statistics") && self.live.spec.limits.n_states > 0 {
            let state = self.state_of_all();
            self.live.assurance.borrow_mut().visit(state, op);
        }
    }

    /// The fingerprints of all sets in one number.
    fn state_of_all(&self) -> u64 {
        let before = self.live.set.get();
        let mut all = 0u64;
        for (index, set) in self.live.spec.sets.iter().enumerate() {
            self.live.set.set(index);
            if let Some(fingerprint) = set.fingerprint {
                // SAFETY: the header asks for a function that takes this.
                let one = unsafe { fingerprint(self.live.handle()) };
                all = all.rotate_left(23).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ one;
            }
        }
        self.live.set.set(before);
        all
    }

    fn show_state(&self, set: usize) {
        let mut out = self.live;
        if let Some(show) = self.live.spec.sets[set].show {
            self.live.set.set(set);
            match out.frame("state") {
                Some(frame) => frame.open_text(),
                None => {
                    let _ = write!(out, "      ");
                }
            }
            // SAFETY: the header asks for a function that takes this.
            unsafe { show(self.live.handle()) };
            let _ = writeln!(out);
        }
    }

    /// What is looked at after a property that holds.
    fn after(&self, op: usize) {
        // Arguments can still be looked at; nothing more is drawn.
        self.live.choices.set(ptr::null_mut());
        if !self.live.has_failed.get() && cfg!(feature = "statistics") {
            self.measure(op);
        }
        self.look_at_demands();
        self.visit(Some(op));
        self.live.set.set(self.live.operations[op].set);
    }

    fn fail(&self, kind: Kind) -> Stop {
        self.live.failed_at.set(None);
        self.live.fails(Site::of(kind, None));
        Stop::site(self.live.failed_at.get().unwrap_or(0) as u64)
    }
}

impl Operations for Properties<'_> {
    type State = Progress;
    const MAY_BE_MANY: bool = crate::abi::MAX_PROPERTIES > stairway_engine::MAX_OPERATIONS;

    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn start(&self, _case: &mut Case<'_>) -> Checked<Progress> {
        let live = self.live;
        if live.has_failed.get() {
            live.wrong.set(None);
        }
        live.leave();
        live.inside.clear();
        live.results.clear();
        live.n_steps.set(0);
        if live.has_failed.get() {
            live.n_runs.set(live.n_runs.get() + 1);
            frames::progress(live, "shrinking", live.n_runs.get());
        }
        if live.sink.get() == Sink::Trace {
            live.clear_trace();
        }
        for hit in &live.hits {
            hit.set(false);
        }
        for (index, set) in live.spec.sets.iter().enumerate() {
            live.set.set(index);
            // SAFETY: the header asks for a function that takes this.
            let is_reset = set.reset.is_none_or(|reset| unsafe { reset(live.handle()) });
            if !is_reset {
                live.is_wrong(
                    result_codes::RESET,
                    "`reset` could not bring the system back to its beginning",
                );
            }
        }
        if cfg!(feature = "statistics") {
            live.assurance.borrow_mut().begin();
        }
        self.visit(None);
        if live.wrong.get().is_some() {
            return Err(wrong_input());
        }
        Ok(Progress {
            phase: Cell::new(Phase::Normal),
            n_done: 0,
            n_more: 0,
            is_clean: false,
            is_cut_short: false,
        })
    }

    fn weight(&self, op: usize, state: &Progress) -> u32 {
        self.look();
        let operation = &self.live.operations[op];
        let is_meant = match state.phase.get() {
            Phase::Cleanup(set) => operation.is_cleanup && operation.set == set,
            _ => !operation.is_cleanup,
        };
        if is_meant && self.live.eligible[op].get() { operation.property.weight.clamp(1, 1000) } else { 0 }
    }

    fn step(&self, op: usize, state: &mut Progress, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        let live = self.live;
        live.enter(op);
        live.step.set(step.ordinal());
        if let Some(frame) = live.frame("step") {
            frame.number(op as u64).number(step.ordinal().into()).end();
        }
        live.choices.set(ptr::from_mut(step.choices()).cast());
        let is_made = self.make(op);
        let stepped = if live.wrong.get().is_some() {
            Err(wrong_input())
        } else if is_made && step.choices().halted().is_none() {
            live.choices.set(ptr::from_mut(step.choices()).cast());
            self.act(op)
        } else {
            Ok(StepOutcome::Refused)
        };
        if matches!(stepped, Ok(StepOutcome::Refused)) {
            live.results.withdraw(step.ordinal());
            if let Some(frame) = live.frame("refused") {
                frame.end();
            }
        }
        if matches!(stepped, Ok(StepOutcome::Done)) {
            self.after(op);
            match state.phase.get() {
                Phase::Normal => state.n_done += 1,
                _ => state.is_clean = true,
            }
        }
        live.leave();
        match step.choices().halted() {
            Some(halt) if stepped.is_ok() => Err(Stop::halt(halt)),
            _ => stepped,
        }
    }

    fn ending(&self, state: &mut Progress, n_done: u64) -> Ending {
        if n_done == 0 {
            state.is_cut_short = !self.any_eligible(|operation| !operation.is_cleanup);
        }
        let phase = match state.phase.get() {
            Phase::Normal if self.can_clean_up(0) => Phase::Cleanup(0),
            Phase::Normal if !self.any_eligible(|operation| !operation.is_cleanup) => Phase::Stuck,
            Phase::Normal if state.n_more > self.live.spec.limits.max_properties => Phase::Endless,
            Phase::Normal => {
                state.n_more += 1;
                Phase::Normal
            }
            Phase::Cleanup(set) if state.is_clean && set + 1 == self.live.spec.sets.len() => {
                return Ending::Over;
            }
            Phase::Cleanup(set) => {
                let next = if state.is_clean { set + 1 } else { set };
                let is_possible = self.can_clean_up(next) && n_done < state.n_more + MAX_CLEANUPS;
                if is_possible { Phase::Cleanup(next) } else { Phase::Stuck }
            }
            phase => phase,
        };
        state.is_clean = false;
        state.phase.set(phase);
        if matches!(phase, Phase::Stuck | Phase::Endless) { Ending::Over } else { Ending::Chosen }
    }

    fn finish(&self, state: Progress, case: &mut Case<'_>) -> Checked {
        match state.phase.get() {
            Phase::Stuck => return Err(self.fail(Kind::Stuck)),
            Phase::Endless => return Err(self.fail(Kind::Endless)),
            _ => {}
        }
        let limits = self.live.spec.limits;
        if state.is_cut_short && state.n_done < limits.min_properties && !self.live.has_failed.get() {
            self.live.n_short.set(self.live.n_short.get() + 1);
        }
        let demands = self.live.spec.sets.iter().flat_map(|set| slice(set.demands, set.n_demands));
        for (demand, hit) in demands.zip(&self.live.hits) {
            case.cover(demand.percent, hit.get(), text(demand.name));
        }
        Ok(())
    }

    /// Two systems in one state are the same only if each set can tell states apart, and no property can name
    /// a result of a step that the other test does not have.
    fn fingerprint(&self, _state: &Progress) -> Option<u128> {
        let live = self.live;
        let is_known =
            live.spec.sets.iter().all(|set| set.fingerprint.is_some()) && !live.results.are_there();
        is_known.then(|| u128::from(self.state_of_all()))
    }

    fn may_be_stuck(&self) -> bool {
        true
    }
}
