//! Programs: sequences of operations on a state, generated while they run.
//!
//! Receives [`Operations`] (what can be done, when, and how) and a case to draw from; runs one
//! program against one state. A program is a collection like any other to the stream: a length,
//! then one span for each step. So shrinking, replay and counting through all programs need
//! nothing of their own, except that a [`Reference`](crate::Shape::Reference) names the step whose
//! result it is and is renumbered when steps are deleted. What a step means (a model's answer, a
//! contract, a law) is for whoever implements the operations.

use crate::case::Case;
use crate::choices::Choices;
use crate::code::{Code, SideStep};
use crate::judge::Failure;
use crate::stop::{Checked, Stop};
use crate::weights::Weights;
use alloc::string::String;
use alloc::vec::Vec;

/// What programs are made of.
pub trait Operations {
    /// What a program runs against: a model, a system, results of earlier steps.
    type State;

    /// The operations' names; their position is what the other methods call `op`.
    fn names(&self) -> &'static [&'static str];

    /// The state before the first step.
    ///
    /// # Errors
    /// Ends the case when there is none.
    fn start(&self, case: &mut Case<'_>) -> Checked<Self::State>;

    /// How likely an operation is in this state; 0 if it is not possible.
    fn weight(&self, op: usize, state: &Self::State) -> u32;

    /// Whether the weights are the same in every state, so that they need to be asked only once
    /// a program.
    fn has_fixed_weights(&self) -> bool {
        false
    }

    /// Draws the arguments of an operation and does it.
    ///
    /// # Errors
    /// Fails the case if the step does something wrong.
    fn step(&self, op: usize, state: &mut Self::State, step: &mut Step<'_, '_>) -> Checked<Stepped>;

    /// Ends a program and frees what it holds.
    ///
    /// # Errors
    /// Fails the case if that goes wrong.
    fn finish(&self, _state: Self::State, _case: &mut Case<'_>) -> Checked {
        Ok(())
    }

    /// An operation without which a program means nothing, if it has not been done yet: it is
    /// done at the end.
    fn last(&self, _state: &Self::State) -> Option<usize> {
        None
    }

    /// How a program goes on that has all its steps, and has done `n_done` operations since; asked
    /// again after each.
    fn ending(&self, state: &mut Self::State, n_done: u64) -> Ending {
        match self.last(state) {
            Some(op) if n_done == 0 => Ending::Operation(op),
            _ => Ending::Over,
        }
    }

    /// What tells this state apart from all others that can make a difference later, where
    /// that is known: programs that come to a state of another program are not gone on with when
    /// all programs are tried.
    fn fingerprint(&self, _state: &Self::State) -> Option<u128> {
        None
    }

    /// Whether a program that has come to this state is over.
    fn is_over(&self, _state: &Self::State) -> bool {
        false
    }

    /// Whether a state in which nothing is possible is an end like any other.
    fn may_be_stuck(&self) -> bool {
        false
    }
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepped {
    /// It was done.
    Done,
    /// Its arguments did not meet its precondition: nothing was done, the program goes on.
    Refused,
}

/// What comes after the last step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing: the program is over.
    Over,
    /// This operation.
    Operation(usize),
    /// One of those whose weight is not 0 in this state, and there is at least one.
    Chosen,
}

/// How long programs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// At least this many steps.
    pub min: u64,
    /// At most this many steps; at least half of all programs have as many.
    pub max: u64,
}

impl Default for Steps {
    fn default() -> Self {
        Steps { min: 0, max: 50 }
    }
}

/// One step while it is being done: where its arguments are drawn and its text is kept.
#[derive(Debug)]
pub struct Step<'s, 'b> {
    case: &'s mut Case<'b>,
    ordinal: u32,
    /// Whether the step is shown: the last of the observed ones is its text then, so that it is
    /// there even if the step ends with a panic.
    is_shown: bool,
}

/// A step as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownStep {
    /// The operation's name.
    pub name: &'static str,
    /// Which step this is, from 0.
    pub ordinal: u32,
    /// Its arguments: name and value.
    pub arguments: Vec<(&'static str, String)>,
    /// What the system answered.
    pub answer: String,
    /// The model's state after it, as far as it can be shown.
    pub state: String,
    /// The system's state after it, as far as it can be shown.
    pub system: String,
    /// What else there is to say about it.
    pub notes: Vec<String>,
    /// The call as source text.
    pub code: Code,
    /// Both sides of a law, where the step is one.
    pub sides: [Vec<SideStep>; 2],
}

impl ShownStep {
    fn new(name: &'static str, ordinal: u32) -> Self {
        ShownStep { name, ordinal, ..ShownStep::default() }
    }
}

impl<'b> Step<'_, 'b> {
    /// The stream of choices.
    pub const fn choices(&mut self) -> &mut Choices<'b> {
        self.case.choices()
    }

    /// The case this step belongs to.
    pub const fn case(&mut self) -> &mut Case<'b> {
        self.case
    }

    /// Which step this is, from 0: the name under which later steps refer to its result.
    #[must_use]
    pub const fn ordinal(&self) -> u32 {
        self.ordinal
    }

    /// Whether what happens here will be shown.
    #[must_use]
    pub const fn is_shown(&self) -> bool {
        self.is_shown
    }

    #[inline]
    fn shown(&mut self) -> Option<&mut ShownStep> {
        if self.is_shown { self.case.observed().steps.last_mut() } else { None }
    }

    /// Where the step is written down as source text, if it is shown.
    #[inline]
    pub fn code(&mut self) -> Option<&mut Code> {
        self.shown().map(|shown| &mut shown.code)
    }

    /// Where one side of a law is written down, if it is shown.
    #[inline]
    pub fn side(&mut self, is_right: bool) -> Option<&mut Vec<SideStep>> {
        self.shown().map(|shown| &mut shown.sides[usize::from(is_right)])
    }

    /// Keeps an argument for showing.
    #[inline]
    pub fn show_argument(&mut self, name: &'static str, show: impl FnOnce() -> String) {
        if let Some(shown) = self.shown() {
            shown.arguments.push((name, show()));
        }
    }

    /// Keeps the answer for showing.
    #[inline]
    pub fn show_answer(&mut self, show: impl FnOnce() -> String) {
        if let Some(shown) = self.shown() {
            shown.answer = show();
        }
    }

    /// Keeps a further line about the step for showing.
    #[inline]
    pub fn show_note(&mut self, show: impl FnOnce() -> String) {
        if let Some(shown) = self.shown() {
            shown.notes.push(show());
        }
    }

    /// Keeps the system's state after the step for showing.
    #[inline]
    pub fn show_system(&mut self, show: impl FnOnce() -> String) {
        if let Some(shown) = self.shown()
            && shown.ordinal < MAX_SHOWN_STATES
        {
            shown.system = show();
        }
    }

    /// Keeps the model's state after the step for showing, unless the program is a very long
    /// one: its states may be as large as it is long.
    #[inline]
    pub fn show_state(&mut self, show: impl FnOnce() -> String) {
        if let Some(shown) = self.shown()
            && shown.ordinal < MAX_SHOWN_STATES
        {
            shown.state = show();
        }
    }
}

/// How often things happened in programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramCounts {
    /// The operations' names.
    pub names: &'static [&'static str],
    /// How often each operation was done.
    pub n_done: Vec<u64>,
    /// How often the arguments of each operation were refused.
    pub n_refused: Vec<u64>,
    /// At how many steps each operation was not possible.
    pub n_impossible: Vec<u64>,
    /// How often each operation was the first.
    pub n_first: Vec<u64>,
    /// How often each operation (column) followed each (row), row by row.
    pub follow: Vec<u64>,
}

impl ProgramCounts {
    /// Makes room for these operations.
    pub(crate) fn prepare(&mut self, names: &'static [&'static str]) {
        if self.names.is_empty() && !names.is_empty() {
            let n = names.len();
            self.names = names;
            for counts in [&mut self.n_done, &mut self.n_refused, &mut self.n_impossible, &mut self.n_first] {
                counts.resize(n, 0);
            }
            self.follow.resize(n * n, 0);
        }
    }

    /// Forgets the counts, keeps the memory.
    #[inline]
    pub(crate) fn clear(&mut self) {
        // Not only for nothing: setting no bytes at a dangling address takes 100 ns on some
        // machines, more than all the rest of a case.
        if self.names.is_empty() {
            return;
        }
        for counts in [
            &mut self.n_done,
            &mut self.n_refused,
            &mut self.n_impossible,
            &mut self.n_first,
            &mut self.follow,
        ] {
            counts.fill(0);
        }
    }

    /// Adds the counts of another case and empties them.
    pub(crate) fn absorb(&mut self, other: &mut ProgramCounts) {
        self.prepare(other.names);
        let pairs = [
            (&mut self.n_done, &mut other.n_done),
            (&mut self.n_refused, &mut other.n_refused),
            (&mut self.n_impossible, &mut other.n_impossible),
            (&mut self.n_first, &mut other.n_first),
            (&mut self.follow, &mut other.follow),
        ];
        for (total, part) in pairs {
            for (total, part) in total.iter_mut().zip(part) {
                *total += core::mem::take(part);
            }
        }
    }

    /// The operations that were never done.
    #[must_use]
    pub fn never_done(&self) -> Vec<&'static str> {
        self.names.iter().zip(&self.n_done).filter(|(_, n)| **n == 0).map(|(name, _)| *name).collect()
    }

    #[inline(always)]
    fn done(&mut self, op: usize, before: Option<usize>) {
        self.n_done[op] += 1;
        match before {
            Some(before) => self.follow[before * self.names.len() + op] += 1,
            None => self.n_first[op] += 1,
        }
    }
}

/// Label of the span of a whole program; its length counts steps, and references name them.
pub const PROGRAM: &str = "program";
/// Label of the span of one step.
pub(crate) const STEP: &str = "step";
/// Label of the span of what is done at the end.
const LAST: &str = "last";
/// After how many steps states are no longer shown.
const MAX_SHOWN_STATES: u32 = 1000;
/// How many operations a specification may have.
pub const MAX_OPERATIONS: usize = 128;

/// Runs one program.
///
/// # Errors
/// Fails or discards the case as the operations say; fails it when nothing is possible.
pub fn run_program<O: Operations>(operations: &O, steps: Steps, case: &mut Case<'_>) -> Checked {
    let names = operations.names();
    let mut state = operations.start(case)?;
    let mut counts = core::mem::take(&mut case.observed().program);
    counts.prepare(names);
    let outcome = run_steps(operations, steps, case, &mut state, &mut counts);
    case.observed().program = counts;
    outcome?;
    operations.finish(state, case)
}

fn run_steps<O: Operations>(
    operations: &O,
    steps: Steps,
    case: &mut Case<'_>,
    state: &mut O::State,
    counts: &mut ProgramCounts,
) -> Checked {
    let mut weights = Weights::new(operations.names(), case.choices());
    case.choices().open(PROGRAM);
    let n = case.choices().steps(steps.min, steps.max);
    let mut before = None;
    let is_searching = case.observed().seen.is_some();
    for ordinal in 0..n {
        if operations.is_over(state) {
            break;
        }
        if !weights.settle(operations, state, case.choices(), counts) {
            if operations.may_be_stuck() {
                break;
            }
            return Err(Stop::fail(Failure::of("stuck", stuck(operations.names()))));
        }
        case.choices().open(STEP);
        let op = weights.choose(case.choices());
        if let Some(halt) = case.choices().halted() {
            return Err(Stop::halt(halt));
        }
        one_step(operations, op, ordinal as u32, case, state, counts, &mut before)?;
        if is_searching && is_known(operations, state, n - ordinal - 1, case) {
            break;
        }
    }
    end_program(operations, n, case, state, counts, &mut before)?;
    case.choices().close();
    Ok(())
}

/// Does what comes after the last step.
fn end_program<O: Operations>(
    operations: &O,
    n_steps: u64,
    case: &mut Case<'_>,
    state: &mut O::State,
    counts: &mut ProgramCounts,
    before: &mut Option<usize>,
) -> Checked {
    for n_done in 0.. {
        let ending = operations.ending(state, n_done);
        if ending == Ending::Over {
            break;
        }
        case.choices().open(LAST);
        let op = match ending {
            Ending::Operation(op) => op,
            _ => chosen(operations, state, case)?,
        };
        one_step(operations, op, (n_steps + n_done) as u32, case, state, counts, before)?;
    }
    Ok(())
}

/// Draws one of the operations that are possible.
fn chosen<O: Operations>(operations: &O, state: &O::State, case: &mut Case<'_>) -> Checked<usize> {
    let names = operations.names();
    let mut weights = [0; MAX_OPERATIONS];
    let n = names.len().min(MAX_OPERATIONS);
    for (op, weight) in weights[..n].iter_mut().enumerate() {
        *weight = operations.weight(op, state);
    }
    let op = case.choices().weighted(&weights[..n], names);
    match case.choices().halted() {
        Some(halt) => Err(Stop::halt(halt)),
        None => Ok(op),
    }
}

/// Whether all that can follow this state has been tried.
#[cold]
fn is_known<O: Operations>(operations: &O, state: &O::State, n_left: u64, case: &mut Case<'_>) -> bool {
    let Some(state) = operations.fingerprint(state) else { return false };
    let Some(mut seen) = case.observed().seen.take() else { return false };
    let is_known = seen.is_known(state, n_left, case.choices().recorded());
    case.observed().seen = Some(seen);
    is_known
}

/// Does one operation, and closes the span it was chosen in.
#[inline]
fn one_step<O: Operations>(
    operations: &O,
    op: usize,
    ordinal: u32,
    case: &mut Case<'_>,
    state: &mut O::State,
    counts: &mut ProgramCounts,
    before: &mut Option<usize>,
) -> Checked {
    let is_shown = case.is_detailed();
    if is_shown {
        case.observed().steps.push(ShownStep::new(operations.names()[op], ordinal));
    }
    let stepped = operations.step(op, state, &mut Step { case, ordinal, is_shown });
    if is_shown && matches!(stepped, Ok(Stepped::Refused)) {
        case.observed().steps.pop();
    }
    match stepped? {
        Stepped::Done => {
            counts.done(op, *before);
            *before = Some(op);
            case.choices().close();
        }
        Stepped::Refused => {
            counts.n_refused[op] += 1;
            case.choices().close_rejected();
        }
    }
    Ok(())
}

fn stuck(names: &[&str]) -> String {
    alloc::format!("no operation is possible in this state: the preconditions of all of {names:?} are false")
}
