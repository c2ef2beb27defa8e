//! A real system behind a machine: the machine is its model.
//!
//! Receives a driver, hands the engine a list with one method, which draws an operation as the machine
//! draws it, lets the driver do it, and asks the machine whether what came of it is allowed. So programs
//! are shrunk, stored and reported like those of any model. Formulas are judged along the way.

use super::property::{Judged, Plain, say_untaken, transition};
use super::{Formula, Machine};
use crate::program::{Method, Methods, ProgramChecker, Running};
use crate::report::Report;
use crate::settings::Settings;
use stairway_engine::machine::Standing;
use stairway_engine::{Checked, Failure, Step, Stepped, Stop};
use std::sync::Arc;

/// Where a run of a machine is: its state, and where each formula stands.
#[derive(Clone)]
pub(super) struct Place<M: Machine> {
    state: M::State,
    judged: Vec<u16>,
}

impl<M: Machine> std::fmt::Debug for Place<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.state.fmt(f)
    }
}

/// Tests a driver against its machine; made by the machine's `test`.
#[must_use = "a checker does nothing until `run` or `report` is called"]
pub struct DriverChecker<M: Machine, D> {
    start: Arc<dyn Fn() -> D + Send + Sync>,
    call: fn(&mut D, M::Op) -> M::Op,
    formulas: Vec<Formula<M>>,
    settings: Settings,
    steps: u64,
    name: String,
}

impl<M: Machine, D> std::fmt::Debug for DriverChecker<M, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DriverChecker").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<M: Machine, D: 'static> DriverChecker<M, D> {
    #[doc(hidden)]
    pub fn new(start: impl Fn() -> D + Send + Sync + 'static, call: fn(&mut D, M::Op) -> M::Op) -> Self {
        let name = format!(
            "{} behind {}",
            std::any::type_name::<D>().rsplit("::").next().unwrap_or("driver"),
            M::NAME
        );
        DriverChecker {
            start: Arc::new(start),
            call,
            formulas: Vec::new(),
            settings: Settings::new(),
            steps: 50,
            name,
        }
    }

    /// A formula that must hold on every run; several can be added.
    pub fn formula(mut self, formula: &Formula<M>) -> Self {
        self.formulas.push(*formula);
        self
    }

    /// Replaces all settings.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// How many programs have to pass.
    pub fn cases(mut self, n: u64) -> Self {
        self.settings = self.settings.cases(n);
        self
    }

    /// Where all randomness starts.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings = self.settings.seed(seed);
        self
    }

    /// Programs have at most this many steps (50 by default).
    pub fn steps(mut self, max: u64) -> Self {
        self.steps = max;
        self
    }

    /// The name under which failures are reported and stored.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Tests the driver; panics with the report if it does something that the machine does not allow.
    pub fn run(self) {
        self.report().conclude();
    }

    /// Tests the driver and gives the report.
    pub fn report(self) -> Report {
        let (steps, settings) = (self.steps, self.settings.clone());
        let checker: ProgramChecker<_> = self.methods().checker();
        let mut report = checker.settings(settings).steps(steps).report();
        say_untaken::<M>(&mut report);
        report
    }

    fn methods(self) -> Methods<Place<M>, D> {
        let DriverChecker { start, call, formulas, name, .. } = self;
        let formulas: Arc<[Formula<M>]> = formulas.into();
        let of_start = Arc::clone(&formulas);
        let begin = move || {
            let judged = of_start.iter().map(|formula| Judged::new(formula, &M::START).position()).collect();
            (Place { state: M::START, judged }, start())
        };
        let step = move |running: &mut Running<Place<M>, D>, step: &mut Step<'_, '_>| {
            one_step(running, step, call, &formulas)
        };
        Methods::new(name, begin)
            .method(Method::raw("step", step))
            .terminal(|place: &Place<M>| !can_go_on::<M>(&place.state))
    }
}

/// Whether the machine allows anything in a state.
fn can_go_on<M: Machine>(state: &M::State) -> bool {
    let index = M::state_index(state);
    M::TRANSITIONS.iter().any(|transition| transition.from == index)
}

/// Draws an operation, lets the driver do it, and asks the machine.
fn one_step<M: Machine, D>(
    running: &mut Running<Place<M>, D>,
    step: &mut Step<'_, '_>,
    call: fn(&mut D, M::Op) -> M::Op,
    formulas: &[Formula<M>],
) -> Checked<Stepped> {
    let before = running.model().state;
    let Some(op) = M::draw_call(before, step.choices()) else {
        return match step.choices().halted() {
            Some(halt) => Err(Stop::halt(halt)),
            None => Ok(Stepped::Refused),
        };
    };
    let name = M::OPS[M::op_index(&op)];
    if step.is_shown()
        && let Some(shown) = step.case().observed().steps.last_mut()
    {
        shown.name = name;
        shown.arguments = M::parts(&op).0;
    }
    step.case().checkpoint();
    let got = running.call(|driver, _| call(driver, op));
    let Some(done) = got.get().copied() else { return Ok(Stepped::Refused) };
    step.show_answer(|| M::parts(&done).1);
    let Some(after) = M::next(before, done) else {
        let answer = M::parts(&done).1;
        let message = format!(
            "{name}: the system answered {answer}, which `{}` does not allow in state {before:?}",
            M::NAME
        );
        return Err(Stop::fail(Failure::of(format!("answer of {name}"), message)));
    };
    step.show_state(|| format!("{after:?}"));
    step.case().collect("transitions taken", Plain(transition::<M>(&before, &done, &after)));
    let place = running.model_mut();
    place.state = after;
    for (formula, at) in formulas.iter().zip(&mut place.judged) {
        let mut judged = Judged::from(formula, *at);
        judged.step(&done, &after);
        *at = judged.position();
        if judged.standing() == Standing::Fails {
            return Err(judged.failure());
        }
    }
    Ok(Stepped::Done)
}
