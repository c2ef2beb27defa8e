//! Section `machines`: what checks at compile time cost, each against an empty crate that is checked in the
//! same round.

mod projects;
mod scale;

use crate::findings::{Findings, Goal, Table};
use projects::{Cost, Projects};

/// How often each crate is checked. What the compiler does is the same each time, so the best round counts:
/// others are those in which somebody else was busy, too.
const N_ROUNDS: usize = 11;
/// The same for what takes seconds.
const N_LONG: usize = 5;

const ARQ: &str = include_str!("arq.rs");
const WRONG_ATM: &str = include_str!("wrong_atm.rs");
/// Another file of a crate, in two versions.
const OTHER: [&str; 2] =
    ["pub fn other() -> u32 { 1 }\n", "pub fn other() -> u32 { 2 }\n\npub fn more() {}\n"];
/// A program that uses a machine.
const MAIN: &str = "\nfn main() {\n    let ready = arq::start();\n    println!(\"packet {}\", ready.n);\n}\n";

/// A property of ARQ on so many traces.
fn check(n_traces: u32) -> String {
    format!(
        "\ntemporal! {{\n    no_waiting_twice in arq, random({n_traces}), depth(20):\n        \
         always(implies(at(Waiting {{ .. }}), next(not(at(Waiting {{ .. }})))))\n}}\n"
    )
}

pub(crate) fn run(findings: &mut Findings) {
    let arq = |n_traces| format!("{ARQ}{}", check(n_traces));
    let program = format!("{ARQ}{MAIN}");
    let mut crates = vec![
        ("empty", String::new()),
        ("declared", ARQ.to_string()),
        ("hundred", arq(100)),
        ("thousands", arq(10_000)),
        ("edited", "pub mod other;\npub mod protocol;\n".to_string()),
        ("refuted", WRONG_ATM.to_string()),
        ("program", program.clone()),
    ];
    crates.extend(scale::crates());
    let projects = Projects::with(&crates);
    projects.write("edited/src/protocol.rs", &arq(1_000));
    projects.write("edited/src/other.rs", OTHER[0]);
    eprintln!("building the dependencies");
    let (_, built) = projects.cargo(&["check"], "empty");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let mut rows = vec![
        added(findings, &projects, "declared", N_ROUNDS),
        added(findings, &projects, "hundred", N_ROUNDS),
        added(findings, &projects, "thousands", N_LONG),
        added(findings, &projects, "refuted", N_ROUNDS),
        edited(findings, &projects),
        same(findings, &projects, &program),
        lines(findings),
    ];
    rows.extend(scale::rows(findings, &projects));
    findings.table(Table {
        title: "What the compiler is asked to do",
        about: "What a machine and its checks add to `cargo check`: seconds of the processor more than for an empty crate that depends \
                on Stairway too, checked in turns with it, and seconds waited, which are as many where nothing else runs; the best of eleven rounds, of five for 10,000 traces and for the edited file. ARQ is the machine of the paper, with its generator; its traces have 20 \
                steps. Nothing is known of a crate from an earlier check, except where a file is edited: there a check of 1,000 \
                traces was made before, and what is shown is what the check of the edited crate takes in all. Memory is what rustc held at most. The grids are cells in three dimensions with steps to all \
                neighbours; a program explores a million of them, as a test does."
            .to_string(),
        header: ["what", "", "waited", "memory", "goal"].map(String::from).to_vec(),
        rows,
    });
}

/// The words, the goals and the name of the figure of each crate that is checked.
fn words(name: &str) -> (&'static str, Option<f64>, Option<f64>) {
    match name {
        "declared" => ("ARQ alone: handles, its states explored, nothing odd about it", None, None),
        "hundred" => ("ARQ and 100 traces", Some(0.2), None),
        "thousands" => ("ARQ and 10,000 traces", Some(8.0), Some(300.0)),
        _ => ("the wrong cash machine, refuted by exploring it", Some(1.0), None),
    }
}

/// What a crate adds to an empty one.
fn added(findings: &mut Findings, projects: &Projects, name: &str, n_rounds: usize) -> Vec<String> {
    let (what, most_seconds, most_mb) = words(name);
    let (mut empties, mut costs) = (Vec::new(), Vec::new());
    for _ in 0..n_rounds {
        empties.push(projects.checked("empty").0);
        let (cost, output) = projects.checked(name);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if name == "refuted" {
            assert!(said.contains("`pin_phase_ends` of machine `atm` does not hold"), "{said}");
        } else {
            assert!(output.status.success(), "{said}");
        }
        costs.push(cost);
    }
    let waited = best(&costs, |cost| cost.seconds) - best(&empties, |cost| cost.seconds);
    let added = best(&costs, |cost| cost.cpu_seconds) - best(&empties, |cost| cost.cpu_seconds);
    let peak_mb = costs.iter().map(|cost| cost.peak_mb).fold(0.0, f64::max);
    findings.figure(format!("machines/{name}"), added, "s", most_seconds.map(Goal::AtMost));
    findings.figure(format!("machines/{name}/waited"), waited, "s", None);
    findings.figure(format!("machines/{name}/memory"), peak_mb, "MB", most_mb.map(Goal::AtMost));
    let goals = [most_seconds.map(|s| format!("{s} s")), most_mb.map(|mb| format!("{mb:.0} MB"))];
    let goals: Vec<String> = goals.into_iter().flatten().collect();
    let memory = format!("{peak_mb:.0} MB");
    vec![what.to_string(), format!("{added:.2} s"), format!("{waited:.2} s"), memory, goals.join(", ")]
}

/// Whether an edit of another file lets the checks run again.
fn edited(findings: &mut Findings, projects: &Projects) -> Vec<String> {
    let (mut first, mut again) = (Vec::new(), Vec::new());
    for _ in 0..N_LONG {
        first.push(projects.checked("edited").0);
        for text in [OTHER[1], OTHER[0]] {
            projects.write("edited/src/other.rs", text);
            again.push(projects.cargo(&["check"], "edited").0);
        }
    }
    let waited = best(&again, |cost| cost.seconds);
    let (first, again) = (best(&first, |cost| cost.cpu_seconds), best(&again, |cost| cost.cpu_seconds));
    // The checks are three quarters of the first check: a third of it would not do if they were run again.
    findings.figure("machines/edited:first", again / first, "times", Some(Goal::AtMost(1.0 / 3.0)));
    let what = format!("another file of the crate is edited (the first check took {first:.2} s)");
    let goal = "a third of the first".to_string();
    vec![what, format!("{again:.2} s"), format!("{waited:.2} s"), String::new(), goal]
}

/// Whether checks leave anything in a release binary.
fn same(findings: &mut Findings, projects: &Projects, program: &str) -> Vec<String> {
    let without = projects.binary("program", program);
    let with = projects.binary("program", &format!("{program}{}", check(100)));
    let n = without.iter().zip(&with).filter(|(a, b)| a != b).count() + without.len().abs_diff(with.len());
    findings.figure("machines/bytes that differ", n as f64, "bytes", Some(Goal::AtMost(0.0)));
    let what = format!("bytes of {} that differ in a release binary with and without a check", without.len());
    vec![what, n.to_string(), String::new(), String::new(), "0".to_string()]
}

/// How long the declaration of ARQ is.
fn lines(findings: &mut Findings) -> Vec<String> {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
    let n = ARQ.lines().filter(is_code).count();
    findings.figure("machines/lines of ARQ", n as f64, "lines", Some(Goal::AtMost(32.0)));
    let what = "lines of ARQ with its generator".to_string();
    vec![what, n.to_string(), String::new(), String::new(), "about 30".to_string()]
}

fn best(costs: &[Cost], of: impl Fn(&Cost) -> f64) -> f64 {
    costs.iter().map(of).fold(f64::MAX, f64::min)
}
