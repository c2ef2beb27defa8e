//! A table of speeds, and how Stairway's compares with each.

use crate::findings::{Findings, Goal, Table};
use crate::measure::Reached;

/// What is compared, and what should come of it.
pub(crate) struct Speeds<'a> {
    /// What figures begin with.
    pub(crate) section: &'static str,
    pub(crate) name: &'a str,
    pub(crate) title: &'static str,
    /// What is counted.
    pub(crate) unit: &'static str,
    pub(crate) about: &'a str,
    /// How much faster than a tool Stairway should be.
    pub(crate) goal_against: fn(tool: &str) -> Goal,
}

impl Speeds<'_> {
    /// Keeps what the contenders reached; Stairway comes first.
    pub(crate) fn keep(&self, findings: &mut Findings, reached: &[Reached]) {
        let Speeds { section, name, title, unit, about, goal_against } = *self;
        let header =
            ["tool", &format!("million {unit}/s"), &format!("{unit}/case"), "ns/case", "stairway / tool"];
        let mut table = Table {
            title,
            about: about.to_string(),
            header: header.iter().map(ToString::to_string).collect(),
            rows: Vec::new(),
        };
        let ours = reached[0].per_second;
        for Reached { tool, per_second, per_case, ns_per_case } in reached {
            let ratio = ours / per_second;
            table.rows.push(vec![
                (*tool).to_string(),
                format!("{:.3}", per_second / 1e6),
                format!("{per_case:.1}"),
                format!("{ns_per_case:.0}"),
                format!("{ratio:.2}"),
            ]);
            findings.figure(format!("{section}/{name}/{tool}"), *per_second, unit, None);
            if *tool != "stairway" {
                findings.figure(
                    format!("{section}/{name}/stairway:{tool}"),
                    ratio,
                    "times",
                    Some(goal_against(tool)),
                );
            }
        }
        findings.table(table);
    }
}
