//! Section `engine`: how fast values are generated, what a case costs, how well and how fast
//! counterexamples shrink.

mod cases;
mod challenges;
mod linearity;
mod tree;
mod vectors;

use crate::findings::{Findings, Goal, Table};
use crate::measure::Reached;

pub(crate) fn run(findings: &mut Findings) {
    vectors::run(findings);
    tree::run(findings);
    cases::run(findings);
    linearity::run(findings);
    challenges::run(findings);
}

/// How much faster than a tool Stairway should be.
fn goal_against(tool: &str) -> Goal {
    Goal::AtLeast(if tool == "quickcheck" { 1.0 } else { 10.0 })
}

/// A table of speeds and how they compare with Stairway's, which comes first.
fn speeds(
    findings: &mut Findings,
    (name, title): (&str, &'static str),
    unit: &'static str,
    about: &str,
    reached: &[Reached],
) {
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
        findings.figure(format!("engine/{name}/{tool}"), *per_second, unit, None);
        if *tool != "stairway" {
            findings.figure(
                format!("engine/{name}/stairway:{tool}"),
                ratio,
                "times",
                Some(goal_against(tool)),
            );
        }
    }
    findings.table(table);
}
