//! What is known of a formula after exploring: that it is proved, bounded, sampled, refuted or not decided, in
//! words, in pictures and as JSON.

use super::Picture;
use crate::{json, json_summary, render_program};
use serde_json::Value;
use stairway_engine::ShownStep;
use std::fmt;

/// Why a formula that was explored is no success.
#[derive(Debug)]
pub(super) struct Refutation {
    pub(super) kind: RefutationKind,
    /// The report.
    pub(super) text: String,
    /// How many states were explored.
    pub(super) n_states: usize,
    /// The run that refutes it, and where its cycle begins.
    pub(super) steps: Vec<ShownStep>,
    pub(super) cycle_from: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum RefutationKind {
    /// A run was found on which it does not hold.
    Refuted,
    /// One of its conditions is never met.
    Vacuous,
    /// It is about more states than can be explored.
    Undecided,
}

impl Refutation {
    pub(super) fn without_run(kind: RefutationKind, text: String, n_states: usize) -> Self {
        Refutation { kind, text, n_states, steps: Vec::new(), cycle_from: None }
    }

    /// Writes a line into the file that `STAIRWAY_REPORT` names, if it does.
    pub(super) fn write_json(&self, property: &str, machine: Picture) {
        let (assurance, title) = match self.kind {
            RefutationKind::Refuted => ("refuted", "falsified"),
            RefutationKind::Vacuous => ("vacuous", "not checked"),
            RefutationKind::Undecided => ("undecided", "not decided"),
        };
        let mut content =
            serde_json::json!({ "assurance": assurance, "states": self.n_states, "text": self.text });
        if let RefutationKind::Refuted = self.kind {
            let steps = self.steps.iter().zip(render_program::calls(&self.steps)).map(json_summary::step);
            content["counterexample"] = serde_json::json!({
                "message": "the formula does not hold",
                "steps": steps.collect::<Vec<Value>>(),
                "cycle_from": self.cycle_from,
            });
        }
        content["machine"] = machine.steps(&self.steps).to_json();
        json::append_line("alert", property, title, &content);
    }
}

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
        json::append_line("info", property, &self.to_string(), &content);
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
