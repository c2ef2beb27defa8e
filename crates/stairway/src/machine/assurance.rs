//! What it is worth that a formula did not fail: proved, bounded or sampled, in words, in pictures and as JSON.

use super::Picture;
use crate::json;
use std::fmt;

/// What it is worth that nothing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Assurance {
    /// All states were explored, with all their steps.
    Proved {
        /// How many states there are.
        states: usize,
        /// How many steps lead from one to another.
        steps: usize,
    },
    /// All runs were explored up to a number of steps.
    Bounded {
        /// That number.
        depth: u32,
        /// How many states were explored.
        states: usize,
    },
    /// Not all arguments of operations were tried, or no states were explored.
    Sampled {
        /// How many states were explored.
        states: usize,
        /// How many random traces were drawn.
        traces: u64,
    },
}

impl Assurance {
    /// `proved`, `bounded` or `sampled`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Assurance::Proved { .. } => "proved",
            Assurance::Bounded { .. } => "bounded",
            Assurance::Sampled { .. } => "sampled",
        }
    }

    /// Writes a line into the file that `STAIRWAY_REPORT` names, if it does.
    pub(super) fn write_json(self, property: &str, machine: &Picture) {
        let mut content = match self {
            Assurance::Proved { states, steps } => {
                serde_json::json!({ "assurance": self.name(), "states": states, "steps": steps })
            }
            Assurance::Bounded { depth, states } => {
                serde_json::json!({ "assurance": self.name(), "states": states, "depth": depth })
            }
            Assurance::Sampled { states, traces } => {
                serde_json::json!({ "assurance": self.name(), "states": states, "traces": traces })
            }
        };
        content["machine"] = machine.to_json();
        if let Some(warning) = json::append_info(property, &self.to_string(), &content) {
            println!("{warning}");
        }
    }
}

impl fmt::Display for Assurance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Assurance::Proved { states, steps } => {
                write!(f, "proved: all {states} states and {steps} steps between them were explored")
            }
            Assurance::Bounded { depth, states } => write!(
                f,
                "bounded: it holds on all runs of up to {depth} steps, in which {states} states were explored"
            ),
            Assurance::Sampled { states: 0, traces } => {
                write!(f, "sampled: it holds on {traces} random traces")
            }
            Assurance::Sampled { states, traces } => write!(
                f,
                "sampled: it holds on {states} states that were explored with some of the arguments, and on {traces} random traces"
            ),
        }
    }
}
