//! Formulas under `cargo test`: more states, more and longer traces, and statistics, by the engine and
//! the one checker.

use super::assurance::{Refutation, RefutationKind};
use super::formula_run::FormulaRun;
use super::transitions::{count_transitions, say_untaken};
use super::verdict::explored_verdict;
use super::{Assurance, Formula, Machine, Picture};
use crate::check::Checker;
use crate::panics;
use crate::program::step_source::StepSource;
use crate::report::{Report, fail};
use stairway_engine::{
    Attachment, Case, Checked, Choices, Discard, Failure, FailureKind, Label, Place, ReturnFault, Role,
    ShownStep, Stop,
};
use stairway_machine::Standing;
use std::panic::Location;
use std::sync::atomic::{AtomicBool, Ordering};

/// Checks a formula as the test that `temporal!` writes; panics with the report if it does not hold.
///
/// # Panics
/// If the formula does not hold.
pub fn check_formula<M: Machine>(module: &str, formula: &Formula<M>) {
    let name = format!("{module}::{}", formula.name);
    let has_branches = !formula.tables.branches.is_empty();
    let assurance = match explored_assurance(&name, formula) {
        Ok(Some(assurance)) => assurance,
        Ok(None) => Assurance::Sampled { states: 0, traces: formula.n_traces },
        Err(refutation) => {
            refutation.write_json(&name, Picture::of::<M>());
            fail(refutation.text)
        }
    };
    let is_proved = matches!(assurance, Assurance::Proved { .. });
    // Traces are drawn of what is proved as well: they count transitions, and would show a mistake of ours.
    if !has_branches && formula.n_traces > 0 {
        traces(&name, formula, is_proved).conclude();
    }
    println!("property `{name}` is {assurance}");
    assurance.write_json(&name, &Picture::of::<M>());
}

/// What is known from exploring; nothing if the formula asks for traces only, or for more than was explored.
fn explored_assurance<M: Machine>(name: &str, formula: &Formula<M>) -> Result<Option<Assurance>, Refutation> {
    let has_branches = !formula.tables.branches.is_empty();
    if formula.is_random && !has_branches {
        return Ok(None);
    }
    let decided = explored_verdict(formula)?;
    if let Some(condition) = decided.unmet {
        println!("property `{name}`: the condition `{condition}` was not met in what was explored");
    }
    if decided.assurance.is_none() && has_branches {
        let text = format!(
            "property `{name}` is not decided: not everything can be explored ({} states at most); bound the machine's data, or allow more with \
             `states(n)`",
            formula.max_states
        );
        return Err(Refutation::without_run(RefutationKind::Undecided, text, formula.max_states));
    }
    Ok(decided.assurance)
}

/// What it is worth that a formula does not fail on the states that a test explores; nothing if it fails, or
/// cannot be decided.
pub fn assurance<M: Machine>(formula: &Formula<M>) -> Option<Assurance> {
    explored_verdict(formula).ok()?.assurance
}

/// Checks a formula on random traces and gives the report: most as long as the compiler draws them, one
/// in a hundred a hundred times as long.
pub fn formula_report<M: Machine>(name: &str, formula: &Formula<M>) -> Report {
    traces(name, formula, false)
}

fn traces<M: Machine>(name: &str, formula: &Formula<M>, is_explored: bool) -> Report {
    let formula = *formula;
    let is_cut = AtomicBool::new(is_explored);
    let mut checker = Checker::new(name).cases(formula.n_traces.max(1));
    checker.run.machine = Some(Picture::of::<M>());
    let mut report = checker.report(|case| trace(&formula, case, &is_cut));
    // Traces that end where the formula is decided need not get anywhere else, and nobody needs to know where
    // they did not if all was explored.
    if !is_cut.load(Ordering::Relaxed) {
        say_untaken::<M>(&mut report);
    }
    report
}

/// Draws one trace and judges it.
fn trace<M: Machine>(formula: &Formula<M>, case: &mut Case<'_>, is_cut: &AtomicBool) -> Checked {
    let choices = case.choices();
    let is_long = choices.chance(1, 100);
    let depth = formula.depth * if is_long { formula.times } else { 1 };
    choices.open(Label::Program);
    let most = choices.steps(0, depth);
    let mut state = M::START;
    let mut judged = FormulaRun::new(formula, &state);
    let mut n = 0;
    let mut taken: Vec<(usize, usize, usize)> = Vec::new();
    loop {
        match judged.standing() {
            Standing::Holds => {
                is_cut.fetch_or(n < depth, Ordering::Relaxed);
                break;
            }
            Standing::Fails => return Err(judged.failure()),
            Standing::Waiting if n >= depth * 10 => {
                if formula.may_be_open {
                    break;
                }
                return Err(judged.still_waiting(n));
            }
            Standing::Open if n >= most => break,
            _ => {}
        }
        case.choices().open(Label::Step);
        let drawn = drawn::<M>(state, case, formula)?;
        if let Some(halt) = case.choices().halted() {
            return Err(Stop::halt(halt));
        }
        case.choices().close();
        let Some((op, to)) = drawn else {
            let is_end = is_end(formula, case, &state)?;
            if is_end && judged.at_the_end(&state) == Standing::Fails {
                return Err(judged.failure());
            }
            break;
        };
        if case.is_detailed() {
            let step = shown_step::<M>(n as u32, &op, &to);
            case.observed().steps.push(step);
        }
        taken.push((M::state_index(&state), M::op_index(&op), M::state_index(&to)));
        judged.step(&op, &to);
        state = to;
        n += 1;
    }
    case.choices().close();
    count_transitions::<M>(case, &mut taken);
    Ok(())
}

/// Draws a step; a panic in `next` says in which state that was.
fn drawn<M: Machine>(
    state: M::State,
    case: &mut Case<'_>,
    formula: &Formula<M>,
) -> Checked<Option<(M::Op, M::State)>> {
    panics::explained(
        || M::draw(state, case.choices(), formula.scrutiny),
        || format!("in machine `{}`, in a step from state {state:?}", M::NAME),
    )
}

/// Whether nothing is possible in a state in which nothing was drawn. Where choices are counted through, a
/// step that is not possible is tried once: then this case is none, unless nothing at all is possible.
fn is_end<M: Machine>(formula: &Formula<M>, case: &mut Case<'_>, state: &M::State) -> Checked<bool> {
    let is_end = M::is_end(state, formula.scrutiny);
    if case.choices().is_counting() && !is_end {
        return Err(Stop::discard(Discard::Assume { place: Place::from(Location::caller()), text: "" }));
    }
    Ok(is_end)
}

/// Draws one trace of a formula's depth and says where the formula stands at its end: for properties that
/// hold only mostly, whose share is then a coverage demand.
///
/// # Errors
/// Ends the case when no more can be drawn.
pub fn outcome<M: Machine>(case: &mut Case<'_>, formula: &Formula<M>) -> Checked<Standing> {
    let mut state = M::START;
    let mut judged = FormulaRun::new(formula, &state);
    for n in 0..formula.depth {
        if matches!(judged.standing(), Standing::Fails | Standing::Holds) {
            break;
        }
        let drawn = drawn::<M>(state, case, formula)?;
        if let Some(halt) = case.choices().halted() {
            return Err(Stop::halt(halt));
        }
        let Some((op, to)) = drawn else {
            let is_end = is_end(formula, case, &state)?;
            return Ok(if is_end { judged.at_the_end(&state) } else { judged.standing() });
        };
        if case.is_detailed() {
            let step = shown_step::<M>(n as u32, &op, &to);
            case.observed().steps.push(step);
        }
        judged.step(&op, &to);
        state = to;
    }
    Ok(judged.standing())
}

/// A step of a trace as it is shown.
pub(super) fn shown_step<M: Machine>(ordinal: u32, op: &M::Op, to: &M::State) -> ShownStep {
    let (arguments, answer) = M::parts(op);
    ShownStep {
        name: M::OPS[M::op_index(op)],
        ordinal,
        arguments,
        answer,
        state: format!("{to:?}"),
        attachment: Attachment::new(StepSource { state: Some(M::state_index(to)), ..StepSource::default() }),
        ..ShownStep::default()
    }
}

/// Checks a property of functions as the test that `temporal!` writes: `judge` draws and gives nothing if
/// the arguments do not meet the condition, and else what is wrong, if anything.
///
/// # Panics
/// If the property does not hold.
#[track_caller]
pub fn check_function(
    name: &str,
    text: &str,
    n_cases: u64,
    judge: impl Fn(&mut Choices<'_>, bool) -> Option<Option<String>> + Sync,
) {
    let here = Place::from(Location::caller());
    Checker::new(name).cases(n_cases).run(|case| {
        let is_shown = case.is_detailed();
        let judged = judge(case.choices(), is_shown);
        if let Some(halt) = case.choices().halted() {
            return Err(Stop::halt(halt));
        }
        match judged {
            None => Err(Stop::discard(Discard::Assume { place: here, text: "" })),
            Some(None) => Ok(()),
            Some(Some(arguments)) => {
                if is_shown {
                    case.note(format!("for{arguments}"));
                }
                Err(Stop::fail(
                    Failure::new(FailureKind::Returned(ReturnFault::False)).with(Role::Clause, text),
                ))
            }
        }
    });
}
