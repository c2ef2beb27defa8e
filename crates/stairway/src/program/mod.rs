//! Programs of calls: models beside systems, and results that later steps refer to.

mod allowed;
mod checker;
mod model;
mod results;

pub use allowed::Allowed;
pub use checker::ModelChecker;
pub use model::{Model, Running, Shown};
pub use results::{Argument, PassAs, Ref, Results};
