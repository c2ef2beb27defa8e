//! One run from what was given to the verdict: `sw_run` and what belongs to it.
//!
//! Runs sets with their settings, and leaves a result, a report and text. It checks, takes the memory, lets
//! the engine run, runs the smallest failing test once more to show it, and renders. The engine's `run` is
//! called here and nowhere else.
#![allow(clippy::missing_safety_doc, reason = "the header says what the pointers must be")]

use crate::abi::{self, Set};
use crate::assurance::Assurance;
use crate::confidence::{self, CONFIDENCE};
use crate::frames;
use crate::live::{Kind, Live, Operation, Sink, Site, output};
use crate::measure::Measure;
use crate::memory::{ARENA, GRAIN};
use crate::operations::Properties;
use crate::render;
use crate::result_codes::{self, Mistake};
use crate::spec::{Limits, MAX_DEPTH, Spec, pointee, slice, text};
use alloc::vec::Vec;
use core::ffi::{c_char, c_int, c_void};
use core::mem::ManuallyDrop;
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use stairway_engine::{
    CaseOrigin, Counterexample, Execution, Failure, FailureKind, Hooks, InProcess, Observations, Outcome,
    Plan, Report, Room, Settings, Source, Steps, Verdict, Workspace, execute_with, run, run_program,
    unguarded,
};

/// Whether a run is on.
static IS_BUSY: AtomicBool = AtomicBool::new(false);
/// The settings of the run that is on, for a panic.
static AT_PANIC: AtomicPtr<abi::Settings> = AtomicPtr::new(ptr::null_mut());
/// How many verdicts of shrinking are remembered, and in lean runs.
const N_CACHED: usize = 128;
const N_CACHED_LEAN: usize = 32;

/// `sw_run`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_run(
    sets: *const Set,
    n_sets: usize,
    settings: *const abi::Settings,
    report: *mut abi::Report,
) -> c_int {
    let mut found = empty_report();
    let Some(settings) = pointee(settings) else {
        found.result = result_codes::NULL;
        return hand_over(report, found);
    };
    if is_already_busy() {
        let wrong = Mistake::new(result_codes::BUSY, "`sw_run` is called while it runs", "");
        found.result = wrong.code;
        render::wrong(settings, &wrong);
        return hand_over(report, found);
    }
    AT_PANIC.store(ptr::from_ref(settings).cast_mut(), Ordering::Relaxed);
    let checked = Spec::new(sets, n_sets, settings).and_then(|spec| check_memory(&spec, &mut found));
    match checked {
        Ok(spec) => {
            ARENA.lend(settings.memory.cast(), settings.memory_size);
            run_checked(spec, &mut found);
            found.memory_used = ARENA.most_used();
            ARENA.end();
        }
        Err(wrong) => {
            found.result = wrong.code;
            render::wrong(settings, &wrong);
            if wrong.code == result_codes::MEMORY {
                render::memory(settings, found.memory_needed);
            }
            frames::end(settings, &found, 0);
        }
    }
    AT_PANIC.store(ptr::null_mut(), Ordering::Relaxed);
    IS_BUSY.store(false, Ordering::Release);
    hand_over(report, found)
}

/// Whether a run is on; if not, one is from now on.
#[cfg(target_has_atomic = "8")]
fn is_already_busy() -> bool {
    IS_BUSY.swap(true, Ordering::Acquire)
}

/// The same where the processor cannot swap in one step. The header asks for one run at a time; a call from
/// within a run is noticed here too.
#[cfg(not(target_has_atomic = "8"))]
fn is_already_busy() -> bool {
    let is_busy = IS_BUSY.load(Ordering::Acquire);
    IS_BUSY.store(true, Ordering::Relaxed);
    is_busy
}

fn hand_over(report: *mut abi::Report, found: abi::Report) -> c_int {
    if !report.is_null() {
        // SAFETY: the header asks for NULL or room for a report.
        unsafe { report.write(found) };
    }
    found.result
}

const fn empty_report() -> abi::Report {
    abi::Report {
        result: result_codes::PASSED,
        seed: 0,
        memory_needed: 0,
        memory_used: 0,
        n_tests: 0,
        n_discarded: 0,
        n_calls: 0,
        failed_set: ptr::null(),
        failed_property: ptr::null(),
        failed_message: ptr::null(),
        failed_file: ptr::null(),
        failed_line: 0,
        failed_signal: 0,
        failed_address: 0,
        failed_test: 0,
        n_steps: 0,
        n_shrink_runs: 0,
        is_minimal: false,
        n_states: 0,
        n_transitions: 0,
        is_table_full: false,
        new_state_chance: 0.0,
        new_transition_chance: 0.0,
        most_failing: 1.0,
        explored_depth: 0,
        n_sequences: 0,
        n_pruned: 0,
    }
}

/// `sw_memory_needed`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_memory_needed(
    sets: *const Set,
    n_sets: usize,
    settings: *const abi::Settings,
) -> usize {
    let Some(settings) = pointee(settings) else { return 0 };
    Spec::new(sets, n_sets, settings).map_or(0, |spec| needed(&spec.limits))
}

/// How many bytes of stack the library uses below `sw_run`, at most; tests measure it, on the host and on
/// boards. Where addresses have 64 bits it is more.
const N_STACK_BYTES: usize = if usize::BITS > 32 { 20 * 1024 } else { 16 * 1024 };

/// `sw_stack_needed`
#[unsafe(no_mangle)]
pub extern "C" fn sw_stack_needed() -> usize {
    N_STACK_BYTES
}

/// `sw_result_name`
#[unsafe(no_mangle)]
pub extern "C" fn sw_result_name(result: c_int) -> *const c_char {
    result_codes::name(result).as_ptr()
}

/// `sw_version`
#[unsafe(no_mangle)]
pub extern "C" fn sw_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// What the maps of the engine's statistics take, which have a node each.
const N_MAP_BYTES: usize = 128 * size_of::<usize>() + 1024;

/// What the engine is to reserve.
fn room(limits: &Limits) -> Room {
    let n_cached = if limits.is_lean { N_CACHED_LEAN } else { N_CACHED };
    Room {
        counts_through: limits.exhaustive.is_some(),
        n_states: limits.exhaustive.map(|_| limits.n_states),
        can_reshape: !limits.is_lean,
        counts_order: !limits.is_lean,
        ..Room::new(limits.n_choices, limits.n_spans, n_cached)
    }
}

/// How many bytes a run takes, with what the arena adds to each piece.
fn needed(limits: &Limits) -> usize {
    let n = limits.n_operations;
    let n_order = if limits.is_lean { 0 } else { n * n };
    // For one test, for all, in the report, and for the test that is shown.
    let counts = 4 * (4 * n + n_order) * size_of::<u64>();
    let names = n * (size_of::<&str>() + size_of::<Operation>() + 1);
    let demands = limits.n_demands * (2 * size_of::<(&str, f64)>() + 128 + 1) + N_MAP_BYTES;
    let sites = crate::live::N_SITES * size_of::<Site>();
    let pieces = [
        room(limits).bytes(),
        counts,
        names,
        demands,
        sites,
        limits.n_argument_bytes,
        limits.n_heap_bytes,
        limits.n_trace_bytes,
        limits.n_statistics * size_of::<Measure>(),
        Assurance::bytes(limits.n_states, limits.max_properties),
        limits.n_results * crate::results::N_BYTES,
        size_of::<Counterexample>(),
        (Workspace::N_RESERVED + 56) * GRAIN,
    ];
    pieces.iter().fold(0usize, |sum, piece| sum.saturating_add(*piece))
}

fn check_memory(spec: &Spec, found: &mut abi::Report) -> Result<Spec, Mistake> {
    let settings = spec.settings;
    found.memory_needed = needed(&spec.limits);
    if settings.memory.is_null() {
        return Err(Mistake::new(result_codes::NULL, "settings.memory is NULL", ""));
    }
    if settings.memory_size < found.memory_needed {
        let what = "the buffer is too small; give more, or lower max_properties, max_choices or max_states";
        return Err(Mistake::new(result_codes::MEMORY, what, ""));
    }
    Ok(*spec)
}

/// The engine tells here which cases belong to the search.
struct Watch<'r> {
    live: &'r Live,
}

impl Hooks for Watch<'_> {
    fn is_out_of_time(&mut self) -> bool {
        self.live.wrong.get().is_some() && !self.live.has_failed.get()
    }

    fn case(&mut self, executed: &Execution, _observed: &Observations) {
        self.live.n_tests.set(self.live.n_tests.get() + 1);
        frames::progress(self.live, "tests", self.live.n_tests.get());
        match executed.verdict {
            Verdict::Passed if cfg!(feature = "statistics") => self.live.assurance.borrow_mut().passed(),
            // From here on everything is run again.
            Verdict::Failed(_) => {
                self.live.has_failed.set(true);
                self.live.next_progress.set(1);
                if self.live.sink.get() == Sink::Output {
                    self.live.sink.set(Sink::Nowhere);
                }
            }
            _ => {}
        }
    }
}

/// Nothing of what is made here is dropped: all of it is in the caller's buffer, which is given back as a
/// whole, and the code that takes it apart is kilobytes of program memory.
fn run_checked(spec: Spec, found: &mut abi::Report) {
    let settings = spec.settings;
    found.seed = match settings.entropy {
        // SAFETY: the header asks for a function that takes this.
        Some(entropy) => unsafe { entropy(settings.user) },
        None => settings.seed,
    };
    let live = ManuallyDrop::new(Live::new(spec));
    let names = ManuallyDrop::new(names(&live));
    render::head(&live, found.seed);
    live.sink.set(match settings.verbosity {
        1 => Sink::Output,
        _ if !spec.limits.is_repeatable => Sink::Trace,
        _ => Sink::Nowhere,
    });
    // They live as long as the run, which is as long as anybody looks at them.
    let properties = Properties { live: &live, names: slice(names.as_ptr(), names.len()) };
    let report = ManuallyDrop::new(search(&properties, found.seed));
    found.n_tests = report.statistics.n_passed;
    found.n_discarded = report.statistics.n_discarded;
    found.n_calls = report.statistics.program.n_done.iter().sum();
    live.sink.set(Sink::Output);
    conclude(&properties, &report, found);
    if cfg!(feature = "statistics")
        && spec.limits.exhaustive.is_none()
        && found.result == result_codes::PASSED
    {
        found.most_failing = confidence::most_failing(found.n_tests, CONFIDENCE);
    }
    if cfg!(feature = "statistics") {
        assure(&live, found);
    }
    live.sink.set(Sink::Output);
    render::tail(&live, &report, found);
}

/// Fills in how much was reached.
fn assure(live: &Live, found: &mut abi::Report) {
    let reached = live.assurance.borrow_mut().reached();
    (found.n_states, found.n_transitions) = (reached.n_states, reached.n_transitions);
    found.is_table_full = reached.is_full;
    if live.spec.limits.n_states > 0 {
        (found.new_state_chance, found.new_transition_chance) = reached.chances();
    }
}

fn names(live: &Live) -> Vec<&'static str> {
    let mut names = Vec::with_capacity(live.operations.len());
    names.extend(live.operations.iter().map(|operation| text(operation.property.name)));
    names
}

fn engine_settings(limits: &Limits, settings: &abi::Settings, seed: u64) -> Settings {
    Settings {
        seed,
        n_cases: limits.n_tests,
        max_discards: limits.max_discards,
        demand_all_operations: !settings.allow_unused_properties,
        exhaustive: limits.exhaustive,
        max_shrink_runs: limits.max_shrink_runs,
        // Nothing is recorded of what cannot be run again, so nothing limits it.
        max_choices: if limits.is_repeatable { limits.n_choices } else { stairway_engine::MAX_CHOICES },
        max_depth: 2 * MAX_DEPTH + 8,
        is_repeatable: limits.is_repeatable,
        try_all_of_few: false,
        keep_details: false,
        max_others: 0,
        ..Settings::default()
    }
}

fn search(properties: &Properties<'_>, seed: u64) -> Report {
    let spec = properties.live.spec;
    let limits = spec.limits;
    let all = spec.sets.iter().flat_map(|set| slice(set.demands, set.n_demands));
    let mut demands = ManuallyDrop::new(Vec::<(&'static str, f64)>::with_capacity(limits.n_demands));
    demands.extend(all.map(|demand| (text(demand.name), demand.percent)));
    let workspace = Workspace::with_room(room(&limits)).counting(properties.names, &demands);
    let mut workspace = ManuallyDrop::new(workspace);
    let steps = Steps { min: limits.min_properties, max: limits.max_properties };
    let property = |case: &mut stairway_engine::Case<'_>| {
        let live = properties.live;
        if live.spec.settings.verbosity == 1 && !live.has_failed.get() {
            render::test(live);
        }
        run_program(properties, steps, case)
    };
    let mut execute = InProcess::new(property, unguarded);
    let settings = engine_settings(&limits, spec.settings, seed);
    let mut hooks = Watch { live: properties.live };
    run(&mut execute, &settings, &[], &mut hooks, &mut workspace)
}

/// Says what came out, and shows what failed.
fn conclude(properties: &Properties<'_>, report: &Report, found: &mut abi::Report) {
    let live = properties.live;
    if let Some(wrong) = live.wrong.get().filter(|_| !live.has_failed.get()) {
        found.result = wrong.code;
        return render::wrong(live.spec.settings, &wrong);
    }
    match &report.outcome {
        Outcome::Falsified(counterexample) => {
            found.result = result_codes::FAILED;
            falsified(properties, counterexample, found);
        }
        Outcome::Flaky(flaky) => {
            found.result = result_codes::FLAKY;
            let site = fill_in(live, &flaky.failure, flaky.origin, found);
            render::flaky(live, site.as_ref(), found, &flaky.then);
        }
        Outcome::GaveUp => {
            found.result = result_codes::GAVE_UP;
            render::gave_up(live, report);
        }
        Outcome::CoverageNotMet { .. } => found.result = result_codes::UNCOVERED,
        Outcome::Explored { depth, bound, n_programs, n_pruned } => {
            found.explored_depth = *depth as u32;
            (found.n_sequences, found.n_pruned) = (*n_programs, *n_pruned);
            render::explored(live, found, *bound);
        }
        Outcome::GeneratorFailed { .. } => {
            found.result = result_codes::DEPTH;
            let what = "generators are nested too deep; give the recursion an end";
            render::wrong(live.spec.settings, &Mistake::new(result_codes::DEPTH, what, ""));
        }
        _ => {}
    }
}

/// Fills the report's part about the failure in.
fn fill_in(live: &Live, failure: &Failure, from: CaseOrigin, found: &mut abi::Report) -> Option<Site> {
    let FailureKind::Site(at) = failure.kind else { return None };
    let site = live.site(usize::try_from(at).ok()?)?;
    if let Some(op) = site.op {
        let operation = &live.operations[op];
        found.failed_property = operation.property.name;
        found.failed_set = live.spec.sets[operation.set].name;
    }
    found.failed_message = site.message;
    found.failed_file = site.file;
    found.failed_line = site.line;
    found.failed_signal = site.signal;
    if let CaseOrigin::Case(index) = from {
        found.failed_test = index;
    }
    Some(site)
}

fn falsified(properties: &Properties<'_>, counterexample: &Counterexample, found: &mut abi::Report) {
    let live = properties.live;
    let Some(site) = fill_in(live, &counterexample.failure, counterexample.origin, found) else {
        return;
    };
    let shrinking = &counterexample.shrinking;
    found.n_shrink_runs = shrinking.n_runs as u32;
    found.is_minimal = shrinking.is_minimal;
    render::falsified(live, &site, found);
    if live.spec.settings.verbosity == 2 {
        return;
    }
    if live.spec.limits.is_repeatable {
        show_again(properties, counterexample);
    } else {
        live.output_trace();
    }
    found.n_steps = live.n_steps.get();
    if site.kind == Kind::Crash {
        found.failed_address = live.crash_address.get();
    }
    render::after_steps(live, &site, found, shrinking);
}

/// Runs the smallest failing test once more, with all its text.
fn show_again(properties: &Properties<'_>, counterexample: &Counterexample) {
    let limits = properties.live.spec.limits;
    let steps = Steps { min: limits.min_properties, max: limits.max_properties };
    let choices = &counterexample.recording.choices;
    let source = Source::Replay { choices, spans: None, bound: u64::MAX };
    let mut plan = Plan::new(source, counterexample.size, limits.n_choices);
    plan.max_depth = 2 * MAX_DEPTH + 8;
    let mut property = |case: &mut stairway_engine::Case<'_>| run_program(properties, steps, case);
    let mut observed = Observations::default();
    execute_with(&mut property, unguarded, None, &plan, None, &mut observed);
}

/// What the archive's panic handler does: hands the reason to the caller, and stops.
pub fn panicked(text: &str) -> ! {
    if let Some(settings) = pointee(AT_PANIC.load(Ordering::Relaxed)) {
        output(settings, b"stairway: a mistake of Stairway's own: ");
        output(settings, text.as_bytes());
        output(settings, b"\n");
        if let Some(panic) = settings.panic {
            let user: *mut c_void = settings.user;
            // SAFETY: the header asks for a function that takes this and does not return.
            unsafe { panic(user, text.as_ptr().cast(), text.len()) };
        }
    }
    stop()
}

/// Stops the processor where it is: an instruction that every machine traps, whatever catches traps there.
fn stop() -> ! {
    loop {
        trap();
        core::hint::spin_loop();
    }
}

#[cfg(all(any(target_arch = "arm", target_arch = "aarch64"), not(miri)))]
fn trap() {
    // SAFETY: an invalid instruction has no effect but its trap.
    unsafe { core::arch::asm!("udf #0") };
}

#[cfg(all(any(target_arch = "riscv32", target_arch = "riscv64"), not(miri)))]
fn trap() {
    // SAFETY: an invalid instruction has no effect but its trap.
    unsafe { core::arch::asm!("unimp") };
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn trap() {
    // SAFETY: an invalid instruction has no effect but its trap.
    unsafe { core::arch::asm!("ud2") };
}

#[cfg(any(
    miri,
    not(any(
        target_arch = "arm",
        target_arch = "aarch64",
        target_arch = "riscv32",
        target_arch = "riscv64",
        target_arch = "x86_64"
    ))
))]
fn trap() {}
