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
mod reachable_states;
mod results;
mod running;
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
pub use reachable_states::{Reached, ReachedStates, reached};
pub use results::{Argument, PassAs, Ref, Results};
pub use running::Running;

/// What `#[model]`, `#[laws]` and `#[contract]` expand to, and only they.
#[doc(hidden)]
pub mod expanded {
    pub use super::answers::{Anything, BrokenClause, Shown, ShownAlone};
    pub use super::law::{About, Fragment, Instance};
    pub use super::model_builder::{Pairs, Traits, fingerprint_of};
    pub use super::observation::Observation;
    pub use super::results::{Given, NamedResult, NamesOne, NoResult, pass_on};
    pub use super::running::{Answers, Broken, Side, observed};
}
