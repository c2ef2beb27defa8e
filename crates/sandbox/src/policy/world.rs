//! Who and when code under test is: the same process, user, machine, time and random bytes in every run.

use super::{EACCES, EINVAL, EPERM, refuse};
use crate::gate::Call;
use crate::paths::{copy_from_guest, copy_to_guest};
use crate::trap::{self, FIXED_PID};
use crate::{Hint, restore};

const FIXED_USER: i64 = 1000;

pub(super) fn decide(call: &Call) -> Option<i64> {
    let [a, b, c, d, ..] = call.arguments;
    Some(match call.number {
        libc::SYS_getpid | libc::SYS_gettid | libc::SYS_getpgrp | libc::SYS_set_tid_address => FIXED_PID,
        libc::SYS_getpgid | libc::SYS_getsid => FIXED_PID,
        libc::SYS_getppid => 1,
        libc::SYS_getuid | libc::SYS_geteuid | libc::SYS_getgid | libc::SYS_getegid => FIXED_USER,
        libc::SYS_getresuid | libc::SYS_getresgid => three_users([a, b, c]),
        libc::SYS_getgroups => 0,
        libc::SYS_setuid
        | libc::SYS_setgid
        | libc::SYS_setreuid
        | libc::SYS_setregid
        | libc::SYS_setresuid
        | libc::SYS_setresgid
        | libc::SYS_setgroups
        | libc::SYS_setfsuid
        | libc::SYS_setfsgid
        | libc::SYS_setsid
        | libc::SYS_setpgid
        | libc::SYS_capset
        | libc::SYS_setpriority
        | libc::SYS_sched_setscheduler
        | libc::SYS_sched_setparam
        | libc::SYS_sched_setaffinity
        | libc::SYS_sched_setattr
        | libc::SYS_ioprio_set => refuse(super::IDENTITY, Hint::Never, EPERM),
        libc::SYS_capget => EPERM,
        libc::SYS_getpriority => 20,
        libc::SYS_uname => put(&names(), a),
        libc::SYS_sysinfo => put(&[0; 112], a),
        libc::SYS_times => {
            if a != 0
                && let Err(error) = copy_to_guest(&[0; 32], a)
            {
                return Some(error);
            }
            (trap::next_microsecond() / 10_000).cast_signed()
        }
        libc::SYS_getrusage => put(&[0; 144], b),
        libc::SYS_getcpu => {
            let null = a == 0 && b == 0;
            if null { 0 } else { EPERM }
        }
        libc::SYS_getrandom => random(a, b),
        libc::SYS_time => {
            let seconds = trap::next_microsecond() / 1_000_000;
            if a != 0
                && let Err(error) = copy_to_guest(&seconds.to_le_bytes(), a)
            {
                return Some(error);
            }
            seconds.cast_signed()
        }
        libc::SYS_gettimeofday => {
            let now = trap::next_microsecond();
            if a == 0 { 0 } else { put(&pair(now / 1_000_000, now % 1_000_000), a) }
        }
        libc::SYS_clock_gettime => {
            let now = trap::next_microsecond();
            put(&pair(now / 1_000_000, now % 1_000_000 * 1000), b)
        }
        libc::SYS_clock_getres => {
            if b == 0 {
                0
            } else {
                put(&pair(0, 1000), b)
            }
        }
        libc::SYS_clock_settime | libc::SYS_settimeofday | libc::SYS_adjtimex | libc::SYS_clock_adjtime => {
            refuse("a change of the clock", Hint::Never, EPERM)
        }
        libc::SYS_nanosleep => sleep(a, 0),
        libc::SYS_clock_nanosleep => sleep(c, b),
        libc::SYS_umask => restore::change_umask(a),
        libc::SYS_prlimit64 if c == 0 && d != 0 => Call::new(libc::SYS_prlimit64, &[0, b, 0, d]).perform(),
        libc::SYS_getrlimit => call.perform(),
        libc::SYS_prlimit64 | libc::SYS_setrlimit => refuse("setrlimit", Hint::Never, EPERM),
        libc::SYS_prctl => control(call),
        libc::SYS_arch_prctl => refuse("arch_prctl", Hint::Never, EPERM),
        libc::SYS_personality => refuse("personality", Hint::Never, EPERM),
        libc::SYS_sched_getaffinity => call.perform(),
        libc::SYS_sched_getscheduler | libc::SYS_sched_getparam => EINVAL,
        libc::SYS_syslog | libc::SYS_sethostname | libc::SYS_setdomainname | libc::SYS_reboot => {
            refuse("a change of the machine", Hint::Never, EACCES)
        }
        _ => return None,
    })
}

fn put(bytes: &[u8], to: u64) -> i64 {
    copy_to_guest(bytes, to).map_or_else(|error| error, |()| 0)
}

fn pair(first: u64, second: u64) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&first.to_le_bytes());
    bytes[8..].copy_from_slice(&second.to_le_bytes());
    bytes
}

/// Four bytes each; they are written by the kernel's own call for the real ones first, which checks the
/// addresses.
fn three_users(to: [u64; 3]) -> i64 {
    let checked = Call::new(libc::SYS_getresuid, &to).perform();
    if checked < 0 {
        return checked;
    }
    for address in to {
        let place: *mut u32 = std::ptr::with_exposed_provenance_mut(address as usize);
        // SAFETY: the kernel has just written a number there.
        unsafe { place.write_unaligned(FIXED_USER as u32) };
    }
    0
}

/// `struct utsname`: six texts of 65 bytes.
fn names() -> [u8; 390] {
    const NAMES: [&[u8]; 6] = [b"Linux", b"stairway", b"6.1.0", b"#1 SMP", b"x86_64", b"(none)"];
    let mut bytes = [0; 390];
    for (place, name) in bytes.chunks_exact_mut(65).zip(NAMES) {
        place[..name.len()].copy_from_slice(name);
    }
    bytes
}

/// `getrandom`, in pieces that fit on the stack.
fn random(to: u64, size: u64) -> i64 {
    let size = size.min(1 << 20);
    if size < 8 {
        // Too small to be checked by writing eight bytes: filled by the kernel first.
        let filled = Call::new(libc::SYS_getrandom, &[to, size, 0]).perform();
        if filled != size.cast_signed() {
            return filled;
        }
        for k in 0..size {
            let place: *mut u8 = std::ptr::with_exposed_provenance_mut((to + k) as usize);
            // SAFETY: the kernel has just written there.
            unsafe { place.write(trap::next_random() as u8) };
        }
        return filled;
    }
    let mut done = 0;
    while done < size {
        let n = (size - done).min(256);
        let mut bytes = [0u8; 256];
        bytes.iter_mut().for_each(|byte| *byte = trap::next_random() as u8);
        // At least eight bytes at a time, some of them twice.
        let start = if n < 8 { size - 8 } else { done };
        let n = n.max(8);
        if let Err(error) = copy_to_guest(&bytes[..n as usize], to + start) {
            return error;
        }
        done = start + n;
    }
    size.cast_signed()
}

/// Sleeping is free, and the clock goes on.
fn sleep(request: u64, flags: u64) -> i64 {
    const ABSOLUTE: u64 = 1;
    let mut bytes = [0; 16];
    if let Err(error) = copy_from_guest(request, &mut bytes) {
        return error;
    }
    let word = |k: usize| u64::from_le_bytes(bytes[8 * k..8 * k + 8].try_into().unwrap_or_default());
    if flags & ABSOLUTE == 0 {
        trap::pass_time(word(0).saturating_mul(1000).saturating_add(word(1) / 1_000_000));
    }
    0
}

fn control(call: &Call) -> i64 {
    match call.arguments[0] as i32 {
        // The name of the thread is the test's.
        libc::PR_SET_NAME if crate::paths::is_shared() => 0,
        libc::PR_SET_NAME | libc::PR_GET_NAME => call.perform(),
        libc::PR_SET_DUMPABLE | libc::PR_SET_NO_NEW_PRIVS => 0,
        libc::PR_GET_DUMPABLE => 0,
        _ => refuse("prctl", Hint::Never, EPERM),
    }
}
