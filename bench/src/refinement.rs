//! Section `refinement`: correspondences checked a second, in Rust alone.

use crate::findings::{Findings, Goal, Table};
use stairway::prelude::*;
use stairway::refine::RefinementChecker;
use stairway::{Settings, Worker};
use std::time::Instant;

/// Checks a second on arrays of 200, without isolation.
const CHECKS_A_SECOND: f64 = 100_000.0;
const N_CASES: u64 = 100_000;
const N_ROUNDS: usize = 5;
const LENGTH: usize = 200;

/// What `wordarray_set` must do.
fn set_spec(arr: &[u8], from: u32, n: u32, v: u8) -> Vec<u8> {
    let (len, from) = (arr.len(), from as usize);
    if from > len {
        return arr.to_vec();
    }
    let end = from.saturating_add(n as usize).min(len);
    [&arr[..from], &vec![v; end - from], &arr[end..]].concat()
}

/// The twin of the C function.
fn set(mut arr: Vec<u8>, from: u32, n: u32, v: u8) -> Vec<u8> {
    let end = (from as usize).saturating_add(n as usize).min(arr.len());
    if let Some(part) = arr.get_mut(from as usize..end) {
        part.fill(v);
    }
    arr
}

fn index() -> impl Generate<Value = u32> {
    either(0..300u32, any::<u32>())
}

/// As `set_spec`, or nothing happens.
fn set_or_not(arr: &[u8], from: u32, n: u32, v: u8) -> Outcomes<Vec<u8>> {
    Outcomes::named("set", set_spec(arr, from, n, v)).or(Outcomes::named("not set", arr.to_vec()))
}

refinement! {
    exact(#[from(vec(any(), LENGTH))] arr: Vec<u8>, #[from(index())] from: u32, #[from(index())] n: u32, v: u8) {
        spec => set_spec(&arr, from, n, v),
        real => set(arr, from, n, v),
        relate => |spec, real| spec == real,
    }

    several(#[from(vec(any(), LENGTH))] arr: Vec<u8>, #[from(index())] from: u32, #[from(index())] n: u32, v: u8) {
        spec => set_or_not(&arr, from, n, v),
        real => set(arr, from, n, v),
        relate => |spec, real| spec == real,
    }
}

/// The first, in a worker.
fn isolated() -> RefinementChecker {
    let worker = Worker { arguments: vec!["refinement".to_string()], ..Worker::default() };
    exact_refinement().with_settings(Settings::isolate).worker(worker)
}

pub(crate) fn run(findings: &mut Findings) {
    if std::env::var_os("STAIRWAY_WORKER").is_some() {
        // The worker gets here first, and serves.
        isolated().run();
    }
    let lines: [(&str, fn() -> RefinementChecker); 3] =
        [("exact", exact_refinement), ("several", several_refinement), ("exact, isolated", isolated)];
    let header = ["specification", "checks/s", "ns/check"];
    let mut table = Table {
        title: "Correspondences",
        about: format!(
            "A Rust twin of `wordarray_set` beside its specification on arrays of {LENGTH}, drawn, run on both sides and \
             compared, without isolation: a specification that says exactly what comes out, and one that allows two \
             outcomes and counts them; and the first in a process of its own, whose start is included. Best of {N_ROUNDS} rounds of {N_CASES} cases in which the lines take turns."
        ),
        header: header.iter().map(ToString::to_string).collect(),
        rows: Vec::new(),
    };
    let mut best = [f64::INFINITY; 3];
    for seed in 0..N_ROUNDS {
        for ((_, checker), best) in lines.iter().zip(&mut best) {
            *best = best.min(seconds(checker(), seed as u64));
        }
    }
    for ((name, _), seconds) in lines.iter().zip(best) {
        let per_second = N_CASES as f64 / seconds;
        let row = vec![(*name).to_string(), format!("{per_second:.0}"), format!("{:.0}", 1e9 / per_second)];
        table.rows.push(row);
        let goal = (*name != "exact, isolated").then_some(Goal::AtLeast(CHECKS_A_SECOND));
        findings.figure(format!("refinement/wordarray_set, {name}"), per_second, "checks/s", goal);
    }
    findings.table(table);
}

fn seconds(checker: RefinementChecker, seed: u64) -> f64 {
    let checker = checker.with_settings(|settings| settings.without_regressions().cases(N_CASES).seed(seed));
    let start = Instant::now();
    let report = checker.report();
    let seconds = start.elapsed().as_secs_f64();
    assert!(report.is_success(), "{report}");
    seconds
}
