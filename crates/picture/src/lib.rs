//! Pictures of state machines: DOT, Mermaid and SVG, with guards, coverage and a highlighted path.
//!
//! Draws the names of states and what leads from one to another as text. It knows neither machines nor
//! reports, so that the macro can put a picture into a module's documentation and a test can draw what it has
//! seen.

mod draw;

use std::fmt::Write as _;

/// A picture of a machine.
///
/// ```
/// use stairway_picture::Picture;
///
/// let mut door = Picture::new("door", &["Open", "Shut"], 0);
/// door.edge(0, 1, "push");
/// assert!(door.mermaid().contains("Open --> Shut: push"));
/// assert!(door.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    /// The machine's name.
    pub name: String,
    /// The names of its states.
    pub states: Vec<String>,
    /// The states in which it may end, by position.
    pub terminal: Vec<usize>,
    /// Where it starts.
    pub start: usize,
    /// What leads from one state to another, each pair once.
    pub edges: Vec<Edge>,
    /// Whether [`Edge::count`] means something.
    pub has_counts: bool,
    /// What is written below it, a line each.
    pub captions: Vec<String>,
}

/// All transitions from one state to another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it begins.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// What stands there, a line each.
    pub labels: Vec<String>,
    /// How often it was taken.
    pub count: u64,
    /// Positions on the highlighted path.
    pub path: Vec<usize>,
}

impl Picture {
    /// States without edges.
    #[must_use]
    pub fn new(name: &str, states: &[&str], start: usize) -> Self {
        Picture {
            name: name.to_string(),
            states: states.iter().map(ToString::to_string).collect(),
            terminal: Vec::new(),
            start,
            edges: Vec::new(),
            has_counts: false,
            captions: Vec::new(),
        }
    }

    /// Adds a transition between two states, given by position.
    pub fn edge(&mut self, from: usize, to: usize, label: &str) {
        let edge = self.edges.iter_mut().find(|edge| (edge.from, edge.to) == (from, to));
        let label = label.to_string();
        match edge {
            Some(edge) if edge.labels.contains(&label) => {}
            Some(edge) => edge.labels.push(label),
            None => self.edges.push(Edge { from, to, labels: vec![label], count: 0, path: Vec::new() }),
        }
    }

    /// Highlights a path from the start through the states of these names.
    pub fn highlight(&mut self, states: &[&str]) {
        let mut at = self.start;
        for (k, name) in states.iter().enumerate() {
            let Some(to) = self.states.iter().position(|state| state == name) else { continue };
            if let Some(edge) = self.edges.iter_mut().find(|edge| (edge.from, edge.to) == (at, to)) {
                edge.path.push(k + 1);
            }
            at = to;
        }
    }

    /// The picture for Graphviz.
    #[must_use]
    pub fn dot(&self) -> String {
        let mut out =
            format!("digraph {} {{\n  rankdir=LR;\n  node [shape=box, style=rounded];\n", self.name);
        let _ = writeln!(out, "  start [shape=point];\n  start -> {};", self.states[self.start]);
        for state in &self.terminal {
            let _ = writeln!(out, "  {} [peripheries=2];", self.states[*state]);
        }
        for edge in &self.edges {
            let mut style = String::new();
            if !edge.path.is_empty() {
                style += ", color=\"#c0392b\", fontcolor=\"#c0392b\"";
            }
            if self.has_counts {
                let _ = write!(style, ", penwidth={:.1}", draw::width(edge.count, self.most()));
                if edge.count == 0 {
                    style += ", style=dashed";
                }
            }
            let label = self.label(edge).join("\\n").replace('"', "\\\"");
            let (from, to) = (&self.states[edge.from], &self.states[edge.to]);
            let _ = writeln!(out, "  {from} -> {to} [label=\"{label}\"{style}];");
        }
        if !self.captions.is_empty() {
            let lines = self.captions.join("\\l").replace('"', "\\\"");
            let _ = writeln!(out, "  label=\"{lines}\\l\";");
        }
        out + "}\n"
    }

    /// The picture for Mermaid, which GitHub and many editors show.
    #[must_use]
    pub fn mermaid(&self) -> String {
        let mut out = format!("stateDiagram-v2\n  [*] --> {}\n", self.states[self.start]);
        for edge in &self.edges {
            // A colon or a semicolon would end the label.
            let label = self.label(edge).join(" | ").replace("::", ".").replace([':', ';'], " ");
            let _ = writeln!(out, "  {} --> {}: {label}", self.states[edge.from], self.states[edge.to]);
        }
        for state in &self.terminal {
            let _ = writeln!(out, "  {} --> [*]", self.states[*state]);
        }
        if !self.captions.is_empty() {
            let lines = self.captions.join("\n    ");
            let _ = writeln!(out, "  note right of {}\n    {lines}\n  end note", self.states[self.start]);
        }
        out
    }

    /// The picture as SVG, without blank lines, so that it can stand in documentation.
    #[must_use]
    pub fn svg(&self) -> String {
        draw::svg(self)
    }

    fn most(&self) -> u64 {
        self.edges.iter().map(|edge| edge.count).max().unwrap_or(0)
    }

    /// What stands at an edge.
    fn label(&self, edge: &Edge) -> Vec<String> {
        let mut lines = edge.labels.clone();
        if self.has_counts {
            lines.push(format!("{} times", edge.count));
        }
        if !edge.path.is_empty() {
            let steps: Vec<String> = edge.path.iter().map(ToString::to_string).collect();
            lines.push(format!("step {}", steps.join(", ")));
        }
        lines
    }
}
