//! Section `shortest`: how often a counterexample has as few steps as there can be, on systems that nobody
//! tuned for.
//!
//! Ten systems were there while the passes of shrinking were worked out (`own`), ten were written afterwards
//! (`fresh`), five after the pass `shift` (`later`) and ten more at the end (`newest`); what the passes came to
//! on those when they were seen for the first time is kept in `first_sight.tsv`. The shortest program is the
//! shortest that any of a thousand seeds ends with, for each failure by itself; where a system has two mistakes
//! that fail alike, for each of these. To which of them a program belongs is found by mending one and running
//! it again.

mod fresh;
mod later;
mod newest;
mod own;
mod peers;

use crate::findings::{Findings, Goal, Table};
use stairway::program::ModelChecker;
use stairway::report::{Counterexample, Outcome, choice_line, words};
use stairway::{Model, Settings};
use std::collections::BTreeMap;
use std::io::Write;
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

/// What the first run on systems came to that were written after the passes: name, shortest, seeds, median and
/// most runs. That run writes it, and no other one changes it.
const FIRST_SIGHT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/shortest/first_sight.tsv");

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
    ("pages", |seed| search_mistakes(fresh::Rows::checker, fresh::mend_pages, fresh::N_PAGES_MISTAKES, seed)),
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

const NEWEST: [System; 10] = [
    ("joined sets", |seed| search(newest::Classes::checker(), seed)),
    ("timer wheel", |seed| search(newest::Timers::checker(), seed)),
    ("rights", |seed| search(newest::Rights::checker(), seed)),
    ("circular log", |seed| search(newest::Unread::checker(), seed)),
    ("arena", |seed| search(newest::Values::checker(), seed)),
    ("order book", |seed| search(newest::Bids::checker(), seed)),
    ("trie", |seed| search(newest::Vocabulary::checker(), seed)),
    ("run queue", |seed| search(newest::Turns::checker(), seed)),
    ("folders", |seed| search(newest::Sizes::checker(), seed)),
    ("marks", |seed| search(newest::Letters::checker(), seed)),
];

/// A counterexample as it is reported.
struct Shrunk {
    /// What fails.
    identity: String,
    n_steps: usize,
    n_runs: u64,
}

fn search<M: Model>(checker: ModelChecker<M>, seed: u64) -> Option<Shrunk> {
    counterexample(checker, Settings::new().cases(N_CASES).seed(seed)).map(|found| shrunk(&found))
}

/// The same for a system with mistakes that fail alike: a counterexample belongs to those without which it does
/// not fail.
fn search_mistakes<M: Model>(
    checker: fn() -> ModelChecker<M>,
    mend: fn(Option<usize>),
    n_mistakes: usize,
    seed: u64,
) -> Option<Shrunk> {
    mend(None);
    let found = counterexample(checker(), Settings::new().cases(N_CASES).seed(seed))?;
    let mut shrunk = shrunk(&found);
    for mistake in 0..n_mistakes {
        mend(Some(mistake));
        let again = Settings::new().replay(choice_line(&found.recording.choices));
        if counterexample(checker(), again).is_none() {
            shrunk.identity.push_str(&format!(", mistake {mistake}"));
        }
    }
    mend(None);
    Some(shrunk)
}

fn counterexample<M: Model>(checker: ModelChecker<M>, settings: Settings) -> Option<Box<Counterexample>> {
    match checker.settings(settings.without_regressions()).report().result.outcome {
        Outcome::Falsified(found) => Some(found),
        _ => None,
    }
}

fn shrunk(found: &Counterexample) -> Shrunk {
    Shrunk {
        identity: words::identity(&found.failure),
        n_steps: found.observed.steps.len(),
        n_runs: found.shrinking.n_runs,
    }
}

pub(crate) fn run(findings: &mut Findings) {
    let header =
        ["system", "found", "% shortest", "at first sight", "steps", "runs, median", "runs, most", "seconds"];
    let mut table = Table {
        title: "The shortest programs",
        about: format!(
            "Counterexamples of {N_SEEDS} seeds that have the fewest steps with which any of {N_REFERENCE} seeds ends, for each \
             failure by itself (`pages` has two mistakes that fail alike: for each mistake). The second ten systems were written after the passes of \
             shrinking, the next five after one more pass, and the last ten at the end; what these came to on them in \
             the first run is in the column `at first sight`."
        ),
        header: header.iter().map(ToString::to_string).collect(),
        rows: Vec::new(),
    };
    let own = measure("own", &OWN, findings, &mut table);
    let fresh = measure("fresh", &FRESH, findings, &mut table);
    let later = measure("later", &LATER, findings, &mut table);
    let newest = measure("newest", &NEWEST, findings, &mut table);
    findings.figure("shortest/own", own.percent, "percent", Some(Goal::AtLeast(LEAST_OF_OWN)));
    findings.figure("shortest/fresh", fresh.percent, "percent", Some(Goal::AtLeast(LEAST_OF_FRESH)));
    findings.figure("shortest/later", later.percent, "percent", Some(Goal::AtLeast(LEAST_OF_FRESH)));
    findings.figure("shortest/newest", newest.percent, "percent", Some(Goal::AtLeast(LEAST_OF_FRESH)));
    for (group, systems) in [("fresh", &FRESH[..]), ("later", &LATER[..]), ("newest", &NEWEST[..])] {
        let first: Vec<f64> = systems.iter().filter_map(|(name, _)| first_sight(name)).collect();
        let first = first.iter().sum::<f64>() / first.len().max(1) as f64;
        findings.figure(
            format!("shortest/{group}/first"),
            first,
            "percent",
            Some(Goal::AtLeast(LEAST_OF_FRESH)),
        );
    }
    let mut runs = [own.runs, fresh.runs, later.runs, newest.runs].concat();
    runs.sort_unstable();
    findings.figure("shortest/runs", median(&runs), "runs", Some(Goal::AtMost(MOST_RUNS)));
    let most = runs.last().map_or(0.0, |most| *most as f64);
    findings.figure("shortest/runs/most", most, "runs", Some(Goal::AtMost(MOST_RUNS_OF_ONE)));
    findings.table(table);
    peers::run(findings);
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
        if group != "own" && first_sight(name).is_none() {
            keep_first_sight(name, n_shortest, &of_system);
        }
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
    let kept = std::fs::read_to_string(FIRST_SIGHT).unwrap_or_default();
    let columns = kept.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let found = columns.into_iter().find(|columns| columns[0] == name)?;
    let number = |k: usize| found.get(k)?.parse::<f64>().ok();
    Some(100.0 * number(1)? / number(2)?)
}

/// This is the first run on a system.
fn keep_first_sight(name: &str, n_shortest: usize, runs: &[u64]) {
    let (n, middle, most) = (runs.len(), median(runs), runs.last().unwrap_or(&0));
    let line = format!("{name}\t{n_shortest}\t{n}\t{middle:.0}\t{most}\n");
    let file = std::fs::OpenOptions::new().append(true).create(true).open(FIRST_SIGHT);
    if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
        eprintln!("bench: {FIRST_SIGHT} cannot be written: {error}");
    }
}

/// The middle one of these, from the least to the most.
fn median(sorted: &[u64]) -> f64 {
    sorted.get(sorted.len() / 2).map_or(0.0, |median| *median as f64)
}
