//! Pictures of machines: DOT, Mermaid and SVG, with guards, coverage and a highlighted path.
//!
//! Turns a machine's transitions, and how often tests took them, into text. Drawing is the work of
//! `stairway-picture`.

use super::transitions;
use super::verdict::{ExploredVerdict, explored_verdict};
use super::{Formula, Machine, Transition};
use crate::program::step_source;
use crate::report::Report;
use stairway_engine::ShownStep;
use std::collections::BTreeMap;

/// A picture of a machine.
///
/// ```
/// use stairway::prelude::*;
///
/// #[machine(start = Open)]
/// pub mod door {
///     pub enum State { Open, Shut }
///     pub enum Op { Push, Pull }
///     fn next(s: State, op: Op) -> State {
///         match (s, op) { (Open, Push) => Shut, (Shut, Pull) => Open }
///     }
/// }
///
/// let mermaid = door::picture().mermaid();
/// assert!(mermaid.contains("Open --> Shut: push"));
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    drawn: stairway_picture::Picture,
    /// Whether it shows a machine whose tests count transitions.
    has_transitions: bool,
}

impl Picture {
    /// The picture of a machine.
    #[must_use]
    pub fn of<M: Machine>() -> Self {
        let mut picture = stairway_picture::Picture::new(M::NAME, M::STATES, M::state_index(&M::START));
        let is_terminal = |(k, is_terminal): (usize, &bool)| is_terminal.then_some(k);
        picture.terminal = M::TERMINAL.iter().enumerate().filter_map(is_terminal).collect();
        for Transition { from, to, label, .. } in M::TRANSITIONS {
            picture.edge(*from, *to, label);
        }
        Picture { drawn: picture, has_transitions: true }
    }

    /// The picture of a composed machine: its parts, and what they do together.
    #[must_use]
    pub fn composed(name: &str, parts: &[(&str, Picture)], captions: &[&str]) -> Self {
        let named = |(name, part): &(&str, Picture)| {
            let mut part = part.drawn.clone();
            part.name = (*name).to_string();
            part
        };
        let captions = captions.iter().map(ToString::to_string).collect();
        let drawn = stairway_picture::Picture::composed(name, parts.iter().map(named).collect(), captions);
        Picture { drawn, has_transitions: false }
    }

    /// With the number of cases that took each transition, from the report of a test: edges that were
    /// taken more are thicker, those that were never taken are dashed.
    #[must_use]
    pub fn coverage(mut self, report: &Report) -> Self {
        let taken = transitions::taken(report);
        if taken.is_empty() || !self.has_transitions {
            return self;
        }
        let mut counts: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for ((from, _, to), n) in taken {
            *counts.entry((from, to)).or_default() += n;
        }
        self.drawn.has_counts = true;
        for edge in &mut self.drawn.edges {
            edge.count = counts.get(&(edge.from, edge.to)).copied().unwrap_or(0);
        }
        self
    }

    /// With the counterexample of a report as a highlighted path.
    #[must_use]
    pub fn counterexample(self, report: &Report) -> Self {
        match report.counterexample() {
            Some(found) => self.steps(&found.observed.steps),
            None => self,
        }
    }

    /// With the states after these steps as a highlighted path.
    pub(super) fn steps(self, steps: &[ShownStep]) -> Self {
        let states = steps.iter().filter_map(|step| step_source::of(step).state);
        let names: Vec<String> = states.filter_map(|k| self.drawn.states.get(k).cloned()).collect();
        self.path(&names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// With a path from the start through the states of these names highlighted.
    #[must_use]
    pub fn path(mut self, states: &[&str]) -> Self {
        self.drawn.highlight(states);
        self
    }

    /// With a line below it that says what a formula is worth: proved, bounded or sampled, or that it does
    /// not hold.
    #[must_use]
    pub fn verdict<M: Machine>(mut self, formula: &Formula<M>) -> Self {
        let verdict = match explored_verdict(formula) {
            Ok(ExploredVerdict { assurance: Some(assurance), .. }) => assurance.to_string(),
            Ok(_) => "not decided".to_string(),
            Err(_) => "does not hold".to_string(),
        };
        self.drawn.captions.push(format!("{}: {verdict}", formula.name));
        self
    }

    /// The picture as data, for a report that somebody else draws.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(&self.drawn).unwrap_or_default()
    }

    /// The picture for Graphviz.
    #[must_use]
    pub fn dot(&self) -> String {
        self.drawn.dot()
    }

    /// The picture for Mermaid, which GitHub and many editors show.
    #[must_use]
    pub fn mermaid(&self) -> String {
        self.drawn.mermaid()
    }

    /// The picture as SVG, without blank lines, so that it can stand in documentation. The module's own
    /// documentation has it already.
    #[must_use]
    pub fn svg(&self) -> String {
        self.drawn.svg()
    }
}
