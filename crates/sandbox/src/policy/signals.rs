//! Signals and ends: code under test ends its own call at most, never another process, and has no handlers.

use super::{EINVAL, EPERM, Outcome, refuse};
use crate::gate::{Call, perform};
use crate::paths::{copy_from_guest, copy_to_guest};
use crate::trap::{self, FIXED_PID, Registers};
use crate::{Hint, restore};

/// Signals that end a call, and that the policy itself needs: they cannot be blocked.
const NEVER_BLOCKED: &[i32] = &[
    libc::SIGSYS,
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGTRAP,
    libc::SIGABRT,
    libc::SIGVTALRM,
];

pub(super) fn decide(call: &Call, registers: &mut Registers<'_>) -> Option<Outcome> {
    let [a, b, c, ..] = call.arguments;
    let (first, second, third) = (a as i32, b as i32, c as i32);
    Some(match call.number {
        libc::SYS_exit_group => Outcome::Exit(first),
        libc::SYS_exit => Outcome::Exit(first),
        libc::SYS_kill if super::processes::is_child(first) => Outcome::Return(call.perform()),
        libc::SYS_kill | libc::SYS_rt_sigqueueinfo => send(is_own_process(first), second, registers),
        libc::SYS_tkill => send(is_own_thread(first), second, registers),
        libc::SYS_tgkill | libc::SYS_rt_tgsigqueueinfo => send(is_own_thread(second), third, registers),
        libc::SYS_pidfd_open | libc::SYS_pidfd_send_signal => {
            Outcome::Return(refuse("a signal to another process", Hint::Never, EPERM))
        }
        libc::SYS_rt_sigprocmask => Outcome::Return(change_mask(call, registers)),
        // Whoever handles a crash gives up on it: there is no runtime yet.
        libc::SYS_rt_sigaction if NEVER_BLOCKED.contains(&first) && trap::is_loading() => {
            Outcome::Signal(first)
        }
        libc::SYS_rt_sigaction => Outcome::Return(pretend_handler(call)),
        libc::SYS_pause | libc::SYS_rt_sigsuspend => Outcome::Return(-i64::from(libc::EINTR)),
        libc::SYS_rt_sigtimedwait => Outcome::Return(-i64::from(libc::EAGAIN)),
        libc::SYS_setitimer | libc::SYS_alarm => Outcome::Return(0),
        libc::SYS_timer_create | libc::SYS_timerfd_create | libc::SYS_signalfd | libc::SYS_signalfd4 => {
            Outcome::Return(refuse("a timer", Hint::Never, -i64::from(libc::EAGAIN)))
        }
        libc::SYS_timer_settime
        | libc::SYS_timer_gettime
        | libc::SYS_timer_delete
        | libc::SYS_timer_getoverrun => Outcome::Return(EINVAL),
        _ => return None,
    })
}

/// The process that code under test was told it is, or its group.
fn is_own_process(to: i32) -> bool {
    to == 0 || i64::from(to).abs() == FIXED_PID
}

/// The C library knows the number of its thread.
fn is_own_thread(to: i32) -> bool {
    i64::from(to) == FIXED_PID || i64::from(to) == perform(libc::SYS_gettid, &[])
}

/// A signal from code under test: to itself it ends the call, to others it is refused.
fn send(is_own: bool, signal: i32, registers: &Registers<'_>) -> Outcome {
    let own = perform(libc::SYS_getpid, &[]);
    if !(0..=64).contains(&signal) {
        return Outcome::Return(EINVAL);
    }
    match (is_own, signal) {
        (false, _) => Outcome::Return(refuse("a signal to another process", Hint::Never, EPERM)),
        (true, 0) => Outcome::Return(0),
        // Nothing of the C library is under way that could be left half-done.
        (true, _) if registers.is_direct() && !trap::is_loading() => Outcome::Signal(signal),
        // What the runtime handles comes to it when the handler of the policy returns.
        (
            true,
            libc::SIGABRT | libc::SIGSEGV | libc::SIGBUS | libc::SIGFPE | libc::SIGILL | libc::SIGTRAP,
        ) => {
            let thread = perform(libc::SYS_gettid, &[]).cast_unsigned();
            let number = signal.unsigned_abs().into();
            Outcome::Return(perform(libc::SYS_tgkill, &[own.cast_unsigned(), thread, number]))
        }
        (true, _) => Outcome::Signal(signal),
    }
}

/// Handlers are ours; code under test is answered as if it had one.
fn pretend_handler(call: &Call) -> i64 {
    let [signal, _, old, size, ..] = call.arguments;
    if size != 8 || !(1..=64).contains(&signal) {
        return EINVAL;
    }
    if old != 0
        && let Err(error) = copy_to_guest(&[0; 32], old)
    {
        return error;
    }
    0
}

/// Blocks and unblocks; it takes effect when the handler returns.
pub(super) fn change_mask(call: &Call, registers: &mut Registers<'_>) -> i64 {
    let [how, set, old, size, ..] = call.arguments;
    let before = registers.mask();
    if size != 8 {
        return EINVAL;
    }
    let mut wanted = before;
    if set != 0 {
        let mut bytes = [0; 8];
        if let Err(error) = copy_from_guest(set, &mut bytes) {
            return error;
        }
        let given = u64::from_le_bytes(bytes);
        wanted = match how as i32 {
            libc::SIG_BLOCK => before | given,
            libc::SIG_UNBLOCK => before & !given,
            libc::SIG_SETMASK => given,
            _ => return EINVAL,
        };
    }
    if old != 0
        && let Err(error) = copy_to_guest(&before.to_le_bytes(), old)
    {
        return error;
    }
    let never = NEVER_BLOCKED.iter().fold(0u64, |set, signal| set | 1 << (signal - 1));
    if wanted & !never != before {
        restore::mark(restore::MASK);
        registers.set_mask(wanted & !never);
    }
    0
}
