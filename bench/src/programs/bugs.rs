//! Planted bugs: how many steps it takes to find them, how short the programs get, in how many
//! runs.

use super::probe::{Found, observe};
use super::queue::{self, Bug};
use super::{handles, wrapping};
use crate::findings::{Findings, Goal, Table};
use crate::peers;
use std::time::{Duration, Instant};

/// Programs that a tool may take to find a bug.
const N_CASES: u64 = 20_000;
const N_SEEDS_OF_STAIRWAY: u64 = 100;
const N_SEEDS_OF_PEERS: u64 = 100;
/// A tool that takes longer than this for one bug is not given further seeds.
const PATIENCE: Duration = Duration::from_secs(15);
/// Runs that shrinking may take in the median.
const MOST_RUNS: f64 = 200.0;
/// Programs in which the bug behind a large capacity is found, for every one of so many seeds.
const N_CASES_OF_B2: u64 = 100;
const N_SEEDS_OF_B2: u64 = 15;

type Search = fn(n_cases: u64, seed: u64);

const ON_QUEUE: &[(&str, Search)] = &[
    ("stairway", queue::with_stairway),
    ("quickcheck", queue::with_quickcheck),
    ("proptest", queue::with_proptest),
    ("hegel", queue::with_hegel),
];
const ON_HANDLES: &[(&str, Search)] = &[
    ("stairway", handles::with_stairway),
    ("quickcheck", handles::with_quickcheck),
    ("proptest", handles::with_proptest),
    ("hegel", handles::with_hegel),
];

/// A bug and who looks for it, Stairway first.
struct Planted {
    name: &'static str,
    bug: Bug,
    /// Steps of the shortest program that shows it.
    n_steps: u64,
    tools: &'static [(&'static str, Search)],
}

const PLANTED: &[Planted] = &[
    Planted { name: "WrapFull", bug: Bug::WrapFull, n_steps: 7, tools: ON_QUEUE },
    Planted { name: "StaleClear", bug: Bug::StaleClear, n_steps: 4, tools: ON_QUEUE },
    Planted { name: "BigWrap", bug: Bug::BigWrap, n_steps: 10, tools: ON_QUEUE },
    Planted { name: "Handles", bug: Bug::None, n_steps: 6, tools: ON_HANDLES },
    Planted { name: "B1", bug: Bug::None, n_steps: 5, tools: &[("stairway", wrapping::b1)] },
];

pub(crate) fn run(findings: &mut Findings) {
    let header = [
        "bug",
        "tool",
        "seeds",
        "found",
        "steps to it",
        "shortest",
        "% shortest",
        "runs to shrink",
        "seconds",
    ];
    let mut table = Table {
        title: "Planted bugs",
        about: format!(
            "Median of the steps executed up to the first failure; of the failures found, those shrunk to the \
             shortest length; median of the programs executed after the first failure. Programs have at most \
             50 steps; at most {N_CASES} programs a seed ({N_CASES_OF_B2} for B2) and {PATIENCE:?} a line."
        ),
        header: header.iter().map(ToString::to_string).collect(),
        rows: Vec::new(),
    };
    peers::panics_are_shown(false);
    for planted in PLANTED {
        look_for(planted, findings, &mut table);
    }
    look_for_b2(findings, &mut table);
    peers::panics_are_shown(true);
    findings.table(table);
}

fn look_for(planted: &Planted, findings: &mut Findings, table: &mut Table) {
    let Planted { name, bug, n_steps, tools } = *planted;
    queue::plant(bug);
    let mut best_peer = f64::INFINITY;
    // The peers first: the goal is the best of them.
    for (tool, search) in tools.iter().rev() {
        eprintln!("{name}: {tool}");
        let is_ours = *tool == "stairway";
        let n_seeds = if is_ours { N_SEEDS_OF_STAIRWAY } else { N_SEEDS_OF_PEERS };
        let tally = Tally::of(n_seeds, |seed| search(N_CASES, seed));
        let at = table.rows.iter().position(|row| row[0] == name).unwrap_or(table.rows.len());
        table.rows.insert(at, tally.row(name, tool, n_steps));
        let steps = tally.median(|found| found.n_steps);
        let steps_goal = (is_ours && best_peer.is_finite()).then_some(Goal::AtMost(best_peer));
        // A median over the seeds that found nothing would flatter.
        if tally.found.len() as u64 == tally.n_seeds {
            best_peer = best_peer.min(steps);
        }
        let figure = |what| format!("programs/{name}/{tool}/{what}");
        let goal = |goal: Goal| is_ours.then_some(goal);
        let all = goal(Goal::AtLeast(n_seeds as f64));
        findings.figure(figure("found"), tally.found.len() as f64, "seeds", all);
        if is_ours || !tally.found.is_empty() {
            let smallest = goal(Goal::AtLeast(100.0));
            findings.figure(figure("steps"), steps, "steps", steps_goal);
            findings.figure(figure("shortest"), tally.percent_of_length(n_steps), "percent", smallest);
            let runs = tally.median(|found| found.n_runs);
            findings.figure(figure("runs"), runs, "runs", goal(Goal::AtMost(MOST_RUNS)));
        }
    }
}

/// Few programs fill a capacity of 32: what matters is that one of a hundred does.
fn look_for_b2(findings: &mut Findings, table: &mut Table) {
    eprintln!("B2: stairway");
    let search = |seed| wrapping::b2(N_CASES_OF_B2, seed);
    let first = Tally::of(N_SEEDS_OF_B2, search);
    let goal = Goal::AtLeast(N_SEEDS_OF_B2 as f64);
    findings.figure("programs/B2/stairway/found", first.found.len() as f64, "seeds", Some(goal));
    let all = Tally::of(N_SEEDS_OF_STAIRWAY, search);
    table.rows.push(all.row("B2", "stairway", 35));
    findings.figure("programs/B2/stairway/steps", all.median(|found| found.n_steps), "steps", None);
    findings.figure("programs/B2/stairway/runs", all.median(|found| found.n_runs), "runs", None);
}

/// What the seeds of one tool came to.
struct Tally {
    n_seeds: u64,
    found: Vec<Found>,
    time: Duration,
}

impl Tally {
    fn of(n_seeds: u64, search: impl Fn(u64)) -> Tally {
        let start = Instant::now();
        let mut tally = Tally { n_seeds: 0, found: Vec::new(), time: Duration::ZERO };
        for seed in 0..n_seeds {
            if start.elapsed() > PATIENCE {
                break;
            }
            tally.n_seeds += 1;
            tally.found.extend(observe(|| search(seed)));
        }
        tally.time = start.elapsed();
        tally
    }

    fn median(&self, of: impl Fn(&Found) -> u64) -> f64 {
        let mut all: Vec<u64> = self.found.iter().map(of).collect();
        all.sort_unstable();
        all.get(all.len() / 2).map_or(f64::INFINITY, |median| *median as f64)
    }

    fn percent_of_length(&self, n_steps: u64) -> f64 {
        let n = self.found.iter().filter(|found| found.length == n_steps).count();
        100.0 * n as f64 / self.found.len().max(1) as f64
    }

    fn row(&self, name: &str, tool: &str, n_steps: u64) -> Vec<String> {
        let mut row = vec![name.to_string(), tool.to_string(), self.n_seeds.to_string()];
        row.push(self.found.len().to_string());
        if self.found.is_empty() {
            row.extend(["-".to_string(), n_steps.to_string(), "-".to_string(), "-".to_string()]);
        } else {
            row.push(format!("{:.0}", self.median(|found| found.n_steps)));
            row.push(n_steps.to_string());
            row.push(format!("{:.0}", self.percent_of_length(n_steps)));
            row.push(format!("{:.0}", self.median(|found| found.n_runs)));
        }
        row.push(format!("{:.1}", self.time.as_secs_f64()));
        row
    }
}
