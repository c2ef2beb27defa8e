//! How far exploring goes: a grid of cells, by the compiler and in a program, in a debug build and in a
//! release build.

use super::projects::Projects;
use super::{N_LONG, best};
use crate::findings::{Findings, Goal};

/// A grid of so many cells on a side, and steps to all neighbours.
fn grid(side: usize) -> String {
    let axes = [("x", "Right", "Left"), ("y", "Up", "Down"), ("z", "Out", "In")];
    let arms: String = axes
        .iter()
        .map(|(axis, more, less)| {
            let moved = |by: &str| {
                let to = |name: &&str| {
                    if name == axis { format!("{name}: {name} {by} 1") } else { name.to_string() }
                };
                ["x", "y", "z"].iter().map(to).collect::<Vec<_>>().join(", ")
            };
            format!(
                "            (At {{ x, y, z }}, {more}) if {axis} + 1 < SIDE => At {{ {} }},\n            \
                 (At {{ x, y, z }}, {less}) if {axis} > 0 => At {{ {} }},\n",
                moved("+"),
                moved("-")
            )
        })
        .collect();
    format!(
        "use stairway::prelude::*;\n#[machine(start = At {{ x: 0, y: 0, z: 0 }})]\npub mod grid {{\n    \
         pub const SIDE: u8 = {side};\n    pub enum State {{ At {{ x: u8, y: u8, z: u8 }} }}\n    \
         pub enum Op {{ Right, Left, Up, Down, Out, In }}\n    fn next(s: State, op: Op) -> State {{\n        \
         match (s, op) {{\n{arms}        }}\n    }}\n}}\n"
    )
}

/// Explores a million cells, and prints how many there are, the seconds, and the memory that this took.
const PROGRAM: &str = r#"
fn held_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn main() {
    // The program's own code is in memory then, and only the states are measured.
    drop(stairway::machine::explore::<grid::Machine>(1_000, u32::MAX, stairway::machine::Scrutiny::NONE));
    let (before, start) = (held_kb(), std::time::Instant::now());
    let explored = stairway::machine::explore::<grid::Machine>(2_000_000, u32::MAX, stairway::machine::Scrutiny::NONE);
    let seconds = start.elapsed().as_secs_f64();
    println!("{} {seconds} {}", explored.graph().states.len(), held_kb() - before);
}
"#;

/// The crates that this needs.
pub(super) fn crates() -> Vec<(&'static str, String)> {
    let branching = "temporal! { back in grid, proved: always(can_reach(at(At { x: 0, y: 0, z: 0 }))) }\n";
    let safety = "temporal! { inside in grid, proved, states(20000): always(not(at(At { x: 22.., .. }))) }\n";
    vec![
        ("thousand", format!("{}{branching}", grid(10))),
        ("ten_thousand", format!("{}{safety}", grid(22))),
        ("million", format!("{}{PROGRAM}", grid(100))),
    ]
}

/// What exploring costs the compiler, more than an empty crate; and how fast programs explore.
pub(super) fn rows(findings: &mut Findings, projects: &Projects) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (name, what, goal) in [
        ("thousand", "1,000 states and 5,400 steps, `always(can_reach(..))`", 1.0),
        ("ten_thousand", "10,648 states and 60,984 steps, a safety property", 10.0),
    ] {
        let (mut empties, mut costs) = (Vec::new(), Vec::new());
        for _ in 0..N_LONG {
            empties.push(projects.checked("empty").0);
            let (cost, output) = projects.checked(name);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            costs.push(cost);
        }
        let added = best(&costs, |cost| cost.cpu_seconds) - best(&empties, |cost| cost.cpu_seconds);
        let waited = best(&costs, |cost| cost.seconds) - best(&empties, |cost| cost.seconds);
        let memory = costs.iter().map(|cost| cost.peak_mb).fold(0.0, f64::max);
        findings.figure(format!("machines/{name} states"), added, "s", Some(Goal::AtMost(goal)));
        let cells = [format!("{added:.2} s"), format!("{waited:.2} s"), format!("{memory:.0} MB")];
        rows.push([vec![what.to_string()], cells.to_vec(), vec![format!("{goal:.0} s")]].concat());
    }
    for (profile, arguments, goal) in
        [("debug", vec!["run"], 200_000.0), ("release", vec!["run", "--release"], 1_000_000.0)]
    {
        let output = projects.cargo(&arguments, "million").1;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [states, seconds, kb] = numbers[..] else {
            panic!("{text}{}", String::from_utf8_lossy(&output.stderr))
        };
        let (speed, bytes) = (states / seconds, kb * 1024.0 / states);
        findings.figure(
            format!("machines/states a second ({profile})"),
            speed,
            "states/s",
            Some(Goal::AtLeast(goal)),
        );
        findings.figure(
            format!("machines/bytes a state ({profile})"),
            bytes,
            "bytes",
            Some(Goal::AtMost(64.0)),
        );
        rows.push(vec![
            format!(
                "{states:.0} states in a test ({profile} build), {bytes:.0} bytes each with the steps from it"
            ),
            format!("{:.0} states/s", speed),
            format!("{seconds:.2} s"),
            format!("{:.0} MB", kb / 1024.0),
            format!("{goal:.0} states/s, 64 bytes"),
        ]);
    }
    rows
}
