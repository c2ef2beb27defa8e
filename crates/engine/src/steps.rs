//! Running one program: its steps, one after the other, and what comes after them.
//!
//! Counts go to what the case observes. Which operation comes next is for `weights.rs` to say, what a step
//! means for the operations.

use crate::case::Case;
use crate::failure::{Failure, FailureKind, Role};
use crate::program::{
    Ending, LastOperation, MANY_OPERATIONS, MAX_OPERATIONS, Operations, ProgramCounts, ShownStep, Step,
    StepOutcome, Steps,
};
use crate::stop::{Checked, Stop};
use crate::weights::Weights;
use alloc::boxed::Box;
use alloc::vec;
use stairway_choice::{LANES, Label};

/// Whether what nearly always happens has code of its own: it saves time and takes program memory.
const HAS_SHORTCUTS: bool = cfg!(feature = "observations");

/// Runs one program.
///
/// # Errors
/// Fails or discards the case as the operations say; fails it when nothing is possible.
pub fn run_program<O: Operations>(operations: &O, steps: Steps, case: &mut Case<'_>) -> Checked {
    let mut bound = On { operations, state: operations.start(case)? };
    let mut counts = core::mem::take(&mut case.observed().program);
    counts.prepare(operations.counted_names());
    // What is generic is compiled with its user, and in debug builds that means without
    // optimisation: there, the loop is the one in this crate, which can be given its own level.
    let outcome = if O::MAY_BE_MANY && operations.names().len() > MAX_OPERATIONS {
        run_many(&mut bound, steps, case, &mut counts)
    } else if cfg!(debug_assertions) {
        run_erased(&mut bound, steps, case, &mut counts)
    } else {
        let mut weights = few_weights(operations.names(), case);
        Program::new(&mut bound, &mut counts, case).run(&mut weights, steps, case)
    };
    case.observed().program = counts;
    outcome?;
    operations.finish(bound.state, case)
}

#[inline(never)]
fn run_erased(
    bound: &mut dyn Bound,
    steps: Steps,
    case: &mut Case<'_>,
    counts: &mut ProgramCounts,
) -> Checked {
    let mut weights = few_weights(bound.names(), case);
    Program::new(bound, counts, case).run(&mut weights, steps, case)
}

/// Runs a program of more operations than there is room for on the stack.
#[cold]
#[inline(never)]
fn run_many(bound: &mut dyn Bound, steps: Steps, case: &mut Case<'_>, counts: &mut ProgramCounts) -> Checked {
    let guide = case.guide;
    let mut weights: Box<Weights<'_, { MANY_OPERATIONS / LANES }>> =
        Box::new(Weights::new(bound.names(), guide, case.choices()));
    Program::new(bound, counts, case).run(&mut *weights, steps, case)
}

#[inline(always)]
fn few_weights<'b>(
    names: &'static [&'static str],
    case: &mut Case<'b>,
) -> Weights<'b, { MAX_OPERATIONS / LANES }> {
    let guide = case.guide;
    Weights::new(names, guide, case.choices())
}

/// Operations and the state they work on. For the meaning of each function see [`Operations`].
pub(crate) trait Bound {
    fn names(&self) -> &'static [&'static str];
    fn weight(&self, op: usize) -> u32;
    fn has_fixed_weights(&self) -> bool;
    fn step(&mut self, op: usize, step: &mut Step<'_, '_>) -> Checked<StepOutcome>;
    fn ending(&mut self, n_done: u64) -> Ending;
    fn fingerprint(&self) -> Option<u128>;
    fn is_over(&self) -> bool;
    fn may_be_stuck(&self) -> bool;
}

struct On<'o, O: Operations> {
    operations: &'o O,
    state: O::State,
}

impl<O: Operations> Bound for On<'_, O> {
    #[inline(always)]
    fn names(&self) -> &'static [&'static str] {
        self.operations.names()
    }

    #[inline(always)]
    fn weight(&self, op: usize) -> u32 {
        self.operations.weight(op, &self.state)
    }

    #[inline(always)]
    fn has_fixed_weights(&self) -> bool {
        self.operations.has_fixed_weights()
    }

    #[inline(always)]
    fn step(&mut self, op: usize, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        self.operations.step(op, &mut self.state, step)
    }

    #[inline(always)]
    fn ending(&mut self, n_done: u64) -> Ending {
        self.operations.ending(&mut self.state, n_done)
    }

    #[inline(always)]
    fn fingerprint(&self) -> Option<u128> {
        self.operations.fingerprint(&self.state)
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.operations.is_over(&self.state)
    }

    #[inline(always)]
    fn may_be_stuck(&self) -> bool {
        self.operations.may_be_stuck()
    }
}

/// A program while it runs.
struct Program<'p, B: ?Sized> {
    bound: &'p mut B,
    counts: &'p mut ProgramCounts,
    /// The operation that was done last.
    before: LastOperation,
    is_shown: bool,
    /// Whether somebody listens to what is drawn, or is shown it.
    is_attended: bool,
}

impl<'p, B: Bound + ?Sized> Program<'p, B> {
    #[inline(always)]
    fn new(bound: &'p mut B, counts: &'p mut ProgramCounts, case: &Case<'_>) -> Self {
        let is_shown = case.is_detailed();
        Program {
            bound,
            counts,
            before: LastOperation::NOTHING,
            is_shown,
            is_attended: is_shown || case.is_tapped(),
        }
    }

    #[inline]
    fn run<const N: usize>(
        mut self,
        weights: &mut Weights<'_, N>,
        steps: Steps,
        case: &mut Case<'_>,
    ) -> Checked {
        // A step that ended with a panic may have left it.
        case.has_turned = false;
        case.choices().open(Label::Program);
        let n = case.choices().steps(steps.min, steps.max);
        let is_searching = case.observed().visited.is_searching();
        for ordinal in 0..n {
            if self.bound.is_over() {
                break;
            }
            if !weights.settle(self.bound, case.choices(), self.counts) {
                if self.bound.may_be_stuck() {
                    break;
                }
                return Err(Stop::fail(stuck(self.bound.names())));
            }
            let word = if HAS_SHORTCUTS { case.choices().open_quietly() } else { None };
            let op = match word {
                Some(word) => weights.choose_quietly(word),
                None => {
                    case.choices().open(Label::Step);
                    let op = weights.choose(case.choices());
                    if let Some(halt) = case.choices().halted() {
                        return Err(Stop::halt(halt));
                    }
                    op
                }
            };
            self.step(op, ordinal as u32, case)?;
            if is_searching && self.is_known(n - ordinal - 1, case) {
                break;
            }
        }
        self.end(n, case)?;
        if cfg!(feature = "observations") {
            case.checkpoint();
        }
        case.choices().close();
        Ok(())
    }

    /// Does one operation, and closes the span it was chosen in.
    #[inline(always)]
    fn step(&mut self, op: usize, ordinal: u32, case: &mut Case<'_>) -> Checked {
        if self.is_attended {
            self.announce(op, ordinal, case);
        }
        let mut doing = Step::new(case, ordinal, self.is_shown);
        let stepped = self.bound.step(op, &mut doing);
        // Nearly all steps end like this.
        if HAS_SHORTCUTS && matches!(stepped, Ok(StepOutcome::Done)) && !case.has_turned {
            self.counts.done(op, &mut self.before);
            case.choices().close();
            return Ok(());
        }
        self.take_in(op, stepped, case)
    }

    /// A step begins that is shown or listened to: an operation without arguments may crash as soon as it was
    /// chosen.
    #[cold]
    #[inline(never)]
    fn announce(&self, op: usize, ordinal: u32, case: &mut Case<'_>) {
        if self.is_shown {
            case.observed().steps.push(ShownStep::new(self.bound.names()[op], ordinal));
        }
        case.checkpoint();
    }

    /// Takes in what became of a step, and closes its span unless the case ends.
    #[inline(never)]
    fn take_in(&mut self, op: usize, stepped: Checked<StepOutcome>, case: &mut Case<'_>) -> Checked {
        if self.is_shown && matches!(stepped, Ok(StepOutcome::Refused)) {
            case.observed().steps.pop();
        }
        let op = if core::mem::take(&mut case.has_turned) { self.turned(case) } else { op };
        let stepped = match stepped {
            Ok(stepped) => stepped,
            Err(stop) => {
                if cfg!(feature = "observations") {
                    // What the program holds is dropped next, which may crash.
                    case.checkpoint();
                    case.observed().failed = stop.is_failure().then_some(op as u32);
                }
                return Err(case.remember(self.failed(op, stop)));
            }
        };
        match stepped {
            StepOutcome::Done => {
                self.counts.done(op, &mut self.before);
                case.choices().close();
            }
            StepOutcome::Refused => {
                self.counts.n_refused[op] += 1;
                case.choices().close_rejected();
            }
        }
        Ok(())
    }

    /// Counts an operation that failed: it was done.
    #[cold]
    fn failed(&mut self, op: usize, stop: Stop) -> Stop {
        if stop.is_failure() {
            self.counts.done(op, &mut self.before);
        }
        stop
    }

    /// The operation under which a step is counted that says so itself.
    #[cold]
    fn turned(&mut self, case: &Case<'_>) -> usize {
        self.counts.turned(case.turned);
        case.turned.op.min(self.counts.names.len().saturating_sub(1))
    }

    /// Does what comes after the last step.
    #[inline(never)]
    fn end(&mut self, n_steps: u64, case: &mut Case<'_>) -> Checked {
        for n_done in 0.. {
            let ending = self.bound.ending(n_done);
            if ending == Ending::Over {
                break;
            }
            case.choices().open(Label::Ending);
            let op = match ending {
                Ending::Operation(op) => op,
                _ => self.chosen(case)?,
            };
            self.step(op, (n_steps + n_done) as u32, case)?;
        }
        Ok(())
    }

    /// Draws one of the operations that are possible.
    fn chosen(&self, case: &mut Case<'_>) -> Checked<usize> {
        let names = self.bound.names();
        let (mut few, mut many) = ([0; MAX_OPERATIONS], vec![]);
        let weights = match few.get_mut(..names.len()) {
            Some(few) => few,
            None => {
                many.resize(names.len(), 0);
                &mut many[..]
            }
        };
        for (op, weight) in weights.iter_mut().enumerate() {
            *weight = self.bound.weight(op);
        }
        let op = case.choices().weighted(weights, names);
        match case.choices().halted() {
            Some(halt) => Err(Stop::halt(halt)),
            None => Ok(op),
        }
    }

    /// Whether all that can follow this state has been tried.
    #[cold]
    fn is_known(&self, n_left: u64, case: &mut Case<'_>) -> bool {
        let Some(state) = self.bound.fingerprint() else { return false };
        let mut visited = core::mem::take(&mut case.observed().visited);
        let is_known = visited.is_known(state, n_left, case.choices().recorded());
        case.observed().visited = visited;
        is_known
    }
}

fn stuck(names: &[&'static str]) -> Failure {
    names.iter().fold(Failure::new(FailureKind::Stuck), |failure, name| failure.with(Role::Operation, *name))
}
