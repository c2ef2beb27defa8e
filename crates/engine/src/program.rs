//! Programs: sequences of operations on a state, generated while they run.
//!
//! Here is what programs are made of ([`Operations`]: what can be done, when, and how), what is shown and
//! counted of them; `steps.rs` runs one against one state. A program is a collection like any other to the
//! stream: a length, then one span for each step. So shrinking, replay and counting through all programs need
//! nothing of their own, except that a [`Reference`](crate::Shape::Reference) names the step whose result it
//! is and is renumbered when steps are deleted. What a step means (a model's answer, a contract, a law) is
//! for whoever implements the operations.

#[cfg(feature = "observations")]
use crate::attachment::{Attach, Attachment};
use crate::case::Case;
use crate::generate::Generate;
use crate::stop::{Checked, Stop};
use alloc::string::String;
use alloc::vec::Vec;
use stairway_choice::{Choices, StaticText};

/// What programs are made of.
pub trait Operations {
    /// What a program runs against: a model, a system, results of earlier steps.
    type State;

    /// Whether there may be more than [`MAX_OPERATIONS`]. Where there never are, programs take less code.
    const MAY_BE_MANY: bool = true;

    /// The operations' names; their position is what the other methods call `op`.
    fn names(&self) -> &'static [&'static str];

    /// The names under which steps are counted, if not each under that of its operation: then a step says
    /// itself what it [turned out](Step::turned_out) to be.
    fn counted_names(&self) -> &'static [&'static str] {
        self.names()
    }

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
    fn step(&self, op: usize, state: &mut Self::State, step: &mut Step<'_, '_>) -> Checked<StepOutcome>;

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
    /// that is known: programs that reach a state of another program are not explored further when
    /// all programs are tried.
    fn fingerprint(&self, _state: &Self::State) -> Option<u128> {
        None
    }

    /// Whether a program that has reached this state is over.
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
pub enum StepOutcome {
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
    /// At least this many steps, in programs that are searched through; those that shrinking leaves may have
    /// fewer.
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

/// What a step turned out to be, where that is not known before it draws: for whoever counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActualStep {
    /// The operation, as a position among those that are counted.
    pub op: usize,
    /// The operations that were not possible, a bit each, beside those whose weight says so.
    pub impossible: u128,
}

/// A step as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShownStep {
    /// The operation's name.
    #[cfg_attr(feature = "serde", serde(with = "stairway_choice::text"))]
    pub name: StaticText,
    /// Which step this is, from 0.
    pub ordinal: u32,
    /// Its arguments: name and value.
    #[cfg_attr(feature = "serde", serde(with = "crate::crossing::named"))]
    pub arguments: Vec<(StaticText, String)>,
    /// What the system answered.
    pub answer: String,
    /// The model's state after it, as far as it can be shown.
    pub state: String,
    /// The system's state after it, as far as it can be shown.
    pub system: String,
    /// What else there is to say about it.
    pub notes: Vec<String>,
    /// What the front end keeps with it.
    #[cfg(feature = "observations")]
    pub attachment: Attachment,
}

impl ShownStep {
    pub(crate) fn new(name: &'static str, ordinal: u32) -> Self {
        ShownStep { name, ordinal, ..ShownStep::default() }
    }
}

impl<'s, 'b> Step<'s, 'b> {
    #[inline(always)]
    pub(crate) const fn new(case: &'s mut Case<'b>, ordinal: u32, is_shown: bool) -> Self {
        Step { case, ordinal, is_shown }
    }

    /// Says what this step has turned out to be.
    pub const fn turned_out(&mut self, turned: ActualStep) {
        self.case.turned = turned;
        self.case.has_turned = true;
    }

    /// Draws a value from `generator`.
    ///
    /// # Errors
    /// Ends the case when no value can be made.
    #[inline]
    pub fn draw<G: Generate>(&mut self, generator: G) -> Checked<G::Value> {
        self.case.draw().draw(generator)
    }

    /// The stream of choices.
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn choices(&mut self) -> &mut Choices<'b> {
        self.case.choices()
    }

    /// The case this step belongs to.
    pub const fn case(&mut self) -> &mut Case<'b> {
        self.case
    }

    /// Which step this is, from 0: the name under which later steps refer to its result.
    #[must_use]
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn ordinal(&self) -> u32 {
        self.ordinal
    }

    /// Whether what happens here will be shown.
    #[must_use]
    #[cfg_attr(not(debug_assertions), inline)]
    pub const fn is_shown(&self) -> bool {
        self.is_shown
    }

    #[inline]
    fn shown(&mut self) -> Option<&mut ShownStep> {
        if self.is_shown { self.case.observed().steps.last_mut() } else { None }
    }

    fn edit_shown(&mut self, edit: impl FnOnce(&mut ShownStep)) {
        if let Some(shown) = self.shown() {
            edit(shown);
        }
    }

    /// Remembers the failure that the step is about to return; see [`Case::remember`].
    pub fn remember(&mut self, stop: Stop) -> Stop {
        self.case.remember(stop)
    }

    /// What the front end keeps with the step, if it is shown.
    #[cfg(feature = "observations")]
    #[inline]
    pub fn attached<T: Attach + Default>(&mut self) -> Option<&mut T> {
        self.shown().map(|shown| shown.attachment.get_or_default())
    }

    /// An argument was drawn: keeps it for showing, and for whoever listens in case the step
    /// [crashes](Case::checkpoint).
    #[inline]
    pub fn show_argument(&mut self, name: &'static str, show: impl FnOnce() -> String) {
        self.case.checkpoint();
        if self.is_shown {
            let value = self.case.shown(show);
            self.edit_shown(|shown| shown.arguments.push((name, value)));
            self.case.checkpoint();
        }
    }

    /// Shows argument number `k` in another way, where only the end of the step says how.
    pub fn show_argument_again(&mut self, k: usize, show: impl FnOnce() -> String) {
        if self.is_shown {
            let value = self.case.shown(show);
            self.edit_shown(|shown| {
                if let Some(argument) = shown.arguments.get_mut(k) {
                    argument.1 = value;
                }
            });
        }
    }

    /// Keeps the answer for showing.
    #[inline]
    pub fn show_answer(&mut self, show: impl FnOnce() -> String) {
        if self.is_shown {
            let answer = self.case.shown(show);
            self.edit_shown(|shown| shown.answer = answer);
        }
    }

    /// Keeps a further line about the step for showing.
    #[inline]
    pub fn show_note(&mut self, show: impl FnOnce() -> String) {
        if self.is_shown {
            let note = self.case.shown(show);
            self.edit_shown(|shown| shown.notes.push(note));
        }
    }

    /// Keeps the system's state after the step for showing.
    #[inline]
    pub fn show_system(&mut self, show: impl FnOnce() -> String) {
        if self.is_shown && self.ordinal < MAX_SHOWN_STATES {
            let state = self.case.shown(show);
            self.edit_shown(|shown| shown.system = state);
        }
    }

    /// Keeps the model's state after the step for showing, unless the program is a very long
    /// one: its states may be as large as it is long.
    #[inline]
    pub fn show_state(&mut self, show: impl FnOnce() -> String) {
        if self.is_shown && self.ordinal < MAX_SHOWN_STATES {
            let state = self.case.shown(show);
            self.edit_shown(|shown| shown.state = state);
        }
    }
}

/// How often things happened in programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ProgramCounts {
    /// The operations' names.
    #[cfg_attr(feature = "serde", serde(with = "stairway_choice::text::list"))]
    pub names: &'static [StaticText],
    /// How often each operation was done.
    #[cfg_attr(feature = "serde", serde(with = "crate::crossing::sparse"))]
    pub n_done: Vec<u64>,
    /// How often the arguments of each operation were refused.
    #[cfg_attr(feature = "serde", serde(with = "crate::crossing::sparse"))]
    pub n_refused: Vec<u64>,
    /// At how many steps each operation was not possible.
    #[cfg_attr(feature = "serde", serde(with = "crate::crossing::sparse"))]
    pub n_impossible: Vec<u64>,
    /// How often each operation was the first.
    #[cfg_attr(feature = "serde", serde(with = "crate::crossing::sparse"))]
    pub n_first: Vec<u64>,
    /// How often each operation (column) followed each (row), row by row; empty for more than
    /// [`MAX_OPERATIONS`], and where there is [no room](crate::Room::counts_order) for it.
    #[cfg_attr(feature = "serde", serde(with = "crate::crossing::sparse"))]
    pub follow: Vec<u64>,
}

impl ProgramCounts {
    /// Makes room for these operations.
    pub(crate) fn prepare(&mut self, names: &'static [&'static str]) {
        self.prepare_for(names, true);
    }

    /// The same, counting which operation follows which or not.
    pub(crate) fn prepare_for(&mut self, names: &'static [&'static str], counts_order: bool) {
        if self.names.is_empty() && !names.is_empty() {
            let n = names.len();
            self.names = names;
            for counts in [&mut self.n_done, &mut self.n_refused, &mut self.n_impossible, &mut self.n_first] {
                counts.resize(n, 0);
            }
            self.follow.resize(if n > MAX_OPERATIONS || !counts_order { 0 } else { n * n }, 0);
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

    /// Counts what was not possible before a step was done.
    #[cold]
    pub(crate) fn turned(&mut self, turned: ActualStep) {
        for (op, n_impossible) in self.n_impossible.iter_mut().enumerate() {
            *n_impossible += u64::from(op < 128 && turned.impossible >> op & 1 == 1);
        }
    }

    /// Counts an operation that was done after `before`, which it becomes.
    #[inline(always)]
    pub(crate) fn done(&mut self, op: usize, before: &mut LastOperation) {
        self.n_done[op] += 1;
        match self.follow.get_mut(before.row + op) {
            Some(n) => *n += 1,
            None => self.done_first(op, *before),
        }
        before.row = op * self.names.len();
    }

    /// Counts an operation that is the first of its program; unless the order of operations is not counted.
    #[cold]
    fn done_first(&mut self, op: usize, before: LastOperation) {
        if before == LastOperation::NOTHING {
            self.n_first[op] += 1;
        }
    }
}

/// The operation that was done last, as the row in which the next one is counted: nothing has to be asked of
/// it at every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LastOperation {
    row: usize,
}

impl LastOperation {
    /// No operation was done yet: there is no such row, and no column of it either.
    pub(crate) const NOTHING: LastOperation = LastOperation { row: usize::MAX / 2 };
}

/// After how many steps states are no longer shown.
const MAX_SHOWN_STATES: u32 = 1000;
/// How many operations a specification in Rust may have.
pub const MAX_OPERATIONS: usize = 128;
/// How many operations a program may be made of; from [`MAX_OPERATIONS`] on their weights live on the heap.
pub const MANY_OPERATIONS: usize = 1 << 14;
