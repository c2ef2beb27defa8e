//! What bodies, preconditions and other callbacks of the user's call.
//!
//! They are given a pointer to the test at hand, and change it. Nothing here decides how a test goes on; the
//! operations look at what was left behind. A NULL pointer is a test that notes nothing.
#![allow(clippy::missing_safety_doc, reason = "the header says what the pointers must be")]

use crate::abi::{CRASH, FAIL, OK, REFUSE, Test, Verdict};
use crate::live::{Kind, Site};
use crate::result_codes;
use crate::spec::{slice, text};
use crate::test_access::live;
use core::ffi::{c_char, c_int, c_void};
use core::ptr;

/// `sw_failed`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_failed(
    t: *mut Test,
    message: *const c_char,
    file: *const c_char,
    line: c_int,
) -> Verdict {
    if let Some(live) = live(t) {
        live.fails(Site { message, file, line, ..Site::of(Kind::Condition, live.op.get()) });
        if live.is_shown() {
            live.remark("said", format_args!("{}", text(message)));
        }
    }
    FAIL
}

/// `sw_crashed`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_crashed(
    t: *mut Test,
    signal: c_int,
    name: *const c_char,
    address: usize,
) -> Verdict {
    if let Some(live) = live(t) {
        // Whatever it had failed by before, this is how it ended.
        live.failed_at.set(None);
        live.crash_address.set(address);
        live.fails(Site { message: name, signal, ..Site::of(Kind::Crash, live.op.get()) });
    }
    CRASH
}

/// `sw_differ`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_differ(
    t: *mut Test,
    left: i64,
    right: i64,
    left_text: *const c_char,
    right_text: *const c_char,
    file: *const c_char,
    line: c_int,
) -> bool {
    if left == right {
        return false;
    }
    if let Some(live) = live(t) {
        let message = left_text;
        live.fails(Site { message, file, line, ..Site::of(Kind::Condition, live.op.get()) });
        if live.is_shown() {
            let left_text = text(left_text);
            // A number needs no value beside it.
            match text(right_text) {
                number if is_number(number) => {
                    live.remark("said", format_args!("{left_text} is {left}, not {right}"));
                }
                name => live.remark("said", format_args!("{left_text} is {left}, {name} is {right}")),
            }
        }
    }
    true
}

/// Whether an expression is a number, and so its own value.
fn is_number(expression: &str) -> bool {
    let digits = expression.strip_prefix('-').unwrap_or(expression);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `sw_refused`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_refused(_t: *mut Test) -> Verdict {
    REFUSE
}

/// `sw_note`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_note(t: *mut Test, note: *const c_char) {
    if let Some(live) = live(t).filter(|live| live.is_shown()) {
        live.remark("note", format_args!("{}", text(note)));
    }
}

/// `sw_note_int`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_note_int(t: *mut Test, name: *const c_char, value: i64) {
    if let Some(live) = live(t).filter(|live| live.is_shown()) {
        live.remark("note", format_args!("{} = {value}", text(name)));
    }
}

/// `sw_state`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_state(t: *mut Test) -> *mut c_void {
    live(t).map_or(ptr::null_mut(), |live| live.set().state)
}

/// `sw_model`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_model(t: *mut Test) -> *mut c_void {
    live(t).map_or(ptr::null_mut(), |live| live.set().model)
}

/// Bytes for a value that is not there.
const N_SCRATCH: usize = 512;

/// What a body gets that asks for an argument which it has not: it is about to read or write it.
#[repr(C, align(16))]
struct Scratch(core::cell::UnsafeCell<[u8; N_SCRATCH]>);

// SAFETY: nobody reads it for its value.
unsafe impl Sync for Scratch {}

static SCRATCH: Scratch = Scratch(core::cell::UnsafeCell::new([0; N_SCRATCH]));

/// `sw_get_argument`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_get_argument(t: *mut Test, index: usize, size: usize) -> *mut c_void {
    let Some(live) = live(t) else { return SCRATCH.0.get().cast() };
    match live.argument(index) {
        Some((place, its_size)) if its_size == size => return place,
        Some(_) => {
            live.is_wrong(
                result_codes::ARGUMENT,
                "an argument is asked for as another type than it was made as",
            );
        }
        None => {
            live.is_wrong(result_codes::ARGUMENT, "an argument is asked for that the property does not have");
        }
    }
    // Something to read and write until the body returns and the run ends.
    match live.allocate(size) {
        Some(place) => place,
        None if size <= N_SCRATCH => SCRATCH.0.get().cast(),
        None => ptr::null_mut(),
    }
}

/// `sw_cover`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_cover(t: *mut Test, name: *const c_char, condition: bool) {
    let Some(live) = live(t) else { return };
    let before: usize = live.spec.sets[..live.set.get()].iter().map(|set| set.n_demands).sum();
    let set = live.set();
    let wanted = text(name);
    match slice(set.demands, set.n_demands).iter().position(|demand| text(demand.name) == wanted) {
        Some(at) if condition => live.hits[before + at].set(true),
        Some(_) => {}
        None => live.is_wrong(result_codes::DEMAND, "`sw_cover` names a demand that the set does not list"),
    }
}

/// `sw_empty_cleanup`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_empty_cleanup(_t: *mut Test) -> Verdict {
    OK
}

/// `sw_allocate`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_allocate(t: *mut Test, n_bytes: usize) -> *mut c_void {
    let Some(live) = live(t) else { return ptr::null_mut() };
    if live.op.get().is_none() {
        live.is_wrong(result_codes::GENERATOR, "memory is asked for outside of generators and bodies");
        return ptr::null_mut();
    }
    live.allocate(n_bytes).unwrap_or_else(|| {
        live.is_wrong(result_codes::GENERATOR, "more memory is asked for than there is; raise array_bytes");
        ptr::null_mut()
    })
}
