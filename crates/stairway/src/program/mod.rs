//! Programs of calls: models beside systems, and results that later steps refer to.

mod answers;
pub(crate) mod await_errors;
pub(crate) mod borrowed_answers;
#[doc(hidden)]
pub mod call_source;
mod calls;
mod checker;
mod commutes;
pub(crate) mod conditions;
#[doc(hidden)]
pub mod contract;
mod drawn_function;
mod each_fault;
mod in_turn;
mod law;
mod model;
mod model_builder;
mod observation;
mod program_run;
mod reachable_states;
mod results;
#[doc(hidden)]
pub mod soundness;
#[doc(hidden)]
pub mod step_source;
mod type_names;

pub use calls::{CallsOf, ContractsChecker, check_contracts};
pub use checker::{HasPrograms, ModelChecker, ProgramLimits, Programs};
pub use commutes::commutes;
pub use contract::Contract;
pub use law::{Law, LawChecker};
pub use model::Model;
pub use model_builder::{ModelBuilder, Operation};
pub use program_run::ProgramRun;
pub use reachable_states::{ReachedStates, ReachedSystem, reached};
pub use results::{Argument, PassAs, Ref, Results};

/// What `#[model]`, `#[laws]` and `#[contract]` expand to, and only they.
#[doc(hidden)]
pub mod expanded {
    pub use super::answers::{AnswerDisplay, Anything, BrokenClause, SystemAnswerDisplay};
    pub use super::law::{About, Fragment, Instance};
    pub use super::model_builder::{Pairs, Traits, fingerprint_of};
    pub use super::observation::Observation;
    pub use super::program_run::{Answers, ClauseResult, Side, observed};
    pub use super::results::{LawResult, NamedResult, NamesOne, NoResult, pass_on};
}
