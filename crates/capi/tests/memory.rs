//! "Nothing is allocated while tests run": the library takes its memory before the first property is called, and
//! not a byte more until the last one has returned.

use stairway_capi::abi::{
    Argument, MAX_ARGUMENTS, MAX_STATISTICS, OK, Property, Set, Settings, Test, Verdict,
};
use stairway_capi::calls::{sw_empty_cleanup, sw_failed, sw_get_argument};
use stairway_capi::generators::sw_any_int;
use stairway_capi::sw_run;
use std::cell::Cell;
use std::ffi::CStr;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Only one run at a time.
static ONE_RUN: Mutex<()> = Mutex::new(());
static FAILS: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// Allocations of this thread: at the first call of a callback, at the last, and so far.
    static FIRST: Cell<Option<u64>> = const { Cell::new(None) };
    static LAST: Cell<u64> = const { Cell::new(0) };
    static SO_FAR: Cell<u64> = const { Cell::new(0) };
}

/// Counts, and hands on to the system.
struct Counting;

// SAFETY: everything is the system allocator's.
unsafe impl std::alloc::GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: std::alloc::Layout) -> *mut u8 {
        SO_FAR.set(SO_FAR.get() + 1);
        // SAFETY: the caller keeps to the same rules.
        unsafe { std::alloc::System.alloc(layout) }
    }
    unsafe fn dealloc(&self, piece: *mut u8, layout: std::alloc::Layout) {
        // SAFETY: the caller keeps to the same rules.
        unsafe { std::alloc::System.dealloc(piece, layout) }
    }
}

#[global_allocator]
static GLOBAL: Counting = Counting;

fn look() {
    FIRST.set(FIRST.get().or(Some(SO_FAR.get())));
    LAST.set(SO_FAR.get());
}

unsafe extern "C" fn reset(_t: *mut Test) -> bool {
    look();
    COUNT.store(0, Relaxed);
    true
}

unsafe extern "C" fn up(t: *mut Test) -> Verdict {
    look();
    // SAFETY: the argument is an `int`.
    let by = unsafe { sw_get_argument(t, 0, 4) }.cast::<i32>();
    // SAFETY: as above.
    let by = unsafe { by.read() };
    COUNT.store(COUNT.load(Relaxed) + u64::from(by > 100), Relaxed);
    if FAILS.load(Relaxed) && COUNT.load(Relaxed) == 4 {
        // SAFETY: the strings end with 0.
        return unsafe { sw_failed(t, c"four".as_ptr(), c"memory.rs".as_ptr(), 1) };
    }
    OK
}

unsafe extern "C" fn is_two(_t: *mut Test) -> bool {
    COUNT.load(Relaxed) == 2
}

unsafe extern "C" fn fingerprint(_t: *mut Test) -> u64 {
    COUNT.load(Relaxed)
}

fn property(name: &'static CStr, body: unsafe extern "C" fn(*mut Test) -> Verdict) -> Property {
    let arguments = [Argument { name: ptr::null(), generator: ptr::null() }; MAX_ARGUMENTS];
    let statistics = [ptr::null(); MAX_STATISTICS];
    Property {
        name: name.as_ptr(),
        body: Some(body),
        precondition: None,
        arguments,
        statistics,
        weight: 0,
        result: ptr::null(),
    }
}

/// How often memory was allocated between the first call of a callback and the last.
fn allocations_while_tests_run(seed: u64) -> (i32, u64) {
    let mut up = property(c"up", up);
    up.arguments[0] = Argument { name: c"by".as_ptr(), generator: &raw const sw_any_int };
    let end = property(c"end", sw_empty_cleanup);
    let demand = stairway_capi::abi::Demand { name: c"two".as_ptr(), percent: 1.0, holds: Some(is_two) };
    let set = Set {
        name: c"counter".as_ptr(),
        state: ptr::null_mut(),
        model: ptr::null_mut(),
        properties: &raw const up,
        n_properties: 1,
        cleanups: &raw const end,
        n_cleanups: 1,
        reset: Some(reset),
        fingerprint: Some(fingerprint),
        show: None,
        demands: &raw const demand,
        n_demands: 1,
    };
    let mut memory = vec![0u8; 1 << 18];
    // SAFETY: all members may be 0 or NULL.
    let mut settings: Settings = unsafe { std::mem::zeroed() };
    settings.memory = memory.as_mut_ptr().cast();
    settings.memory_size = memory.len();
    settings.seed = seed;
    FIRST.set(None);
    // SAFETY: everything that the pointers lead to is above.
    let result = unsafe { sw_run(&raw const set, 1, &raw const settings, ptr::null_mut()) };
    (result, LAST.get() - FIRST.get().expect("a callback was called"))
}

#[test]
fn a_passing_run_allocates_nothing_while_tests_run() {
    let _one = ONE_RUN.lock().expect("no other test panics");
    FAILS.store(false, Relaxed);
    assert_eq!(allocations_while_tests_run(1), (0, 0));
}

/// The report of a failing run is put together between the end of shrinking and the run that shows the smallest
/// test: a few allocations, as many whatever the search and shrinking took.
#[test]
fn a_failing_run_allocates_only_its_report() {
    let _one = ONE_RUN.lock().expect("no other test panics");
    FAILS.store(true, Relaxed);
    let (_, n_in_report) = allocations_while_tests_run(0);
    assert!(n_in_report <= 16, "{n_in_report}");
    for seed in 1..10 {
        assert_eq!(allocations_while_tests_run(seed), (1, n_in_report), "seed {seed}");
    }
}
