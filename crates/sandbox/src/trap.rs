//! The signal handler behind the filter and the dispatch: reads a trapped call from the registers, lets the
//! policy decide, puts the answer back.
//!
//! Every signal is blocked while it runs, so that nothing leaves it half-way. If the policy ends the call
//! under test, the runtime that it runs in leaves it, as it does for a crash.

use crate::files::Room;
use crate::gate::{Call, at, perform, signed};
use crate::guest::Code;
use crate::paths::{copy_from_guest, surroundings};
use crate::policy::{self, Outcome};
use crate::{gate, guest, restore};
use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What code under test is told its process is.
pub(crate) const FIXED_PID: i64 = 1000;

/// What the sandbox needs of the runtime that code under test runs in.
#[derive(Clone, Copy, Debug)]
pub struct Runtime {
    /// Leaves the call under test: with a signal, if the first number is not 0, or an exit, and its number.
    /// Returns only if no call is under way.
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

/// Used until there is a runtime.
static EARLY_CLOCK: AtomicU64 = AtomicU64::new(1);
static EARLY_RANDOM: AtomicU64 = AtomicU64::new(1);

/// What was opened and mapped while an object was loaded belongs to the process, not to code under test.
pub fn keep_loaded() {
    if let Some(known) = surroundings() {
        known.keep_open_files();
    }
}

/// The runtime of the call under test, if there is one.
fn runtime() -> Option<Runtime> {
    match guest::code() {
        // SAFETY: it is borrowed for as long as the call is under way.
        Code::Called(runtime) => Some(unsafe { *runtime }),
        Code::Loading | Code::Compiled => None,
    }
}

/// Whether an object is being loaded.
pub(crate) fn is_loading() -> bool {
    matches!(guest::code(), Code::Loading)
}

/// Whether code of the process itself is under test: its process, time and signals are real, its files are not.
fn is_compiled() -> bool {
    matches!(guest::code(), Code::Compiled)
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
        let code = runtime().map_or((0, 0), |runtime| runtime.code);
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

/// Which stack the handler runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stack {
    /// The one that a runtime has for signals: code under test may have used up its own.
    Alternate,
    /// That of the thread. The one that threads of Rust have for signals is too small.
    Own,
}

/// Installs the handler. It returns through the gate, because where calls are dispatched no other place may
/// end it.
pub(crate) fn install(stack: Stack) -> std::io::Result<()> {
    const RESTORER: u64 = 0x0400_0000;
    let alternate = if stack == Stack::Alternate { libc::SA_ONSTACK } else { 0 };
    let flags = (libc::SA_SIGINFO | alternate) as u64 | RESTORER;
    let handler = (on_trap as *const ()).expose_provenance() as u64;
    // The kernel's action: handler, flags, restorer and mask.
    let action = [handler, flags, gate::restorer(), u64::MAX];
    gate::attempt(libc::SYS_rt_sigaction, &[libc::SIGSYS as u64, at(&action), 0, 8]).map(drop)
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
    if call.number == libc::SYS_rt_sigreturn {
        // The end of another handler, which calls that are dispatched do not pass.
        gate::return_at(registers.get(libc::REG_RSP));
    }
    let is_guest = guest::is_running();
    if is_guest && policy::may_wait(&call) {
        let answer = wait(&call, &registers);
        return registers.answer(answer);
    }
    let is_compiled = is_guest && is_compiled();
    if (!is_guest || is_compiled) && !policy::is_about_paths(call.number) {
        // It may wait, and needs no room.
        let decide = if is_compiled { policy::decide_for_compiled } else { policy::decide_for_host };
        let answer = decide(&call, &mut registers);
        return registers.answer(answer);
    }
    let outcome = alone(|room| {
        guest::set_call(is_guest);
        policy::decide(&call, &mut registers, room)
    });
    match outcome {
        Outcome::Return(answer) => registers.answer(answer),
        Outcome::Exit(code) => leave(&mut registers, 0, code.cast_unsigned()),
        Outcome::Signal(signal) => leave(&mut registers, 1, signal.unsigned_abs()),
    }
}

/// Decides something while nobody else does.
pub(crate) fn alone<T>(decide: impl FnOnce(&mut Room) -> T) -> T {
    while IS_BUSY.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    // SAFETY: nobody else has it: see `IS_BUSY`.
    let answer = decide(unsafe { &mut *ROOM.0.get() });
    IS_BUSY.store(false, Ordering::Release);
    answer
}

/// Performs a call that may take long: with the signals that the code has, so that a clock can end it.
fn wait(call: &Call, registers: &Registers<'_>) -> i64 {
    let change = |mask: u64| perform(libc::SYS_rt_sigprocmask, &[signed(libc::SIG_SETMASK), at(&mask), 0, 8]);
    change(registers.mask());
    let answer = call.perform();
    change(u64::MAX);
    answer
}

/// The exit code of a process that cannot go on.
const FAILED_EARLY: u64 = 70;
const STUCK: &[u8] = b"stairway: a call was stopped by the clock while the C library was at work, and nothing can go on in this \
                       process;\nrun the property under `isolate`, where such a call has a process of its own\n";

/// Leaves the call under test; where there is none to leave, the process ends as the code wanted.
fn leave(registers: &mut Registers<'_>, is_signal: u32, code: u32) {
    if let Some(runtime) = runtime() {
        let mask = registers.mask();
        perform(libc::SYS_rt_sigprocmask, &[signed(libc::SIG_SETMASK), at(&mask), 0, 8]);
        // SAFETY: it leaves a call by jumping over frames of C and of this handler, which own nothing.
        unsafe { (runtime.leave)(is_signal, code) };
        // It has returned: no call is under way. The runtime itself ends the process, while it looks whether
        // a call that was stopped has left the C library with a lock; what it wrote was taken for output of
        // the code under test.
        if is_signal == 0 && u64::from(code) == FAILED_EARLY {
            perform(libc::SYS_write, &[2, at(STUCK), STUCK.len() as u64]);
            perform(libc::SYS_exit_group, &[FAILED_EARLY]);
        }
    }
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
        if let Some(runtime) = runtime() {
            // SAFETY: it copies these bytes.
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
    let Some(runtime) = runtime() else {
        let before = early.load(Ordering::Relaxed);
        early.store(next(before), Ordering::Relaxed);
        return before;
    };
    let variable = place(&runtime);
    // SAFETY: it is valid while the call is under way, and used by this thread.
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
