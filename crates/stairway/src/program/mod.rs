//! Programs of calls: models beside systems, and results that later steps refer to.

mod allowed;
mod calls;
mod checker;
pub mod contract;
mod model;
mod results;

pub use allowed::Allowed;
pub use calls::{CallsChecker, CallsOf, calls, calls_checker};
pub use checker::{ModelChecker, ProgramChecker};
pub use contract::Contract;
pub use model::{Model, Running, Shown, Spec};
pub use results::{Argument, PassAs, Ref, Results};
