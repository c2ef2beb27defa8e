//! The signal handler behind the filter: reads a trapped call from the registers, lets the policy decide, puts the answer back.
//!
//! Every signal is blocked while it runs, so that nothing leaves it half-way. If the policy ends the call under test, the runtime
//! that was [`connect`]ed leaves it, as it does for a crash.

use crate::files::Room;
use crate::gate::{Call, at, perform, signed};
use crate::paths::{SURROUNDINGS, copy_from_guest};
use crate::policy::{self, Outcome};
use crate::{guest, restore};
use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What code under test is told its process is.
pub(crate) const FIXED_PID: i64 = 1000;

/// What the sandbox needs of the runtime that code under test runs in.
#[derive(Clone, Copy, Debug)]
pub struct Runtime {
    /// Leaves the call under test: with a signal, if the first number is not 0, or an exit, and its number. Returns only
    /// if no call is under way.
    pub leave: unsafe extern "C" fn(u32, u32),
    /// Keeps what the code prints.
    pub print: unsafe extern "C" fn(*const u8, u64),
    /// The clock that code under test sees, in milliseconds.
    pub clock: *mut u64,
    /// The state of the random numbers that it sees.
    pub random: *mut u64,
    /// Where its code is: address and size.
    pub code: (u64, u64),
}

// SAFETY: the functions and variables are those of an object that is never unloaded, used by one thread at a time.
unsafe impl Send for Runtime {}
// SAFETY: as above.
unsafe impl Sync for Runtime {}

static RUNTIME: OnceLock<Runtime> = OnceLock::new();
/// Used until there is a runtime.
static EARLY_CLOCK: AtomicU64 = AtomicU64::new(1);
static EARLY_RANDOM: AtomicU64 = AtomicU64::new(1);

/// From now on calls under test are left through a runtime, and what is mapped belongs to the process. Without effect in
/// a process that is not locked.
///
/// # Safety
/// Functions and variables must stay valid for as long as the process lives.
pub unsafe fn connect(runtime: Runtime) {
    if SURROUNDINGS.get().is_none() {
        return;
    }
    policy::forget_all();
    // A worker loads one.
    let _ = RUNTIME.set(runtime);
}

/// Whether there is a runtime that can leave a call.
pub(crate) fn is_connected() -> bool {
    RUNTIME.get().is_some()
}

/// The registers of the thread that made a call.
pub(crate) struct Registers<'c> {
    context: &'c mut libc::ucontext_t,
}

impl Registers<'_> {
    fn get(&self, register: c_int) -> u64 {
        self.context.uc_mcontext.gregs[register as usize].cast_unsigned()
    }

    fn call(&self) -> Call {
        let registers =
            [libc::REG_RDI, libc::REG_RSI, libc::REG_RDX, libc::REG_R10, libc::REG_R8, libc::REG_R9];
        Call {
            number: self.get(libc::REG_RAX).cast_signed(),
            arguments: registers.map(|register| self.get(register)),
        }
    }

    fn answer(&mut self, answer: i64) {
        self.context.uc_mcontext.gregs[libc::REG_RAX as usize] = answer;
    }

    /// Whether code under test made the call without the C library's function for it.
    pub(crate) fn is_direct(&self) -> bool {
        const SIZE_OF_SYSCALL: u64 = 64;
        let at = self.get(libc::REG_RIP);
        let raw = (libc::syscall as *const ()).expose_provenance() as u64;
        let code = RUNTIME.get().map_or((0, 0), |runtime| runtime.code);
        at.wrapping_sub(raw) < SIZE_OF_SYSCALL || at.wrapping_sub(code.0) < code.1
    }

    /// The signals that are blocked when the handler returns: the kernel's mask has 64 bits.
    pub(crate) fn mask(&self) -> u64 {
        let mask: *const u64 = (&raw const self.context.uc_sigmask).cast();
        // SAFETY: the set begins with the kernel's mask.
        unsafe { mask.read() }
    }

    pub(crate) fn set_mask(&mut self, wanted: u64) {
        let mask: *mut u64 = (&raw mut self.context.uc_sigmask).cast();
        // SAFETY: as above.
        unsafe { mask.write(wanted) };
    }
}

struct Shared(UnsafeCell<Room>);
// SAFETY: used by whoever holds `IS_BUSY` alone.
unsafe impl Sync for Shared {}
static ROOM: Shared = Shared(UnsafeCell::new(Room::new()));
static IS_BUSY: AtomicBool = AtomicBool::new(false);

/// Installs the handler.
pub(crate) fn install() -> std::io::Result<()> {
    let mut theirs = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: all zeros are a valid action.
    let action = unsafe { theirs.assume_init_mut() };
    action.sa_sigaction = (on_trap as *const ()).expose_provenance();
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: the set is part of the action.
    unsafe { libc::sigfillset(&raw mut action.sa_mask) };
    // SAFETY: the handler has the signature that SA_SIGINFO asks for, and may run at any time.
    let refused = unsafe { libc::sigaction(libc::SIGSYS, action, std::ptr::null_mut()) };
    if refused == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

extern "C" fn on_trap(_: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;
    // SAFETY: the kernel passes the context of the thread to a handler with SA_SIGINFO.
    let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
    let mut registers = Registers { context };
    // SAFETY: for SIGSYS the architecture is a word at byte 28.
    let arch = unsafe { info.cast::<u32>().wrapping_add(7).read() };
    if arch != AUDIT_ARCH_X86_64 {
        registers.answer(-i64::from(libc::ENOSYS));
        return;
    }
    let call = registers.call();
    let is_guest = guest::is_running() && is_first_thread();
    if !is_guest && !policy::is_about_paths(call.number) {
        // It may wait, and needs no room.
        let answer = policy::decide_for_host(&call, &mut registers);
        return registers.answer(answer);
    }
    while IS_BUSY.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    guest::set_call(is_guest);
    // SAFETY: nobody else has it: see `IS_BUSY`.
    let room = unsafe { &mut *ROOM.0.get() };
    let outcome = policy::decide(&call, &mut registers, room);
    IS_BUSY.store(false, Ordering::Release);
    match outcome {
        Outcome::Return(answer) => registers.answer(answer),
        Outcome::Exit(code) => leave(&mut registers, 0, code.cast_unsigned()),
        Outcome::Signal(signal) => leave(&mut registers, 1, signal.unsigned_abs()),
    }
}

fn is_first_thread() -> bool {
    SURROUNDINGS.get().is_none_or(|known| perform(libc::SYS_gettid, &[]) == known.pid)
}

/// Leaves the call under test; where there is none to leave, the process ends as the code wanted.
fn leave(registers: &mut Registers<'_>, is_signal: u32, code: u32) {
    if let Some(runtime) = RUNTIME.get() {
        let mask = registers.mask();
        perform(libc::SYS_rt_sigprocmask, &[signed(libc::SIG_SETMASK), at(&mask), 0, 8]);
        // SAFETY: what was connected leaves a call by jumping over frames of C and of this handler, which own nothing.
        unsafe { (runtime.leave)(is_signal, code) };
    }
    const FAILED_EARLY: u64 = 70;
    const TEXT: &[u8] =
        b"the program fails while it is loaded, before anything is called: look at its constructors\n";
    perform(libc::SYS_write, &[2, at(TEXT), TEXT.len() as u64]);
    perform(libc::SYS_exit_group, &[FAILED_EARLY]);
}

/// How much this sequence has printed so.
static N_PRINTED: AtomicU64 = AtomicU64::new(0);

/// The next sequence may print again.
pub(crate) fn forget_printed() {
    N_PRINTED.store(0, Ordering::Relaxed);
}

/// What code under test prints by a system call of its own goes where its other output goes.
pub(crate) fn print(address: u64, size: u64) -> i64 {
    const MAX_KEPT: u64 = 64 << 10;
    restore::mark(restore::OUTPUT);
    let before = N_PRINTED.fetch_add(size, Ordering::Relaxed);
    let mut done = 0;
    while done < size.min(MAX_KEPT.saturating_sub(before)) {
        let mut bytes = [0; 1024];
        let n = (size - done).min(bytes.len() as u64) as usize;
        if let Err(error) = copy_from_guest(address + done, &mut bytes[..n]) {
            return error;
        }
        if let Some(runtime) = RUNTIME.get() {
            // SAFETY: what was connected copies these bytes.
            unsafe { (runtime.print)(bytes.as_ptr(), n as u64) };
        }
        done += n as u64;
    }
    size.cast_signed()
}

/// The same for `writev`.
pub(crate) fn print_all(vectors: u64, n: u64) -> i64 {
    let mut total = 0;
    for k in 0..n.min(1024) {
        let mut bytes = [0; 16];
        if let Err(error) = copy_from_guest(vectors + 16 * k, &mut bytes) {
            return error;
        }
        let word = |k: usize| u64::from_le_bytes(bytes[8 * k..8 * k + 8].try_into().unwrap_or_default());
        match print(word(0), word(1)) {
            answer @ ..0 => return answer,
            printed => total += printed,
        }
    }
    total
}

fn change(place: impl Fn(&Runtime) -> *mut u64, early: &AtomicU64, next: impl Fn(u64) -> u64) -> u64 {
    let Some(runtime) = RUNTIME.get() else {
        let before = early.load(Ordering::Relaxed);
        early.store(next(before), Ordering::Relaxed);
        return before;
    };
    let variable = place(runtime);
    // SAFETY: what was connected stays valid, and is used by this thread.
    let before = unsafe { variable.read_volatile() };
    // SAFETY: as above.
    unsafe { variable.write_volatile(next(before)) };
    before
}

/// The time; every question takes a millisecond.
pub(crate) fn next_microsecond() -> u64 {
    const EPOCH: u64 = 1_700_000_000;
    let clock = change(|runtime| runtime.clock, &EARLY_CLOCK, |clock| clock.wrapping_add(1));
    (EPOCH * 1_000_000).wrapping_add(clock.wrapping_mul(1000))
}

/// Time passes.
pub(crate) fn pass_time(milliseconds: u64) {
    change(|runtime| runtime.clock, &EARLY_CLOCK, |clock| clock.wrapping_add(milliseconds));
}

/// The next random number, as the runtime makes them.
pub(crate) fn next_random() -> u64 {
    let next =
        |state: u64| state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let before = change(|runtime| runtime.random, &EARLY_RANDOM, next);
    next(before) >> 33
}
