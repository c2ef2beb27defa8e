//! Programs of calls: models beside systems, and results that later steps refer to.

pub(crate) mod awaited;
#[doc(hidden)]
pub mod call_source;
mod calls;
mod checker;
mod commutes;
pub(crate) mod conditions;
#[doc(hidden)]
pub mod contract;
mod drawn_function;
mod in_turn;
mod law;
mod model;
mod model_builder;
mod observation;
pub(crate) mod owned;
mod reached;
mod results;
mod running;
mod shown;
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
pub use reached::{Reached, ReachedStates, reached};
pub use results::{Argument, PassAs, Ref, Results};
pub use running::Running;

/// What `#[model]`, `#[laws]` and `#[contract]` expand to, and only they.
#[doc(hidden)]
pub mod expanded {
    pub use super::law::{About, Fragment, Instance};
    pub use super::model_builder::{Pairs, Traits, fingerprint_of};
    pub use super::observation::Observation;
    pub use super::results::{Given, NamedResult, NamesOne, NoResult, pass_on};
    pub use super::running::{Answers, Broken, Side, observed};
    pub use super::shown::{Anything, BrokenClause, Shown, ShownAlone};
}
