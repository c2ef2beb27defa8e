//! Pictures of machines: DOT, Mermaid and SVG, with guards, coverage and a highlighted path.
//!
//! Receives a machine's transitions and what happened on them, hands on text. Layout is `draw`'s.

use super::draw;
use super::{Machine, Transition};
use crate::report::Report;
use std::collections::BTreeMap;
use std::fmt::Write as _;

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
    pub(super) name: &'static str,
    pub(super) states: &'static [&'static str],
    pub(super) start: usize,
    pub(super) terminal: &'static [bool],
    /// The edges, each once: where from, where to, what stands there.
    pub(super) edges: Vec<Line>,
    pub(super) has_counts: bool,
}

/// An edge of a picture: all transitions from one state to another.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) labels: Vec<&'static str>,
    ops: Vec<usize>,
    /// How often it was taken, if that is known.
    pub(super) count: u64,
    /// Positions on the highlighted path.
    pub(super) path: Vec<usize>,
}

impl Picture {
    /// The picture of a machine.
    #[must_use]
    pub fn of<M: Machine>() -> Self {
        let mut edges: Vec<Line> = Vec::new();
        for Transition { from, op, to, label } in M::TRANSITIONS {
            match edges.iter_mut().find(|line| (line.from, line.to) == (*from, *to)) {
                Some(line) => {
                    if !line.labels.contains(label) {
                        line.labels.push(label);
                    }
                    line.ops.push(*op);
                }
                None => edges.push(Line {
                    from: *from,
                    to: *to,
                    labels: vec![label],
                    ops: vec![*op],
                    count: 0,
                    path: Vec::new(),
                }),
            }
        }
        Picture {
            name: M::NAME,
            states: M::STATES,
            start: M::state_index(&M::START),
            terminal: M::TERMINAL,
            edges,
            has_counts: false,
        }
    }

    /// With the number of cases that took each transition, from the report of a test: edges that were
    /// taken more are thicker, those that were never taken are dashed.
    #[must_use]
    pub fn coverage(mut self, report: &Report) -> Self {
        let tables = &report.result.statistics.tables;
        let Some(table) = tables.get("transitions taken") else { return self };
        self.has_counts = true;
        let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
        for (row, n) in &table.rows {
            let Some((from, rest)) = row.split_once(" -- ") else { continue };
            let Some((_, to)) = rest.rsplit_once(" --> ") else { continue };
            *counts.entry((from.to_string(), to.to_string())).or_default() += n;
        }
        for line in &mut self.edges {
            let key = (self.states[line.from].to_string(), self.states[line.to].to_string());
            line.count = counts.get(&key).copied().unwrap_or(0);
        }
        self
    }

    /// With the counterexample of a report as a highlighted path.
    #[must_use]
    pub fn counterexample(self, report: &Report) -> Self {
        let Some(found) = report.counterexample() else { return self };
        let states: Vec<&str> = found
            .observed
            .steps
            .iter()
            .map(|step| step.state.split([' ', '(']).next().unwrap_or_default())
            .collect();
        self.path(&states)
    }

    /// With a path from the start through the states of these names highlighted.
    #[must_use]
    pub fn path(mut self, states: &[&str]) -> Self {
        let mut at = self.start;
        for (k, name) in states.iter().enumerate() {
            let Some(to) = self.states.iter().position(|state| state == name) else { continue };
            if let Some(line) = self.edges.iter_mut().find(|line| (line.from, line.to) == (at, to)) {
                line.path.push(k + 1);
            }
            at = to;
        }
        self
    }

    /// The picture for Graphviz.
    #[must_use]
    pub fn dot(&self) -> String {
        let mut out =
            format!("digraph {} {{\n  rankdir=LR;\n  node [shape=box, style=rounded];\n", self.name);
        let _ = writeln!(out, "  start [shape=point];\n  start -> {};", self.states[self.start]);
        for (state, _) in self.states.iter().zip(self.terminal).filter(|(_, is_terminal)| **is_terminal) {
            let _ = writeln!(out, "  {state} [peripheries=2];");
        }
        for line in &self.edges {
            let mut style = String::new();
            if !line.path.is_empty() {
                style += ", color=\"#c0392b\", fontcolor=\"#c0392b\"";
            }
            if self.has_counts {
                let _ = write!(style, ", penwidth={:.1}", draw::width(line.count, self.most()));
                if line.count == 0 {
                    style += ", style=dashed";
                }
            }
            let label = self.label(line).join("\\n").replace('"', "\\\"");
            let _ = writeln!(
                out,
                "  {} -> {} [label=\"{label}\"{style}];",
                self.states[line.from], self.states[line.to]
            );
        }
        out + "}\n"
    }

    /// The picture for Mermaid, which GitHub and many editors show.
    #[must_use]
    pub fn mermaid(&self) -> String {
        let mut out = format!("stateDiagram-v2\n  [*] --> {}\n", self.states[self.start]);
        for line in &self.edges {
            // A colon or a semicolon would end the label.
            let label = self.label(line).join(" | ").replace("::", ".").replace([':', ';'], " ");
            let _ = writeln!(out, "  {} --> {}: {label}", self.states[line.from], self.states[line.to]);
        }
        for (state, _) in self.states.iter().zip(self.terminal).filter(|(_, is_terminal)| **is_terminal) {
            let _ = writeln!(out, "  {state} --> [*]");
        }
        out
    }

    /// The picture as SVG, without blank lines, so that it can stand in documentation:
    /// `#![doc = include_str!("atm.svg")]`.
    #[must_use]
    pub fn svg(&self) -> String {
        draw::svg(self)
    }

    pub(super) fn most(&self) -> u64 {
        self.edges.iter().map(|line| line.count).max().unwrap_or(0)
    }

    /// What stands at an edge.
    pub(super) fn label(&self, line: &Line) -> Vec<String> {
        let mut lines: Vec<String> = line.labels.iter().map(ToString::to_string).collect();
        if self.has_counts {
            lines.push(format!("{} times", line.count));
        }
        if !line.path.is_empty() {
            let steps: Vec<String> = line.path.iter().map(ToString::to_string).collect();
            lines.push(format!("step {}", steps.join(", ")));
        }
        lines
    }
}
