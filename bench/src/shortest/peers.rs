//! Five of the systems with proptest-state-machine and hegel beside Stairway: how many counterexamples are the
//! shortest, in how many runs and in what time.

use super::newest::peers::{folders, joined_sets, rights, run_queue, timer_wheel};
use super::{N_CASES, NEWEST, median};
use crate::findings::{Findings, Table};
use crate::peers;
use crate::programs::probe::observe;
use std::time::{Duration, Instant};

const N_SEEDS: u64 = 100;
/// A tool that takes longer than this for one system is not given further seeds.
const PATIENCE: Duration = Duration::from_secs(20);

type Search = fn(n_cases: u64, seed: u64);

/// A system, by the name it has in [`NEWEST`], and the peers.
const SYSTEMS: [(&str, Search, Search); 5] = [
    ("joined sets", joined_sets::with_proptest, joined_sets::with_hegel),
    ("timer wheel", timer_wheel::with_proptest, timer_wheel::with_hegel),
    ("rights", rights::with_proptest, rights::with_hegel),
    ("run queue", run_queue::with_proptest, run_queue::with_hegel),
    ("folders", folders::with_proptest, folders::with_hegel),
];

/// What a tool came to with one seed: steps of the counterexample, and programs run to make it small.
type Shrunk = (u64, u64);

struct Tool {
    name: &'static str,
    n_seeds: u64,
    found: Vec<Shrunk>,
    time: Duration,
}

impl Tool {
    fn of(name: &'static str, search: impl Fn(u64) -> Option<Shrunk>) -> Tool {
        let start = Instant::now();
        let (mut n_seeds, mut found) = (0, Vec::new());
        while n_seeds < N_SEEDS && start.elapsed() < PATIENCE {
            found.extend(search(n_seeds));
            n_seeds += 1;
        }
        Tool { name, n_seeds, found, time: start.elapsed() }
    }

    fn row(&self, system: &str, fewest: u64) -> Vec<String> {
        let n_shortest = self.found.iter().filter(|(n_steps, _)| *n_steps == fewest).count();
        let mut runs: Vec<u64> = self.found.iter().map(|(_, n_runs)| *n_runs).collect();
        runs.sort_unstable();
        vec![
            system.to_string(),
            self.name.to_string(),
            self.n_seeds.to_string(),
            self.found.len().to_string(),
            fewest.to_string(),
            format!("{:.0}", 100.0 * n_shortest as f64 / self.found.len().max(1) as f64),
            format!("{:.0}", median(&runs)),
            format!("{:.1}", self.time.as_secs_f64()),
        ]
    }
}

pub(super) fn run(findings: &mut Findings) {
    let header =
        ["system", "tool", "seeds", "found", "steps", "% shortest", "runs to shrink, median", "seconds"];
    let mut table = Table {
        title: "The shortest programs, beside the peers",
        about: format!(
            "Five of the systems above: counterexamples with the fewest steps with which any tool ends, programs \
             executed after the first failure, and the time for all seeds with the search. At most {N_CASES} programs a \
             seed, and {PATIENCE:?} a line."
        ),
        header: header.iter().map(ToString::to_string).collect(),
        rows: Vec::new(),
    };
    peers::panics_are_shown(false);
    for (name, with_proptest, with_hegel) in SYSTEMS {
        eprintln!("shortest, peers: {name}");
        let tools = tools(name, with_proptest, with_hegel);
        let lengths = tools.iter().flat_map(|tool| &tool.found).map(|(n_steps, _)| *n_steps);
        let fewest = lengths.min().unwrap_or(0);
        table.rows.extend(tools.iter().map(|tool| tool.row(name, fewest)));
    }
    peers::panics_are_shown(true);
    findings.table(table);
}

fn tools(name: &str, with_proptest: Search, with_hegel: Search) -> [Tool; 3] {
    let ours = NEWEST.iter().find(|(other, _)| *other == name).map(|(_, search)| *search);
    let with_peer = |search: Search| {
        move |seed| {
            let found = observe(|| search(N_CASES, seed))?;
            Some((found.length, found.n_runs))
        }
    };
    [
        Tool::of("stairway", |seed| {
            let found = ours?(seed)?;
            Some((found.n_steps as u64, found.n_runs))
        }),
        Tool::of("proptest", with_peer(with_proptest)),
        Tool::of("hegel", with_peer(with_hegel)),
    ]
}
