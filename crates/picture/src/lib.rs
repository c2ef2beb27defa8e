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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// The parts of a composed machine, which stand in place of its own states.
    pub parts: Vec<Picture>,
}

/// All transitions from one state to another.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// Whether every state that it speaks of is there: what was read from a file may say anything.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let is_state = |state: &usize| *state < self.states.len();
        let are_joined = self.edges.iter().all(|edge| is_state(&edge.from) && is_state(&edge.to));
        match self.parts.is_empty() {
            true => is_state(&self.start) && are_joined && self.terminal.iter().all(is_state),
            false => self.parts.iter().all(Picture::is_sound),
        }
    }

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
            parts: Vec::new(),
        }
    }

    /// A machine that is made of others, each of which is drawn by itself, and what is said of them together.
    #[must_use]
    pub fn composed(name: &str, parts: Vec<Picture>, captions: Vec<String>) -> Self {
        // A part that is made of others stands for them.
        let flat = |part: Picture| if part.parts.is_empty() { vec![part] } else { part.parts };
        Picture { parts: parts.into_iter().flat_map(flat).collect(), captions, ..Picture::new(name, &[], 0) }
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
        for (k, part) in self.parts.iter().enumerate() {
            let _ = writeln!(out, "  subgraph cluster_{k} {{\n  label=\"{}\";", part.name);
            for state in &part.states {
                let _ = writeln!(out, "  p{k}_{state} [label=\"{state}\"];");
            }
            part.write_dot(&mut out, &format!("p{k}_"));
            out += "  }\n";
        }
        if self.parts.is_empty() {
            self.write_dot(&mut out, "");
        }
        if !self.captions.is_empty() {
            let lines = self.captions.join("\\l").replace('"', "\\\"");
            let _ = writeln!(out, "  label=\"{lines}\\l\";");
        }
        out + "}\n"
    }

    /// States and edges, each name behind what tells the parts apart.
    fn write_dot(&self, out: &mut String, before: &str) {
        let start = &self.states[self.start];
        let _ = writeln!(out, "  {before}start [shape=point];\n  {before}start -> {before}{start};");
        for state in &self.terminal {
            let _ = writeln!(out, "  {before}{} [peripheries=2];", self.states[*state]);
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
            let _ = writeln!(out, "  {before}{from} -> {before}{to} [label=\"{label}\"{style}];");
        }
    }

    /// The picture for Mermaid, which GitHub and many editors show.
    #[must_use]
    pub fn mermaid(&self) -> String {
        let mut out = String::from("stateDiagram-v2\n");
        for (k, part) in self.parts.iter().enumerate() {
            let _ = writeln!(out, "  state \"{}\" as p{k} {{", part.name);
            for state in &part.states {
                let _ = writeln!(out, "  state \"{state}\" as p{k}_{state}");
            }
            part.write_mermaid(&mut out, &format!("p{k}_"));
            out += "  }\n";
        }
        if self.parts.is_empty() {
            self.write_mermaid(&mut out, "");
        }
        if !self.captions.is_empty() {
            let lines = self.captions.join("\n    ");
            let beside = if self.parts.is_empty() { &self.states[self.start] } else { "p0" };
            let _ = writeln!(out, "  note right of {beside}\n    {lines}\n  end note");
        }
        out
    }

    fn write_mermaid(&self, out: &mut String, before: &str) {
        let _ = writeln!(out, "  [*] --> {before}{}", self.states[self.start]);
        for edge in &self.edges {
            // A colon or a semicolon would end the label.
            let label = self.label(edge).join(" | ").replace("::", ".").replace([':', ';'], " ");
            let (from, to) = (&self.states[edge.from], &self.states[edge.to]);
            let _ = writeln!(out, "  {before}{from} --> {before}{to}: {label}");
        }
        for state in &self.terminal {
            let _ = writeln!(out, "  {before}{} --> [*]", self.states[*state]);
        }
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
