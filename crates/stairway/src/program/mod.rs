//! Programs of calls: models beside systems, and results that later steps refer to.

mod calls;
mod checker;
mod commutes;
pub(crate) mod conditions;
pub mod contract;
mod law;
mod model;
mod model_builder;
mod observation;
mod results;
mod running;
mod shown;
pub mod soundness;
mod type_names;
pub mod written;

pub use calls::{CallsOf, ContractsChecker, check_contracts};
pub use checker::{ModelChecker, ProgramChecker};
pub use commutes::commutes;
pub use contract::Contract;
pub use law::{About, Fragment, Instance, Law, LawChecker};
pub use model::Model;
pub use model_builder::{ModelBuilder, Operation, Pairs, Traits, fingerprint_of};
pub use observation::Observation;
pub use results::{Argument, PassAs, Ref, Results};
pub use running::{Answers, Broken, Running, Side};
pub use shown::{Anything, BrokenClause, Shown, ShownAlone};
