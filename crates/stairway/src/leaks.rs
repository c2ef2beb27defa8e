//! Leaks of C and Rust, case by case, where a test is linked with AddressSanitizer.
//!
//! Ends the process if LeakSanitizer finds memory that nothing leads to, so that the case is a counterexample
//! of an isolated property. The call itself stands in the user's crate, which is linked with C anyway: this
//! one has no unsafe code.

/// Ends the process if memory was leaked: for the end of a case of an isolated property whose test binary is
/// linked with `-fsanitize=address` (or `-fsanitize=leak`).
///
/// The worker's death is the failure, with LeakSanitizer's words and the line that allocated. It takes about
/// two milliseconds.
///
/// ```no_run
/// # use stairway::prelude::*;
/// # mod spec { pub fn push(values: &[u8]) -> usize { values.len() } }
/// # fn c_push(values: &[u8]) -> usize { values.len() }
/// refinement! {
///     #[property(isolate)]
///     push_refines_its_spec(values: Vec<u8>) {
///         spec => spec::push(&values),
///         real => c_push(&values),
///         teardown => stairway::check_leaks!(),
///     }
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! check_leaks {
    () => {{
        unsafe extern "C" {
            safe fn __lsan_do_recoverable_leak_check() -> ::core::ffi::c_int;
        }
        $crate::__private::end_if_leaked(|| __lsan_do_recoverable_leak_check() != 0);
    }};
}

/// Ends the process if there are leaks, of which the sanitizer has written a report.
pub fn end_if_leaked(has_leaked: impl FnOnce() -> bool) {
    overwrite_stack();
    if has_leaked() {
        std::process::exit(23);
    }
}

/// Pointers that calls have left behind on the stack would hide what they lead to.
#[inline(never)]
fn overwrite_stack() {
    let mut room = [0_u8; 32 * 1024];
    std::hint::black_box(&mut room);
}
