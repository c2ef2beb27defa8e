//! Users rely on long programs: a failure at the end of ten thousand steps is shrunk to its
//! minimum, in a number of runs that depends on the minimum rather than on what was found.

use stairway_engine::{
    Case, Checked, Failure, Hooks, InProcess, Observations, Operations, Outcome, Recording, Settings,
    ShownStep, Step, StepOutcome, Steps, Stop, Workspace, any, run, run_program, unguarded,
};
use std::cell::Cell;

const N_STEPS: u64 = 10_000;
/// A failure found in a shorter program than this says nothing here.
const N_LONG: usize = 5_000;

/// What a failure was shrunk to.
struct Shrunk {
    steps: Vec<ShownStep>,
    n_runs: u64,
    is_minimal: bool,
    /// Steps of all programs run while shrinking.
    n_steps: u64,
}

/// When a wrong state is noticed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Noticed {
    /// At once: the rest of the program is not executed.
    AtOnce,
    /// When the program ends.
    AtTheEnd,
}

/// Finds a failure in a long program, and shrinks it.
fn shrunk<O: Operations<State = S>, S: Fallible>(operations: &O, noticed: Noticed, seed: u64) -> Shrunk {
    let (is_found, n_steps) = (Cell::new(false), Cell::new(0));
    let watched = Watched { operations, noticed, is_found: &is_found, n_steps: &n_steps };
    let property = |case: &mut Case<'_>| run_program(&watched, LONG, case);
    let settings = Settings { seed, n_cases: 1000, ..Settings::default() };
    let mut execute = InProcess::new(property, unguarded);
    let mut hooks = UntilFound { is_found: &is_found, n_steps: &n_steps };
    let report = run(&mut execute, &settings, &[], &mut hooks, &mut Workspace::default());
    let Outcome::Falsified(found) = report.outcome else { panic!("seed {seed}: nothing found") };
    Shrunk {
        steps: found.observed.steps,
        n_runs: found.shrinking.n_runs,
        is_minimal: found.shrinking.is_minimal,
        n_steps: n_steps.get(),
    }
}

/// Begins to count when shrinking does.
struct UntilFound<'a> {
    is_found: &'a Cell<bool>,
    n_steps: &'a Cell<u64>,
}

impl Hooks for UntilFound<'_> {
    fn found(&mut self, _: &Failure, _: &Recording, _: u32, _: &Observations) {
        self.is_found.set(true);
        self.n_steps.set(0);
    }
}

const LONG: Steps = Steps { min: 0, max: N_STEPS };

/// A state that may be wrong.
trait Fallible {
    fn is_wrong(&self) -> bool;
}

/// Operations whose failure is noticed, before it is shrunk only in a program that has become long.
struct Watched<'a, O> {
    operations: &'a O,
    noticed: Noticed,
    is_found: &'a Cell<bool>,
    n_steps: &'a Cell<u64>,
}

impl<O: Operations<State = S>, S: Fallible> Operations for Watched<'_, O> {
    type State = (S, usize);

    fn names(&self) -> &'static [&'static str] {
        self.operations.names()
    }

    fn start(&self, case: &mut Case<'_>) -> Checked<Self::State> {
        Ok((self.operations.start(case)?, 0))
    }

    fn weight(&self, op: usize, (state, _): &Self::State) -> u32 {
        self.operations.weight(op, state)
    }

    fn step(&self, op: usize, (state, n): &mut Self::State, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        *n += 1;
        self.n_steps.set(self.n_steps.get() + 1);
        let stepped = self.operations.step(op, state, step)?;
        self.judge(state, *n, Noticed::AtOnce).map(|()| stepped)
    }

    fn finish(&self, (state, n): Self::State, _: &mut Case<'_>) -> Checked {
        self.judge(&state, n, Noticed::AtTheEnd)
    }
}

impl<O> Watched<'_, O> {
    fn judge(&self, state: &impl Fallible, n: usize, when: Noticed) -> Checked {
        if when != self.noticed || !state.is_wrong() || (!self.is_found.get() && n < N_LONG) {
            return Ok(());
        }
        Err(Stop::fail(Failure::named("wrong").saying("the state is wrong")))
    }
}

/// Wrong after three particular arguments in this order, whatever else happens.
struct Key;
const CODE: [u16; 3] = [313, 1777, 1414];

#[derive(Default)]
struct Turned(usize);

impl Fallible for Turned {
    fn is_wrong(&self) -> bool {
        self.0 >= CODE.len()
    }
}

impl Operations for Key {
    type State = Turned;

    fn names(&self) -> &'static [&'static str] {
        &["noise", "turn", "odd"]
    }

    fn start(&self, _: &mut Case<'_>) -> Checked<Turned> {
        Ok(Turned::default())
    }

    fn weight(&self, _: usize, _: &Turned) -> u32 {
        1
    }

    fn step(&self, op: usize, turned: &mut Turned, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        match op {
            0 => {
                step.draw(any::<(i32, bool)>())?;
            }
            1 => {
                let v = step.draw(0..=2000u16)?;
                step.show_argument("v", || v.to_string());
                turned.0 += usize::from(CODE.get(turned.0) == Some(&v));
            }
            // Half of these are refused.
            _ if step.draw(any::<u8>())? % 2 == 0 => return Ok(StepOutcome::Refused),
            _ => {}
        }
        Ok(StepOutcome::Done)
    }
}

/// Wrong when something has been piled up that high.
struct Pile;
const HEIGHT: usize = 200;

impl Fallible for Vec<i32> {
    fn is_wrong(&self) -> bool {
        self.len() >= HEIGHT
    }
}

impl Operations for Pile {
    type State = Vec<i32>;

    fn names(&self) -> &'static [&'static str] {
        &["push", "pop", "peek"]
    }

    fn start(&self, _: &mut Case<'_>) -> Checked<Vec<i32>> {
        Ok(Vec::new())
    }

    fn weight(&self, op: usize, pile: &Vec<i32>) -> u32 {
        u32::from(op != 1 || !pile.is_empty())
    }

    fn step(&self, op: usize, pile: &mut Vec<i32>, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        match op {
            0 => pile.push(step.draw(any::<i32>())?),
            1 => {
                pile.pop();
            }
            _ => {}
        }
        Ok(StepOutcome::Done)
    }
}

/// Wrong when there is a copy of a copy of a copy, this often.
struct Copies;
const GENERATION: u32 = 12;

#[derive(Default)]
struct Family {
    alive: Vec<u32>,
    generation: Vec<u32>,
    is_wrong: bool,
}

impl Fallible for Family {
    fn is_wrong(&self) -> bool {
        self.is_wrong
    }
}

impl Operations for Copies {
    type State = Family;

    fn names(&self) -> &'static [&'static str] {
        &["new", "copy", "look", "forget"]
    }

    fn start(&self, _: &mut Case<'_>) -> Checked<Family> {
        Ok(Family::default())
    }

    fn weight(&self, op: usize, family: &Family) -> u32 {
        u32::from(op == 0 || !family.alive.is_empty())
    }

    fn step(&self, op: usize, family: &mut Family, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        let this = step.ordinal();
        family.generation.resize(this as usize + 1, 0);
        if op == 0 {
            family.alive.push(this);
            return Ok(StepOutcome::Done);
        }
        let of = step.choices().reference(&family.alive, this);
        match op {
            1 => {
                family.alive.push(this);
                family.generation[this as usize] = family.generation[of as usize] + 1;
            }
            2 => family.is_wrong |= family.generation[of as usize] >= GENERATION,
            _ => family.alive.retain(|alive| *alive != of),
        }
        Ok(StepOutcome::Done)
    }
}

fn names(shrunk: &Shrunk) -> Vec<&'static str> {
    shrunk.steps.iter().map(|step| step.name).collect()
}

/// Nothing simpler is to be had, and it did not take more than this.
fn demand<O: Operations<State = S>, S: Fallible>(
    operations: &O,
    (n_runs, n_steps): (u64, u64),
    is_smallest: impl Fn(&Shrunk) -> bool,
) {
    for (seed, noticed) in (0..6).flat_map(|seed| [Noticed::AtOnce, Noticed::AtTheEnd].map(|n| (seed, n))) {
        let shrunk = shrunk(operations, noticed, seed);
        let Shrunk { n_runs: runs, n_steps: steps, .. } = shrunk;
        println!("seed {seed}, {noticed:?}: {runs} runs, {steps} steps");
        assert!(is_smallest(&shrunk), "seed {seed}, {noticed:?}: {} steps", shrunk.steps.len());
        assert!(shrunk.is_minimal, "seed {seed}, {noticed:?}: cut off after {runs} runs");
        assert!(runs <= n_runs && steps <= n_steps, "seed {seed}, {noticed:?}: {runs} runs, {steps} steps");
    }
}

#[test]
fn three_steps_among_ten_thousand_are_left() {
    demand(&Key, (200, 200_000), |shrunk| {
        let turned = shrunk.steps.iter().filter_map(|step| step.arguments.first());
        names(shrunk) == ["turn"; 3] && turned.map(|(_, v)| v).eq(&CODE.map(|v| v.to_string()))
    });
}

#[test]
fn two_hundred_steps_among_ten_thousand_are_left() {
    demand(&Pile, (600, 200_000), |shrunk| names(shrunk) == ["push"; HEIGHT]);
}

#[test]
fn steps_that_refer_to_each_other_among_ten_thousand_are_left() {
    demand(&Copies, (400, 200_000), |shrunk| {
        let names = names(shrunk);
        let copies = names.len() == GENERATION as usize + 2 && names[1..].starts_with(&["copy"; 12]);
        copies && names[0] == "new" && names.ends_with(&["look"])
    });
}
