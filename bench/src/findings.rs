//! What a section found: tables for people, figures for programs.

use serde_json::json;
use std::fmt;

/// Everything one section found.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) tables: Vec<Table>,
    pub(crate) figures: Vec<Figure>,
}

impl Findings {
    /// Keeps a table, and says on the terminal that this part is done.
    pub(crate) fn table(&mut self, table: Table) {
        eprintln!("{table}");
        self.tables.push(table);
    }

    pub(crate) fn figure(
        &mut self,
        name: impl Into<String>,
        value: f64,
        unit: &'static str,
        goal: Option<Goal>,
    ) {
        self.figures.push(Figure { name: name.into(), value, unit, goal });
    }
}

/// Rows under a heading, in Markdown.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) title: &'static str,
    /// What was measured and how.
    pub(crate) about: String,
    pub(crate) header: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "### {}\n\n{}\n", self.title, self.about)?;
        let line = |f: &mut fmt::Formatter<'_>, row: &[String]| writeln!(f, "| {} |", row.join(" | "));
        line(f, &self.header)?;
        let rule = |i: usize| if i == 0 { "---" } else { "---:" }.to_string();
        line(f, &(0..self.header.len()).map(rule).collect::<Vec<_>>())?;
        self.rows.iter().try_for_each(|row| line(f, row))
    }
}

/// A bound that a figure should keep to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    AtLeast(f64),
    AtMost(f64),
}

impl Goal {
    fn is_met_by(self, value: f64) -> bool {
        match self {
            Goal::AtLeast(bound) => value >= bound,
            Goal::AtMost(bound) => value <= bound,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::AtLeast(bound) => write!(f, ">= {bound}"),
            Goal::AtMost(bound) => write!(f, "<= {bound}"),
        }
    }
}

/// One number.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    pub(crate) goal: Option<Goal>,
}

impl Figure {
    /// A figure without a goal is met.
    pub(crate) fn is_met(&self) -> bool {
        self.goal.is_none_or(|goal| goal.is_met_by(self.value))
    }

    pub(crate) fn to_json(&self) -> String {
        json!({
            "figure": self.name,
            "value": (self.value * 1000.0).round() / 1000.0,
            "unit": self.unit,
            "goal": self.goal.map(|goal| goal.to_string()),
            "met": self.is_met(),
        })
        .to_string()
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {:.2} {}", self.name, self.value, self.unit)?;
        self.goal.map_or(Ok(()), |goal| write!(f, ", goal {goal}"))
    }
}
