//! Isolation elsewhere than on Linux: it is refused, with a word why.
//!
//! The counterpart of `isolate.rs` on other systems; everything else of the crate works there.

use crate::report;
use stairway_engine::{Case, Checked, Execute, Execution, Observations, Plan, Recording};
use stairway_sandbox::Permissions;
use std::time::Duration;

/// No process here is a worker.
pub(crate) fn is_worker_for(_: &str) -> bool {
    false
}

/// No process here is a worker.
pub(crate) fn is_worker() -> bool {
    false
}

/// Never reached: see [`is_worker_for`].
pub(crate) fn serve(_: &dyn Fn(&mut Case<'_>) -> Checked, _: bool) -> ! {
    refuse()
}

/// Never reached: see [`is_worker_for`].
pub(crate) fn enter(_: &Permissions) {}

/// There are no workers.
pub fn load() {}

/// There are no workers.
pub fn retire() {}

/// Never used: see [`IsolatedExecutor`].
pub(crate) fn arguments_of(_: &str) -> Vec<String> {
    Vec::new()
}

/// Never used: see [`IsolatedExecutor`].
pub(crate) fn arguments(_: &str) -> Vec<String> {
    Vec::new()
}

/// Refused as soon as it is asked for.
pub(crate) struct IsolatedExecutor;

impl IsolatedExecutor {
    pub(crate) fn new(
        _: &str,
        _: Vec<crate::Worker>,
        _: Option<Duration>,
        _: usize,
        _: Option<&Permissions>,
    ) -> Self {
        refuse()
    }
}

impl Execute for IsolatedExecutor {
    fn execute(&mut self, _: &Plan<'_>, _: Option<&mut Recording>, _: &mut Observations) -> Execution {
        refuse()
    }
}

fn refuse() -> ! {
    report::fail("stairway: `isolate` and `timeout` need Linux; leave them out on this system".to_string())
}
