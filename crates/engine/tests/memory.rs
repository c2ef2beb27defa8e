//! Users with little memory rely on the engine to take what it needs at the start: a run in a
//! reserved workspace allocates nothing more until it has something to report, and no run needs
//! more memory for more cases.

mod support;

use allocation_counter::{AllocationInfo, measure, opt_out};
use stairway_engine::{
    Case, Checked, Ending, FailureKind, InProcess, NoHooks, Operations, Outcome, Report, Room, Settings,
    Step, StepOutcome, Steps, Stop, Workspace, any, run, run_program, unguarded, vec,
};
use support::{check, counterexample, demand};

const MAX_CHOICES: usize = 64;

fn small(n_cases: u64) -> Settings {
    Settings { seed: 5, n_cases, max_choices: MAX_CHOICES, ..Settings::default() }
}

fn reserved() -> Workspace {
    Workspace::reserved(MAX_CHOICES, 32, 512)
}

/// What a run allocates, given its workspace.
fn measured(
    settings: &Settings,
    workspace: &mut Workspace,
    property: impl FnMut(&mut Case<'_>) -> Checked,
) -> (AllocationInfo, Report) {
    let mut execute = InProcess::new(property, unguarded);
    let mut report = None;
    let info = measure(|| report = Some(run(&mut execute, settings, &[], &mut NoHooks, workspace)));
    (info, report.expect("the run has ended"))
}

/// Draws a table of up to eight rows without allocating: a length and, for each row, a span with
/// a flag and two numbers. Gives the sum of all numbers in flagged rows.
fn sum_of_table(t: &mut Case<'_>) -> Checked<u64> {
    let c = t.choices();
    c.open(stairway_engine::Label::Value("table"));
    let mut sum = 0;
    for _ in 0..c.length(0, 8) {
        c.open(stairway_engine::Label::Value("row"));
        let (is_counted, x, y) = (c.chance(1, 2), c.unsigned(0, 1000, 0), c.unsigned(0, 1000, 0));
        sum += if is_counted { x + y } else { 0 };
        c.close();
    }
    c.close();
    Ok(sum)
}

/// A failure is made by the property, not by the engine.
fn demand_uncounted(clause: &'static str, holds: bool) -> Checked {
    let mut result = Ok(());
    opt_out(|| result = demand(clause, holds));
    result
}

#[test]
fn a_passing_run_allocates_nothing() {
    let mut workspace = reserved();
    let (info, report) = measured(&small(1000), &mut workspace, |t| sum_of_table(t).map(drop));
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    assert_eq!(info.count_total, 0, "{info:?}");
}

#[test]
fn an_exhaustive_run_allocates_nothing() {
    let mut workspace = reserved();
    let settings =
        Settings { exhaustive: Some(stairway_engine::Exhaustive { bound: 1, depth: None }), ..small(0) };
    let (info, report) = measured(&settings, &mut workspace, |t| sum_of_table(t).map(drop));
    assert!(matches!(report.outcome, Outcome::Completed { bound: 1, .. }), "{:?}", report.outcome);
    assert_eq!(info.count_total, 0, "{info:?}");
}

/// The report holds a boxed counterexample, whose choices and spans are those of the workspace: one allocation,
/// whether shrinking took few runs or many.
#[test]
fn a_failing_run_allocates_only_its_report() {
    const REPORT: u64 = 1;
    let mut n_shrink_runs = Vec::new();
    for least in [1, 100, 1500, 4000, 7000] {
        for seed in 0..10 {
            let settings = Settings { seed, ..small(10_000) };
            let mut workspace = reserved();
            let (info, report) = measured(&settings, &mut workspace, |t| {
                let sum = sum_of_table(t)?;
                demand_uncounted("sum", sum < least)
            });
            assert_eq!(info.count_total, REPORT, "sum {least}, seed {seed}: {info:?}");
            n_shrink_runs.push(counterexample(report).shrinking.n_runs);
        }
    }
    n_shrink_runs.sort_unstable();
    assert!(n_shrink_runs[0] < 20 && n_shrink_runs[49] > 100, "{n_shrink_runs:?}");
}

/// Reserved memory is a matter of where and when, not of what is found.
#[test]
fn reserved_memory_changes_no_result() {
    let property = |t: &mut Case<'_>| {
        let sum = sum_of_table(t)?;
        demand("sum", sum < 4000)
    };
    for seed in 0..10 {
        let settings = Settings { seed, ..small(10_000) };
        // The cache is as large as usual, so that as much is looked up in it.
        let mut workspace = Workspace::reserved(MAX_CHOICES, 32, 8192);
        let (_, frugal) = measured(&settings, &mut workspace, property);
        let mut usual = check(&settings, property);
        // How shrinking went is kept only where memory is taken when it is needed.
        if let Outcome::Falsified(found) = &mut usual.outcome {
            assert!(found.shrinking.history.len() > 1);
            found.shrinking.history.clear();
        }
        assert_eq!(format!("{frugal:?}"), format!("{usual:?}"));
    }
}

/// Who has to hand memory over before the run needs to know how much.
#[test]
fn the_need_of_a_workspace_is_known_beforehand() {
    for (n_choices, n_spans, n_cached) in [(64, 32, 512), (400, 0, 1), (1, 100, 16)] {
        let mut workspace = None;
        let info = measure(|| workspace = Some(Workspace::reserved(n_choices, n_spans, n_cached)));
        let said = Workspace::bytes_reserved(n_choices, n_spans, n_cached) as u64;
        assert_eq!(info.bytes_total, said, "{n_choices} choices, {n_spans} spans");
        // All but the states that exhaustive search has visited.
        assert_eq!(info.count_total, Workspace::N_RESERVED as u64 - 1, "{info:?}");
    }
}

/// A workspace with little in it has what it says, and a run in it finds what it finds elsewhere.
#[test]
fn a_lean_workspace_takes_less_and_is_known_beforehand() {
    let lean = Room {
        counts_through: false,
        can_reshape: false,
        counts_order: false,
        ..Room::new(MAX_CHOICES, 32, 32)
    };
    assert!(lean.bytes() < Workspace::bytes_reserved(MAX_CHOICES, 32, 32));
    for room in [lean, Room { counts_through: true, n_states: Some(100), ..lean }] {
        let mut workspace = None;
        let info = measure(|| workspace = Some(Workspace::with_room(room)));
        assert_eq!(info.bytes_total, room.bytes() as u64, "{room:?}");
    }
    let settings = Settings { try_all_of_few: false, ..small(10_000) };
    let mut workspace = Workspace::with_room(lean);
    let (info, report) = measured(&settings, &mut workspace, |t| {
        let sum = sum_of_table(t)?;
        demand_uncounted("sum", sum < 100)
    });
    assert_eq!(info.count_total, 1, "{info:?}");
    assert!(counterexample(report).shrinking.is_minimal);
}

/// A counter that only goes up to 3, and with `0` back to nothing.
struct Counter;

const NAMES: &[&str] = &["up", "zero", "end"];
const DEMANDS: &[(&str, f64)] = &[("reaches 3", 10.0)];

impl Operations for Counter {
    type State = (u32, bool);
    fn names(&self) -> &'static [&'static str] {
        NAMES
    }
    fn start(&self, _: &mut Case<'_>) -> Checked<(u32, bool)> {
        Ok((0, false))
    }
    fn weight(&self, op: usize, &(n, is_ending): &(u32, bool)) -> u32 {
        match op {
            0 => u32::from(n < 3 && !is_ending),
            1 => u32::from(!is_ending),
            _ => u32::from(is_ending),
        }
    }
    fn step(&self, op: usize, state: &mut (u32, bool), step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        state.0 = if op == 0 { state.0 + 1 } else { 0 };
        step.case().cover(10.0, state.0 == 3, "reaches 3");
        Ok(StepOutcome::Done)
    }
    fn ending(&self, state: &mut (u32, bool), n_done: u64) -> Ending {
        state.1 = true;
        if n_done == 0 { Ending::Chosen } else { Ending::Over }
    }
}

/// With all names given beforehand, not even the first program allocates.
#[test]
fn a_run_of_programs_that_are_counted_from_the_start_allocates_nothing() {
    // Demands are kept as often as they are said in one case.
    let demands = [DEMANDS[0]; 64];
    let mut workspace = reserved().counting(NAMES, &demands);
    let settings = Settings { try_all_of_few: false, ..small(100) };
    let (info, report) =
        measured(&settings, &mut workspace, |t| run_program(&Counter, Steps { min: 0, max: 20 }, t));
    assert!(matches!(report.outcome, Outcome::Passed), "{:?}", report.outcome);
    assert_eq!(info.count_total, 0, "{info:?}");
    assert_eq!(report.statistics.program.n_done[2], report.statistics.n_passed, "each program ends once");
}

/// A failure that is only a clause, in a case that cannot be run again.
#[test]
fn what_cannot_be_run_again_is_reported_as_it_was_found() {
    let mut n_failed = 0;
    let settings = Settings { is_repeatable: false, ..small(1000) };
    let (_, report) = measured(&settings, &mut reserved(), |t| {
        if sum_of_table(t)? < 4000 {
            return Ok(());
        }
        n_failed += 1;
        Err(Stop::site(7))
    });
    let found = counterexample(report);
    assert_eq!((n_failed, found.shrinking.n_runs, &found.failure.kind), (1, 0, &FailureKind::Site(7)));
}

/// What is alive at most while so many cases run, in bytes.
fn peak(n_cases: u64, property: impl FnMut(&mut Case<'_>) -> Checked) -> u64 {
    let (info, report) = measured(&small(n_cases), &mut Workspace::default(), property);
    assert_eq!(report.statistics.n_passed, n_cases);
    info.bytes_max
}

#[test]
fn memory_does_not_grow_with_the_number_of_cases() {
    let property = |t: &mut Case<'_>| {
        let list = t.pick(vec(any::<u8>(), 0..=20))?;
        t.classify(list.is_empty(), "empty");
        t.collect("length", list.len());
        t.cover(1.0, list.len() > 5, "long");
        t.assume(list.first() != Some(&3))
    };
    let (few, many) = (peak(1_000, property), peak(100_000, property));
    // The longest of so many lists may be a little longer.
    assert!(many < few + 1024, "{few} bytes for 1,000 cases, {many} for 100,000");
}

/// A table of ever new values is full at some time, and then only counts.
#[test]
fn memory_for_tables_is_bounded() {
    let property = |t: &mut Case<'_>| {
        let x = t.pick(any::<u64>())?;
        t.collect("number", x);
        Ok(())
    };
    let (few, many) = (peak(5_000, property), peak(100_000, property));
    assert!(many < few + few / 100, "{few} bytes for 5,000 cases, {many} for 100,000");
}
