//! Whether code under test is running on this thread: what it is answered is not what Stairway itself is
//! answered.
//!
//! The mark is one byte of the thread's. Where the process is locked (`lock`) it decides identity, time and
//! signals only: which files may be changed is the same for both, so that code under test which writes over
//! the mark gains nothing. Where only calls are confined (`dispatch`) the kernel reads the same byte: while
//! it is set, every system call of the thread comes to the policy.

use crate::trap::Runtime;
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// What the kernel takes for "let system calls pass", and for "dispatch them".
const HOST: u8 = 0;
const GUEST: u8 = 1;

thread_local! {
    static MARK: AtomicU8 = const { AtomicU8::new(HOST) };
    static CODE: Cell<Code> = const { Cell::new(Code::Loading) };
    /// Whether this thread runs Stairway as well, and says itself when it does not.
    static IS_HARNESS: Cell<bool> = const { Cell::new(false) };
}

/// Whether threads that are not Stairway's run code under test.
static ARE_OTHERS_GUESTS: AtomicBool = AtomicBool::new(false);
/// Whether the call that the policy decides at present was made by code under test.
static IS_GUEST_CALL: AtomicBool = AtomicBool::new(false);

/// What kind of code runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Code {
    /// Constructors of an object that is being loaded.
    Loading,
    /// Functions of an object, in this runtime.
    Called(*const Runtime),
    /// Code of the process itself.
    Compiled,
}

/// Where the kernel finds the mark of this thread.
pub(crate) fn mark() -> u64 {
    MARK.with(|mark| mark.as_ptr().expose_provenance() as u64)
}

/// Where the mark of this thread is, if code under test may start processes: whatever runs while it is 0
/// passes for Stairway.
///
/// ```
/// assert!(stairway_sandbox::mark_of_starter().is_null());
/// ```
#[must_use]
pub fn mark_of_starter() -> *mut u8 {
    if crate::paths::may_exec() { MARK.with(AtomicU8::as_ptr) } else { std::ptr::null_mut() }
}

/// Whether this thread runs code under test.
pub(crate) fn is_running() -> bool {
    is_marked() || (ARE_OTHERS_GUESTS.load(Ordering::Relaxed) && !IS_HARNESS.get())
}

fn is_marked() -> bool {
    MARK.with(|mark| mark.load(Ordering::Relaxed)) == GUEST
}

/// What kind of code this thread runs.
pub(crate) fn code() -> Code {
    if is_marked() { CODE.get() } else { Code::Compiled }
}

/// From now on this thread is Stairway's, and all others run code under test.
pub(crate) fn keep_this_thread() {
    IS_HARNESS.set(true);
    ARE_OTHERS_GUESTS.store(true, Ordering::Relaxed);
}

/// This thread is Stairway's, whatever others run.
pub(crate) fn keep_thread() {
    IS_HARNESS.set(true);
}

/// Says whose call the policy decides now.
pub(crate) fn set_call(is_guest: bool) {
    IS_GUEST_CALL.store(is_guest, Ordering::Relaxed);
}

/// Whether the call that the policy decides was made by code under test.
pub(crate) fn is_guest() -> bool {
    IS_GUEST_CALL.load(Ordering::Relaxed)
}

fn replace(mark: u8) -> u8 {
    MARK.with(|known| {
        let before = known.load(Ordering::Relaxed);
        known.store(mark, Ordering::Relaxed);
        before
    })
}

/// While it lives, what this thread runs is code under test.
///
/// ```
/// let _guest = stairway_sandbox::Guest::load();
/// ```
#[derive(Debug)]
pub struct Guest<'r> {
    mark: u8,
    code: Code,
    _runtime: PhantomData<&'r Runtime>,
}

impl<'r> Guest<'r> {
    #[inline]
    fn enter(code: Code) -> Guest<'r> {
        let before = CODE.replace(code);
        Guest { mark: replace(GUEST), code: before, _runtime: PhantomData }
    }

    /// An object is loaded from now on, whose constructors run.
    #[must_use]
    pub fn load() -> Guest<'static> {
        Guest::enter(Code::Loading)
    }

    /// A function of an object runs from now on, in its runtime.
    #[inline]
    #[must_use]
    pub fn call(runtime: &'r Runtime) -> Guest<'r> {
        Guest::enter(Code::Called(runtime))
    }

    /// Code of this process is under test from now on.
    #[must_use]
    pub fn run() -> Guest<'static> {
        Guest::enter(Code::Compiled)
    }
}

impl Drop for Guest<'_> {
    #[inline]
    fn drop(&mut self) {
        replace(self.mark);
        CODE.set(self.code);
    }
}

/// While it lives, what runs is Stairway, called by code under test.
///
/// ```
/// let _guest = stairway_sandbox::Guest::load();
/// let _host = stairway_sandbox::Host::enter();
/// ```
#[derive(Debug)]
pub struct Host(u8);

impl Host {
    /// Stairway runs from now on.
    #[inline]
    #[must_use]
    pub fn enter() -> Host {
        Host(replace(HOST))
    }
}

impl Drop for Host {
    #[inline]
    fn drop(&mut self) {
        replace(self.0);
    }
}
