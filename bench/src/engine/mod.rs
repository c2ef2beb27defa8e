//! Section `engine`: how fast values are generated, what a case costs, how well and how fast
//! counterexamples shrink.

mod cases;
mod challenges;
mod linearity;
mod tree;
mod vectors;

use crate::findings::{Findings, Goal};
use crate::measure::Reached;
use crate::speeds::Speeds;

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
    Speeds { section: "engine", name, title, unit, about, goal_against }.keep(findings, reached);
}
