//! Programs of calls: models beside systems, and results that later steps refer to.

mod calls;
mod checker;
mod commutes;
pub mod contract;
mod law;
mod methods;
mod model;
mod observation;
mod results;
mod running;
mod shown;
mod spoken;
pub mod written;

pub use calls::{CallsChecker, CallsOf, calls, calls_checker};
pub use checker::{ModelChecker, ProgramChecker};
pub use commutes::commutes;
pub use contract::Contract;
pub use law::{About, Fragment, Instance, Law, LawChecker};
pub use methods::{Method, Methods, Pairs, Traits, fingerprint_of};
pub use model::Model;
pub use observation::Observation;
pub use results::{Argument, PassAs, Ref, Results};
pub use running::{Answers, Broken, Running, Side};
pub use shown::{Anything, Shown, ShownAlone};
