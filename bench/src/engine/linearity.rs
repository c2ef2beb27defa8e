//! The cost of a case must not grow with the number of cases.

use super::vectors::with_stairway;
use crate::findings::{Findings, Goal, Table};
use crate::measure::{Contender, race};

/// How much more a case may cost in a run of many than in a run of few.
const MOST: f64 = 1.3;

pub(crate) fn run(findings: &mut Findings) {
    let of = |n_cases| Contender { tool: "stairway", n_cases, run: with_stairway };
    let reached = race(&[of(1_000), of(10_000), of(100_000)]);
    let header = ["cases", "ns/case", "times that of 1,000"];
    let mut table = Table {
        title: "Linearity",
        about: "Time per case in runs of different length, for the property over `Vec<i32>`.".to_string(),
        header: header.iter().map(ToString::to_string).collect(),
        rows: Vec::new(),
    };
    for (n, one) in ["1,000", "10,000", "100,000"].into_iter().zip(&reached) {
        let growth = one.ns_per_case / reached[0].ns_per_case;
        table.rows.push(vec![n.to_string(), format!("{:.0}", one.ns_per_case), format!("{growth:.2}")]);
        if n != "1,000" {
            findings.figure(format!("engine/linearity/{n}"), growth, "times", Some(Goal::AtMost(MOST)));
        }
    }
    findings.table(table);
}
