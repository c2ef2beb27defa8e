//! Planted mistakes of the WordArray library in C: how many cases it takes to refute each.

use crate::findings::{Findings, Goal, Table};
use stairway::prelude::*;
use stairway::refine::RefinementChecker;
use stairway::report::CaseOrigin;
use stairway_c::library::{Library, Pointer};
use std::cell::Cell;

/// How many cases a mistake may take to be found, from each seed.
const MAX_CASES: u64 = 1000;
const N_SEEDS: u64 = 20;

stairway_c::library! {
    mod bytes {
        files: "../case-studies/wordarray/c/wordarray.c";
        bind "wordarray_*_u8" { create -> owned free; }
    }
}

stairway_c::library! {
    mod words {
        files: "../case-studies/wordarray/c/wordarray.c";
        bind "wordarray_*_u16" { slice -> owned free; }
    }
}

thread_local! {
    static PLANTED: Cell<Option<&'static Library>> = const { Cell::new(None) };
}

fn build(right: &'static Library) -> &'static Library {
    PLANTED.get().unwrap_or(right)
}

/// Near the beginning, or so large that sums wrap around.
fn index() -> impl Generate<Value = u32> {
    (0..24u32).mapped(|k| if k < 12 { k } else { u32::MAX - (k - 12) })
}

fn is_within(k: usize, from: u32, n: u32) -> bool {
    (u64::from(from)..u64::from(from) + u64::from(n)).contains(&(k as u64))
}

fn lent(c: &bytes::Calls<'_>, values: &[u8]) -> Checked<Pointer<bytes::wordarray_u8>> {
    let array = bytes::wordarray_u8 { len: values.len() as u32, values: c.lend_slice(values)? };
    c.lend(&array)
}

fn seen(c: &bytes::Calls<'_>, array: Pointer<bytes::wordarray_u8>) -> Checked<Vec<u8>> {
    let array = c.memory().read(array)?;
    c.read_slice(array.values, array.len as usize)
}

refinement! {
    set(values: Vec<u8>, #[from(index())] from: u32, #[from(index())] n: u32, v: u8) {
        spec => {
            let each = |(k, old): (usize, &u8)| if is_within(k, from, n) { v } else { *old };
            values.iter().enumerate().map(each).collect::<Vec<u8>>()
        },
        real => bytes::run_with(build(&bytes::LIBRARY), |c| {
            let array = lent(c, &values)?;
            c.set(array, from, n, v)?;
            seen(c, array)
        })?,
    }

    copy(to: Vec<u8>, from: Vec<u8>, #[from(index())] to_at: u32, #[from(index())] from_at: u32, #[from(index())] n: u32) {
        spec => {
            let copied = |k: usize| from.get(from_at as usize + (k - to_at as usize)).copied();
            let each = |(k, old): (usize, &u8)| if is_within(k, to_at, n) { copied(k).unwrap_or(*old) } else { *old };
            to.iter().enumerate().map(each).collect::<Vec<u8>>()
        },
        real => bytes::run_with(build(&bytes::LIBRARY), |c| {
            let array = lent(c, &to)?;
            c.copy(array, lent(c, &from)?, to_at, from_at, n)?;
            seen(c, array)
        })?,
    }

    cmp(#[from(vec(0..2, 0..4))] one: Vec<u8>, #[from(vec(0..2, 0..4))] other: Vec<u8>) {
        spec => one == other,
        real => bytes::run_with(build(&bytes::LIBRARY), |c| c.cmp(lent(c, &one)?, lent(c, &other)?))?,
    }

    create(#[from(0..9)] len: u32, #[from(0..4)] failing: u64) {
        spec => Outcomes::named("made", Some(vec![0; len as usize])).or(Outcomes::named("no memory", None)),
        real => bytes::run_with(build(&bytes::LIBRARY), |c| {
            c.fail_allocation(failing);
            let array = c.create(len)?;
            array.map(|array| seen(c, array.pointer())).transpose()
        })?,
    }

    slice(values: Vec<u16>, #[from(index())] from: u32, #[from(index())] n: u32) {
        spec => {
            let within = values.iter().enumerate().filter(|(k, _)| is_within(*k, from, n));
            Some(within.map(|(_, v)| *v).collect::<Vec<u16>>())
        },
        real => words::run_with(build(&words::LIBRARY), |c| {
            let array = words::wordarray_u16 { len: values.len() as u32, values: c.lend_slice(&values)? };
            let Some(slice) = c.slice(&array, from, n)? else { return Ok(None) };
            let slice = c.memory().read(slice.pointer())?;
            c.read_slice(slice.values, slice.len as usize).map(Some)
        })?,
    }
}

/// A mistake, the build that has it, and who finds it.
type Planted = (&'static str, &'static Library, fn() -> RefinementChecker);

macro_rules! planted {
    ($($name:literal, $module:ident, $switch:literal, $checker:ident;)*) => {
        [$({
            static LIBRARY: Library = $module::built_with(&[$switch]);
            ($name, &LIBRARY, $checker as fn() -> RefinementChecker)
        }),*]
    };
}

pub(crate) fn run(findings: &mut Findings) {
    let all: [Planted; 6] = planted! {
        "source index unchecked in copy", bytes, "-DPLANTED_UNCHECKED_SOURCE", copy_refinement;
        "third argument of set taken as an end", bytes, "-DPLANTED_COUNT_AS_END", set_refinement;
        "start + len wraps in set", bytes, "-DPLANTED_WRAPPING_SUM", set_refinement;
        "bytes for elements in slice", words, "-DPLANTED_BYTE_COUNT", slice_refinement;
        "header leaked in create", bytes, "-DPLANTED_LEAKED_HEADER", create_refinement;
        "read past the end in cmp", bytes, "-DPLANTED_READ_PAST_END", cmp_refinement;
    };
    let mut table = Table {
        title: "Planted mistakes in C",
        about: format!(
            "Mistakes of the case study wordarray, of which each is one switch of the compiler: from how many of {N_SEEDS} seeds it is found within \
             {MAX_CASES} cases, and in which case at the latest."
        ),
        header: ["mistake", "seeds", "median case", "latest case"].map(String::from).to_vec(),
        rows: Vec::new(),
    };
    for (name, library, checker) in all {
        let mut cases: Vec<u64> =
            (0..N_SEEDS).filter_map(|seed| found_in(library, checker(), seed)).collect();
        cases.sort_unstable();
        let n_found = cases.len();
        let shown = |case: Option<&u64>| case.map_or_else(|| "-".to_string(), ToString::to_string);
        table.rows.push(vec![
            name.to_string(),
            format!("{n_found} of {N_SEEDS}"),
            shown(cases.get(n_found / 2)),
            shown(cases.last()),
        ]);
        let goal = Some(Goal::AtLeast(N_SEEDS as f64));
        findings.figure(
            format!("refinement-c/found within 1,000 cases, {name}"),
            n_found as f64,
            "seeds",
            goal,
        );
    }
    findings.table(table);
}

/// The case, counted from 1, in which a mistake is found.
fn found_in(library: &'static Library, checker: RefinementChecker, seed: u64) -> Option<u64> {
    PLANTED.set(Some(library));
    let report =
        checker.with_settings(|settings| settings.without_regressions().cases(MAX_CASES).seed(seed)).report();
    PLANTED.set(None);
    report.counterexample().and_then(|found| match found.origin {
        CaseOrigin::Case(index) => Some(index + 1),
        _ => None,
    })
}
