//! Machines where there is an operating system: their properties at test time, the real systems that they
//! describe, and their pictures.
//!
//! `#[machine]` and `temporal!` expand to calls of this module. Random search is the engine's, and judging is done
//! by the functions that the compiler runs: `property` runs formulas under `cargo test`, on all states (`explore`,
//! `verdict`, `assurance`) and on random traces (`formula_run`, `transitions`), `driver` tests real systems,
//! `picture` draws, `rejection` gives programs to rustc that must not compile.

mod assurance;
mod driver;
mod explore;
mod formula_run;
mod picture;
mod property;
mod rejection;
mod stamp;
mod transitions;
mod verdict;

pub use assurance::Assurance;
pub use driver::{Driver, DriverChecker};
pub use explore::{StateSpace, explore};
pub use picture::Picture;
pub use property::{assurance, check_formula, check_function, formula_report, outcome};
pub use rejection::assert_rejected;
use stairway_engine::Choices;
#[doc(hidden)]
pub use stairway_machine as core;
pub use stairway_machine::Standing;
pub use stairway_machine::{Channel, Copies, Numbered, S, Scrutiny, Undriven, Which, Z};
use stairway_machine::{Counterexample, Exploration, StateGraph, Tables, Text};
#[cfg(feature = "macros")]
pub use stairway_macros::compose;
#[cfg(feature = "macros")]
#[doc(hidden)]
pub use stairway_macros::composed as __composed;
use std::fmt::Debug;

/// A transition as the machine's text has it: positions of its states and its operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Where it begins.
    pub from: usize,
    /// What is done.
    pub op: usize,
    /// Where it leads.
    pub to: usize,
    /// The operation with its result and guard.
    pub label: &'static str,
}

/// What `#[machine]` implements for the `Machine` of its module.
pub trait Machine: 'static {
    /// Its states.
    type State: Copy + Debug + PartialEq + Send + Sync + 'static;
    /// Its operations.
    type Op: Copy + Debug + Send + Sync + 'static;
    /// Its name.
    const NAME: &'static str;
    /// Where it starts.
    const START: Self::State;
    /// The names of its states.
    const STATES: &'static [&'static str];
    /// The names of its operations, as methods.
    const OPS: &'static [&'static str];
    /// The states in which it may end.
    const TERMINAL: &'static [bool];
    /// Its transitions.
    const TRANSITIONS: &'static [Transition];
    /// Where each operation is possible, in words.
    const POSSIBLE: &'static [&'static str];
    /// How likely each operation is, state by state; 0 where it is not possible.
    const WEIGHTS: &'static [&'static [u32]];
    /// Whether it says itself which operations are drawn.
    const HAS_OPTIONS: bool;
    /// Where an operation leads.
    fn next(state: Self::State, op: Self::Op) -> Option<Self::State>;
    /// Draws a step.
    fn draw(
        state: Self::State,
        choices: &mut Choices<'_>,
        scrutiny: Scrutiny<'_>,
    ) -> Option<(Self::Op, Self::State)>;
    /// Draws the arguments of an operation for a driver, which gives its result; the one in it means nothing.
    /// A machine with `options` draws an operation of its own.
    fn draw_call(state: Self::State, op: usize, choices: &mut Choices<'_>) -> Option<Self::Op>;
    /// Whether it is certain that nothing is possible in a state in which nothing was drawn.
    fn is_end(state: &Self::State, scrutiny: Scrutiny<'_>) -> bool;
    /// Whether an operation may be possible, whatever its result.
    fn may(state: Self::State, op: Self::Op) -> bool;
    /// An operation as Rust source.
    fn source(op: &Self::Op) -> String;
    /// The position of a state's name.
    fn state_index(state: &Self::State) -> usize;
    /// The position of an operation's name.
    fn op_index(op: &Self::Op) -> usize;
    /// What tells states apart.
    fn key_of(state: &Self::State) -> u128;
    /// What tells operations apart.
    fn key_of_op(op: &Self::Op) -> u128;
    /// Makes all steps from the state that an exploration has opened, each argument among those worth trying.
    fn expand(
        exploration: &mut Exploration<'_, Self::State, Self::Op>,
        choices: &mut Choices<'_>,
        scrutiny: Scrutiny<'_>,
    );
    /// Writes a run along steps that were explored.
    fn show_path(
        text: &mut Text,
        graph: &StateGraph<'_, Self::State, Self::Op>,
        path: &[u32],
        found: Counterexample,
    );
    /// An operation's arguments with their names, and its result.
    fn parts(op: &Self::Op) -> (Vec<(&'static str, String)>, String);
}

/// A formula about a machine, as `temporal!` makes it.
#[derive(Debug)]
pub struct Formula<M: Machine> {
    /// The property's name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Its documentation.
    pub doc: &'static str,
    /// The formula as tables.
    pub tables: Tables,
    /// Which predicates hold after an operation that led to a state.
    pub letter: fn(Option<&M::Op>, &M::State) -> u32,
    /// The text of conditions that should be met somewhere.
    pub condition_texts: &'static [&'static str],
    /// What its predicates look at in operations.
    pub scrutiny: Scrutiny<'static>,
    /// Whether `within(auto, ..)` is in it.
    pub is_auto: bool,
    /// Whether runs may end while something is waited for.
    pub may_be_open: bool,
    /// Whether states are not explored.
    pub is_random: bool,
    /// How many traces a test draws.
    pub n_traces: u64,
    /// Their usual length.
    pub depth: u64,
    /// How many times longer some of them are.
    pub times: u64,
    /// How many states a test explores.
    pub max_states: usize,
    /// How far from the start.
    pub max_depth: u32,
}

impl<M: Machine> Clone for Formula<M> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<M: Machine> Copy for Formula<M> {}
