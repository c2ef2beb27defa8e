//! Section `shortest`: how often a counterexample has as few steps as there can be, on systems that nobody
//! tuned for.
//!
//! Ten systems were there while the passes of shrinking were worked out (`own`), ten were written afterwards
//! (`fresh`), and five after the pass `shift` (`later`); what the passes came to on those when they were seen
//! for the first time is kept in `first_sight.tsv`. The shortest program is the shortest that any of a
//! thousand seeds ends with, for each failure by itself.

mod fresh;
mod later;
mod own;

use crate::findings::{Findings, Goal, Table};
use stairway::program::ModelChecker;
use stairway::report::{Outcome, words};
use stairway::{Model, Settings};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Seeds that are judged.
const N_SEEDS: u64 = 100;
/// Seeds among which the shortest programs are looked for.
const N_REFERENCE: u64 = 1_000;
const N_CASES: u64 = 20_000;
/// Percent of all counterexamples that have to be the shortest, and of those of one system.
const LEAST_OF_OWN: f64 = 97.0;
const LEAST_OF_ONE: f64 = 90.0;
const LEAST_OF_FRESH: f64 = 90.0;
/// Runs that shrinking may take, in the median of all and at most.
const MOST_RUNS: f64 = 300.0;
const MOST_RUNS_OF_ONE: f64 = 2_000.0;

/// What the first run on the fresh systems came to: name, shortest, seeds, median and most runs, as that run
/// printed them.
const FIRST_SIGHT: &str = include_str!("first_sight.tsv");

/// A system, and how it is searched with a seed.
type System = (&'static str, fn(u64) -> Option<Shrunk>);

const OWN: [System; 10] = [
    ("skip list", |seed| search(own::Keys::checker(), seed)),
    ("cache", |seed| search(own::Recent::checker(), seed)),
    ("intervals", |seed| search(own::Points::checker(), seed)),
    ("rope", |seed| search(own::Text::checker(), seed)),
    ("heap", |seed| search(own::Urgent::checker(), seed)),
    ("token bucket", |seed| search(own::Allowance::checker(), seed)),
    ("reference counts", |seed| search(own::Owners::checker(), seed)),
    ("digits", |seed| search(own::Number::checker(), seed)),
    ("journal", |seed| search(own::Durable::checker(), seed)),
    ("shards", |seed| search(own::Entries::checker(), seed)),
];

const FRESH: [System; 10] = [
    ("two levels", |seed| search(fresh::Newest::checker(), seed)),
    ("pushback", |seed| search(fresh::Stream::checker(), seed)),
    ("sessions", |seed| search(fresh::Idle::checker(), seed)),
    ("locks", |seed| search(fresh::Held::checker(), seed)),
    ("pages", |seed| search(fresh::Rows::checker(), seed)),
    ("undo", |seed| search(fresh::History::checker(), seed)),
    ("log", |seed| search(fresh::Latest::checker(), seed)),
    ("bank", |seed| search(fresh::Ledger::checker(), seed)),
    ("blocks", |seed| search(fresh::Used::checker(), seed)),
    ("window", |seed| search(fresh::Sums::checker(), seed)),
];

const LATER: [System; 5] = [
    ("bitmap", |seed| search(later::Bits::checker(), seed)),
    ("merged runs", |seed| search(later::Table::checker(), seed)),
    ("gap", |seed| search(later::Typed::checker(), seed)),
    ("lazy queue", |seed| search(later::Soonest::checker(), seed)),
    ("index", |seed| search(later::Words::checker(), seed)),
];

/// A counterexample as it is reported.
struct Shrunk {
    /// What fails.
    identity: String,
    n_steps: usize,
    n_runs: u64,
}

fn search<M: Model>(checker: ModelChecker<M>, seed: u64) -> Option<Shrunk> {
    let settings = Settings::new().without_regressions().cases(N_CASES).seed(seed);
    match checker.settings(settings).report().result.outcome {
        Outcome::Falsified(found) => Some(Shrunk {
            identity: words::identity(&found.failure),
            n_steps: found.observed.steps.len(),
            n_runs: found.shrinking.n_runs,
        }),
        _ => None,
    }
}

pub(crate) fn run(findings: &mut Findings) {
    let header =
        ["system", "found", "% shortest", "at first sight", "steps", "runs, median", "runs, most", "seconds"];
    let mut table = Table {
        title: "The shortest programs",
        about: format!(
            "Counterexamples of {N_SEEDS} seeds that have the fewest steps with which any of {N_REFERENCE} seeds ends, for each \
             failure by itself. The second ten systems were written after the passes of shrinking, and the last five after one more pass; what \
             these came to on them in the first run is in the column `at first sight`."
        ),
        header: header.iter().map(ToString::to_string).collect(),
        rows: Vec::new(),
    };
    let own = measure("own", &OWN, findings, &mut table);
    let fresh = measure("fresh", &FRESH, findings, &mut table);
    let later = measure("later", &LATER, findings, &mut table);
    findings.figure("shortest/own", own.percent, "percent", Some(Goal::AtLeast(LEAST_OF_OWN)));
    findings.figure("shortest/fresh", fresh.percent, "percent", Some(Goal::AtLeast(LEAST_OF_FRESH)));
    findings.figure("shortest/later", later.percent, "percent", Some(Goal::AtLeast(LEAST_OF_FRESH)));
    for (group, systems) in [("fresh", &FRESH[..]), ("later", &LATER[..])] {
        let first: Vec<f64> = systems.iter().filter_map(|(name, _)| first_sight(name)).collect();
        let first = first.iter().sum::<f64>() / first.len().max(1) as f64;
        findings.figure(
            format!("shortest/{group}/first"),
            first,
            "percent",
            Some(Goal::AtLeast(LEAST_OF_FRESH)),
        );
    }
    let mut runs = [own.runs, fresh.runs, later.runs].concat();
    runs.sort_unstable();
    findings.figure("shortest/runs", median(&runs), "runs", Some(Goal::AtMost(MOST_RUNS)));
    let most = runs.last().map_or(0.0, |most| *most as f64);
    findings.figure("shortest/runs/most", most, "runs", Some(Goal::AtMost(MOST_RUNS_OF_ONE)));
    findings.table(table);
}

/// What a group of systems came to.
struct Group {
    percent: f64,
    runs: Vec<u64>,
}

fn measure(group: &str, systems: &[System], findings: &mut Findings, table: &mut Table) -> Group {
    let (mut percents, mut runs) = (Vec::new(), Vec::new());
    for (name, search) in systems {
        eprintln!("shortest: {name}");
        let start = Instant::now();
        let all: Vec<(u64, Shrunk)> =
            (0..N_REFERENCE).filter_map(|seed| Some((seed, search(seed)?))).collect();
        let time = start.elapsed();
        let mut fewest: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, Shrunk { identity, n_steps, .. }) in &all {
            let known = fewest.entry(identity).or_insert(*n_steps);
            *known = (*known).min(*n_steps);
        }
        let judged: Vec<&Shrunk> = all.iter().filter(|(seed, _)| *seed < N_SEEDS).map(|(_, s)| s).collect();
        let n_shortest = judged.iter().filter(|s| s.n_steps == fewest[&*s.identity]).count();
        let percent = 100.0 * n_shortest as f64 / judged.len().max(1) as f64;
        let mut of_system: Vec<u64> = judged.iter().map(|s| s.n_runs).collect();
        of_system.sort_unstable();
        let steps: Vec<String> = fewest.values().map(ToString::to_string).collect();
        table.rows.push(row(name, (judged.len(), percent), &steps.join(", "), &of_system, time));
        let goal = (group == "own").then_some(Goal::AtLeast(LEAST_OF_ONE));
        findings.figure(format!("shortest/{group}/{name}"), percent, "percent", goal);
        percents.push(percent);
        runs.extend(of_system);
    }
    Group { percent: percents.iter().sum::<f64>() / percents.len().max(1) as f64, runs }
}

fn row(
    name: &str,
    (n_found, percent): (usize, f64),
    steps: &str,
    runs: &[u64],
    time: Duration,
) -> Vec<String> {
    let first = first_sight(name).map_or("-".to_string(), |percent| format!("{percent:.0}"));
    vec![
        name.to_string(),
        n_found.to_string(),
        format!("{percent:.0}"),
        first,
        steps.to_string(),
        format!("{:.0}", median(runs)),
        runs.last().unwrap_or(&0).to_string(),
        format!("{:.1}", time.as_secs_f64()),
    ]
}

/// Of how many percent the first run ended at the shortest.
fn first_sight(name: &str) -> Option<f64> {
    let columns = FIRST_SIGHT.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let found = columns.into_iter().find(|columns| columns[0] == name)?;
    let number = |k: usize| found.get(k)?.parse::<f64>().ok();
    Some(100.0 * number(1)? / number(2)?)
}

fn median(sorted: &[u64]) -> f64 {
    sorted.get(sorted.len() / 2).map_or(0.0, |median| *median as f64)
}
