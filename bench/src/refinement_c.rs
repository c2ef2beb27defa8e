//! Section `refinement-c`: correspondences of C functions checked a second.

use crate::findings::{Findings, Goal, Table};
use stairway::prelude::*;
use stairway::refine::RefinementChecker;
use stairway::{Settings, Worker};
use stairway_c::library::{Library, Pointer};
use std::time::Instant;

/// Checks a second on arrays of 200, in the process of the test.
const CHECKS_A_SECOND: f64 = 100_000.0;
/// The same with every access of C checked, and leaks looked for.
const OWNED_CHECKS_A_SECOND: f64 = 20_000.0;
const N_CASES: u64 = 20_000;
const N_ROUNDS: u64 = 5;
const LENGTH: usize = 200;

stairway_c::library! {
    mod c {
        files: "../case-studies/wordarray/c/wordarray.c";
        struct Array = "wordarray_u8" { len: u32, values: Pointer<u8> }
        fn set(array: Pointer<Array>, from: u32, n: u32, value: u8) = "wordarray_set_u8";
    }
}

static UNCHECKED: Library = c::unchecked();
static UNCONFINED: Library = c::unchecked().unconfined();
static OWNED_UNCONFINED: Library = c::built_with(&[]).unconfined();

/// What `wordarray_set` must do.
fn set_spec(values: &[u8], from: u32, n: u32, v: u8) -> Vec<u8> {
    let mut values = values.to_vec();
    let end = (from as usize).saturating_add(n as usize).min(values.len());
    if let Some(part) = values.get_mut(from as usize..end) {
        part.fill(v);
    }
    values
}

fn set(library: &Library, values: &[u8], from: u32, n: u32, v: u8) -> Checked<Vec<u8>> {
    c::run_with(library, |c| {
        let array = c.lend(&c::Array { len: values.len() as u32, values: c.lend_slice(values)? })?;
        c.set(array, from, n, v)?;
        let array = c.read(array)?;
        c.read_slice(array.values, array.len as usize)
    })
}

/// Near the beginning, so that C has nearly all elements to write.
fn start() -> impl Generate<Value = u32> {
    0..20u32
}

/// To the end and beyond.
fn count() -> impl Generate<Value = u32> {
    either(180..300u32, any::<u32>())
}

/// A header that claims one element more than there is: found where accesses are checked, and only there.
fn is_overrun_found(library: &Library) -> bool {
    let ran = c::run_with(library, |c| {
        let array = c.lend(&c::Array { len: LENGTH as u32 + 1, values: c.lend_slice(&[0; LENGTH])? })?;
        c.set(array, 0, u32::MAX, 1)
    });
    ran.is_err()
}

refinement! {
    plain(#[from(vec(any(), LENGTH))] values: Vec<u8>, #[from(start())] from: u32, #[from(count())] n: u32, v: u8) {
        spec => set_spec(&values, from, n, v),
        real => set(&UNCHECKED, &values, from, n, v)?,
    }

    owned(#[from(vec(any(), LENGTH))] values: Vec<u8>, #[from(start())] from: u32, #[from(count())] n: u32, v: u8) {
        spec => set_spec(&values, from, n, v),
        real => set(&c::LIBRARY, &values, from, n, v)?,
    }

    plain_free(#[from(vec(any(), LENGTH))] values: Vec<u8>, #[from(start())] from: u32, #[from(count())] n: u32, v: u8) {
        spec => set_spec(&values, from, n, v),
        real => set(&UNCONFINED, &values, from, n, v)?,
    }

    owned_free(#[from(vec(any(), LENGTH))] values: Vec<u8>, #[from(start())] from: u32, #[from(count())] n: u32, v: u8) {
        spec => set_spec(&values, from, n, v),
        real => set(&OWNED_UNCONFINED, &values, from, n, v)?,
    }
}

/// The same, in a worker.
fn isolated() -> RefinementChecker {
    let worker = Worker { arguments: vec!["refinement-c".to_string()], ..Worker::default() };
    owned_refinement().with_settings(Settings::isolate).worker(worker)
}

pub(crate) fn run(findings: &mut Findings) {
    if std::env::var_os("STAIRWAY_WORKER").is_some() {
        // The worker gets here first, and serves.
        isolated().run();
    }
    let lines: [(&str, fn() -> RefinementChecker, Option<f64>); 5] = [
        ("unchecked", plain_refinement, Some(CHECKS_A_SECOND)),
        ("with ownership checks", owned_refinement, Some(OWNED_CHECKS_A_SECOND)),
        ("with ownership checks, isolated", isolated, None),
        ("unchecked, without the sandbox", plain_free_refinement, None),
        ("with ownership checks, without the sandbox", owned_free_refinement, None),
    ];
    let mut table = Table {
        title: "Correspondences of C",
        about: format!(
            "`wordarray_set` in C beside its specification on arrays of {LENGTH}, nearly all elements set: drawn, laid out in fresh memory of C, called \
             under guard, read back and compared. Unchecked, without instrumentation; with every access checked \
             against what C was lent; and the same in a process of its own, whose start is included. Then the first two without the sandbox that C is in otherwise. Best of {N_ROUNDS} rounds of {N_CASES} cases in which the lines take turns."
        ),
        header: ["build", "checks/s", "ns/check"].map(String::from).to_vec(),
        rows: Vec::new(),
    };
    assert!(
        is_overrun_found(&c::LIBRARY) && !is_overrun_found(&UNCHECKED),
        "the lines are what they say they are"
    );
    let mut best = [f64::INFINITY; 5];
    for seed in 0..N_ROUNDS {
        for ((_, checker, _), best) in lines.iter().zip(&mut best) {
            // The first case loads the object.
            seconds(checker(), seed, 1);
            *best = best.min(seconds(checker(), seed, N_CASES));
        }
    }
    for ((name, _, goal), seconds) in lines.iter().zip(best) {
        let per_second = N_CASES as f64 / seconds;
        table.rows.push(vec![
            (*name).to_string(),
            format!("{per_second:.0}"),
            format!("{:.0}", 1e9 / per_second),
        ]);
        let goal = goal.map(Goal::AtLeast);
        findings.figure(format!("refinement-c/wordarray_set, {name}"), per_second, "checks/s", goal);
    }
    findings.table(table);
    crate::refinement_bugs::run(findings);
}

fn seconds(checker: RefinementChecker, seed: u64, n_cases: u64) -> f64 {
    let checker = checker.with_settings(|settings| settings.without_regressions().cases(n_cases).seed(seed));
    let start = Instant::now();
    let report = checker.report();
    let seconds = start.elapsed().as_secs_f64();
    assert!(report.is_success(), "{report}");
    seconds
}
