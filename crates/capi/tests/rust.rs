//! The C interface called from Rust, so that Miri can look on: pointers go out and come back while Rust frames
//! are above. `cargo +nightly miri test -p stairway-capi --test rust` is what `cargo xtask test` runs
//! where Miri is installed.

use stairway_capi::abi::{
    Argument, FAIL, Generator, MAX_ARGUMENTS, MAX_STATISTICS, OK, Property, REFUSE, Report, Set, Settings,
    Statistic, Test, Verdict,
};
use stairway_capi::calls::{
    sw_allocate, sw_cover, sw_empty_cleanup, sw_failed, sw_get_argument, sw_model, sw_note_int, sw_state,
};
use stairway_capi::generators::{sw_any_int, sw_any_string, sw_draw, sw_draw_int, sw_make_array};
use stairway_capi::print::{sw_print_array, sw_put, sw_put_int};
use stairway_capi::{sw_memory_needed, sw_run};
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

thread_local! {
    static TEXT: RefCell<String> = const { RefCell::new(String::new()) };
}

unsafe extern "C" fn keep(_user: *mut c_void, text: *const c_char, n: usize) {
    // SAFETY: the library hands over so many bytes.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), n) };
    TEXT.with_borrow_mut(|text| text.push_str(&String::from_utf8_lossy(bytes)));
}

/// The system: a counter. The model: what it should be.
struct System {
    count: Cell<i32>,
    limit: i32,
}

fn system<'a>(t: *mut Test) -> &'a System {
    // SAFETY: the test is the one at hand.
    let state = unsafe { sw_state(t) }.cast::<System>();
    // SAFETY: the set's state is a system that outlives the run.
    unsafe { &*state }
}

fn model<'a>(t: *mut Test) -> &'a Cell<i32> {
    // SAFETY: the test is the one at hand.
    let model = unsafe { sw_model(t) }.cast::<Cell<i32>>();
    // SAFETY: the set's model is a cell that outlives the run.
    unsafe { &*model }
}

unsafe extern "C" fn reset(t: *mut Test) -> bool {
    system(t).count.set(0);
    model(t).set(0);
    true
}

unsafe extern "C" fn add(t: *mut Test) -> Verdict {
    // SAFETY: the test is the one at hand.
    let by = unsafe { sw_get_argument(t, 0, 4) }.cast::<i32>();
    // SAFETY: the argument is an `int`, and nobody else looks at it now.
    let by = unsafe { &mut *by };
    *by = by.rem_euclid(10);
    model(t).set(model(t).get() + *by);
    system(t).count.set((system(t).count.get() + *by).min(system(t).limit));
    // SAFETY: the strings end with 0.
    unsafe { sw_note_int(t, c"count".as_ptr(), system(t).count.get().into()) };
    if system(t).count.get() == model(t).get() {
        return OK;
    }
    // SAFETY: as above.
    unsafe { sw_failed(t, c"count == model".as_ptr(), c"rust.rs".as_ptr(), 1) }
}

unsafe extern "C" fn list(t: *mut Test) -> Verdict {
    // SAFETY: the test is the one at hand.
    let more = unsafe { sw_allocate(t, 8) }.cast::<u64>();
    // SAFETY: there are 8 bytes, aligned to 16.
    unsafe { more.write(7) };
    let mut drawn = 0i32;
    // SAFETY: there is room for an `int`.
    let verdict = unsafe { sw_draw(t, &raw const sw_any_int, (&raw mut drawn).cast()) };
    // SAFETY: the name ends with 0.
    unsafe { sw_cover(t, c"lists".as_ptr(), true) };
    if drawn == 3 { REFUSE } else { verdict }
}

unsafe extern "C" fn make_small(t: *mut Test, _this: *const Generator, value: *mut c_void) -> Verdict {
    // SAFETY: the test is the one at hand.
    let drawn = unsafe { sw_draw_int(t, 0, 9) };
    // SAFETY: the value is an `int`.
    unsafe { value.cast::<i32>().write(drawn as i32) };
    OK
}

unsafe extern "C" fn print_small(t: *mut Test, _this: *const Generator, value: *const c_void) {
    // SAFETY: the text ends with 0.
    unsafe { sw_put(t, c"#".as_ptr()) };
    // SAFETY: the value is an `int`.
    let value = unsafe { value.cast::<i32>().read() };
    // SAFETY: the test is the one at hand.
    unsafe { sw_put_int(t, value.into()) };
}

unsafe extern "C" fn measure(t: *mut Test, value: *mut i64) -> bool {
    // SAFETY: the library has room for a number there.
    unsafe { value.write(model(t).get().into()) };
    true
}

unsafe extern "C" fn fingerprint(t: *mut Test) -> u64 {
    model(t).get().min(5) as u64
}

unsafe extern "C" fn show(t: *mut Test) {
    // SAFETY: the test is the one at hand.
    unsafe { sw_put_int(t, model(t).get().into()) };
}

const SMALL: Generator = Generator {
    size: 4,
    make: Some(make_small),
    print: Some(print_small),
    min: 0,
    max: 0,
    more: ptr::null(),
    n_choices: 1,
};

const NO_ARGUMENT: Argument = Argument { name: ptr::null(), generator: ptr::null() };

fn property(name: &'static std::ffi::CStr, body: unsafe extern "C" fn(*mut Test) -> Verdict) -> Property {
    Property {
        name: name.as_ptr(),
        body: Some(body),
        precondition: None,
        arguments: [NO_ARGUMENT; MAX_ARGUMENTS],
        statistics: [ptr::null(); MAX_STATISTICS],
        weight: 0,
        result: ptr::null(),
    }
}

fn settings(memory: &mut [u8], n_tests: u64) -> Settings {
    Settings {
        memory: memory.as_mut_ptr().cast(),
        memory_size: memory.len(),
        write: Some(keep),
        user: ptr::null_mut(),
        seed: 3,
        entropy: None,
        n_tests,
        min_properties: 0,
        max_properties: 6,
        max_discards: 0,
        max_shrink_runs: 300,
        no_shrinking: false,
        allow_unused_properties: false,
        json: true,
        lean: false,
        verbosity: 0,
        statistics: 0,
        max_choices: 0,
        max_states: 16,
        array_bytes: 0,
        trace_bytes: 0,
        exhaustive_depth: 0,
        exhaustive_bound: 0,
        guard: None,
        poison: None,
        panic: None,
    }
}

/// Runs a counter that stops at `limit`.
fn run(limit: i32, has_reset: bool, n_tests: u64) -> (i32, Report, String) {
    // There is one run at a time, and tests are done on several threads.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let system = System { count: Cell::new(0), limit };
    let model = Cell::new(0);
    let statistic = Statistic { name: c"model".as_ptr(), measure: Some(measure) };
    let array = Generator {
        size: 16,
        make: Some(sw_make_array),
        print: Some(sw_print_array),
        max: 3,
        more: (&raw const SMALL_STATIC).cast(),
        n_choices: 0,
        ..SMALL
    };
    let mut properties = [property(c"add", add), property(c"list", list)];
    properties[0].arguments[0] = Argument { name: c"by".as_ptr(), generator: &raw const SMALL_STATIC };
    properties[0].statistics[0] = &raw const statistic;
    properties[1].arguments[0] = Argument { name: c"xs".as_ptr(), generator: &raw const array };
    properties[1].arguments[1] = Argument { name: c"s".as_ptr(), generator: &raw const sw_any_string };
    let cleanups = [property(c"end", sw_empty_cleanup)];
    let demand = stairway_capi::abi::Demand { name: c"lists".as_ptr(), percent: 1.0, holds: None };
    let set = Set {
        name: c"counter".as_ptr(),
        state: (&raw const system).cast_mut().cast(),
        model: (&raw const model).cast_mut().cast(),
        properties: properties.as_ptr(),
        n_properties: properties.len(),
        cleanups: cleanups.as_ptr(),
        n_cleanups: 1,
        reset: has_reset.then_some(reset),
        fingerprint: Some(fingerprint),
        show: Some(show),
        demands: &raw const demand,
        n_demands: 1,
    };
    let mut memory = [0u8; 16];
    let settings = settings(&mut memory, n_tests);
    // SAFETY: everything that the pointers lead to is above.
    let needed = unsafe { sw_memory_needed(&raw const set, 1, &raw const settings) };
    let mut memory = vec![0u8; needed];
    let settings = Settings { memory: memory.as_mut_ptr().cast(), memory_size: needed, ..settings };
    let mut report = std::mem::MaybeUninit::<Report>::uninit();
    TEXT.with_borrow_mut(String::clear);
    // SAFETY: as above.
    let result = unsafe { sw_run(&raw const set, 1, &raw const settings, report.as_mut_ptr()) };
    // SAFETY: a run always leaves a report.
    (result, unsafe { report.assume_init() }, TEXT.take())
}

static SMALL_STATIC: Generator = SMALL;

/// Miri takes its time.
const N_TESTS: u64 = if cfg!(miri) { 4 } else { 100 };

#[test]
fn a_counter_that_counts_passes() {
    let (result, report, text) = run(i32::MAX, true, N_TESTS);
    assert_eq!(result, 0, "{text}");
    assert!(report.n_states >= 2 && text.contains("model after add"), "{text}");
}

#[test]
fn a_counter_that_stops_is_found_and_made_small() {
    let (result, report, text) = run(9, true, N_TESTS.max(30));
    assert_eq!((result, report.n_steps), (FAIL, 2), "{text}");
    assert!(text.contains("add(by = #1)\n") && text.contains("add(by = #9)\n"), "{text}");
    assert!(text.contains("      count = 9\n      count == model\n"), "{text}");
}

#[test]
fn without_reset_it_is_shown_as_found() {
    let (result, report, text) = run(9, false, N_TESTS.max(30));
    assert_eq!((result, report.n_shrink_runs), (FAIL, 0), "{text}");
    assert!(text.contains("add(by = #"), "{text}");
}
