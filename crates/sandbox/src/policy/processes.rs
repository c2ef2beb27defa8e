//! Other processes, where code under test may start them.
//!
//! A child is not watched by the policy, because what it executes has no handler for it: mounts or Landlock
//! and a filter without traps hold it. It ends with the sequence that started it. What code under test asks
//! the C library for (`system`, `popen`, `posix_spawn`) the runtime asks for as Stairway; here are calls that
//! go around it.

use super::EAGAIN;
use crate::gate::{Call, at_mut, perform, signed};
use crate::paths::may_exec;
use crate::restore;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this process is a child that code under test has started.
static IS_CHILD: AtomicBool = AtomicBool::new(false);

/// A call under test has returned: where this is a child, there is nothing to return to.
#[inline]
pub fn end_child() {
    if IS_CHILD.load(Ordering::Relaxed) {
        perform(libc::SYS_exit_group, &[0]);
    }
}

pub(super) fn decide(call: &Call) -> Option<i64> {
    const OTHERS: u64 = (libc::CLONE_VM | libc::CLONE_THREAD | libc::CLONE_VFORK) as u64;
    if !may_exec() {
        return None;
    }
    let [flags, stack, ..] = call.arguments;
    Some(match call.number {
        libc::SYS_fork | libc::SYS_vfork => fork(),
        libc::SYS_clone if flags & OTHERS == 0 && stack == 0 => fork(),
        // A child with memory or a stack of its own could not return from here.
        libc::SYS_clone => EAGAIN,
        _ => return None,
    })
}

/// Waiting for a child.
pub(super) fn may_wait(call: &Call) -> bool {
    may_exec() && [libc::SYS_wait4, libc::SYS_waitid].contains(&call.number)
}

fn fork() -> i64 {
    restore::mark(restore::PROCESSES);
    let answer = perform(libc::SYS_clone, &[libc::SIGCHLD as u64, 0, 0, 0, 0]);
    if answer == 0 {
        IS_CHILD.store(true, Ordering::Relaxed);
    }
    answer
}

/// Whether a number is that of a child.
pub(super) fn is_child(pid: i32) -> bool {
    const PEEK: u64 = (libc::WNOHANG | libc::WNOWAIT | libc::WEXITED) as u64;
    let mut about = [0u64; 16];
    let kind = u64::from(libc::P_PID);
    pid > 0 && may_exec() && perform(libc::SYS_waitid, &[kind, signed(pid), at_mut(&mut about), PEEK, 0]) == 0
}

/// Ends everything that the last sequence has started. Orphans come to this process, so there is an end to
/// them.
pub(crate) fn end_children() {
    const MAX_ROUNDS: u32 = 1000;
    for _ in 0..MAX_ROUNDS {
        let mut status = 0i32;
        while perform(libc::SYS_wait4, &[signed(-1), at_mut(&mut status), libc::WNOHANG as u64, 0]) > 0 {}
        let children = std::fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
        let children: Vec<i32> = children.split_whitespace().filter_map(|pid| pid.parse().ok()).collect();
        if children.is_empty() {
            return;
        }
        for pid in children {
            perform(libc::SYS_kill, &[signed(pid), libc::SIGKILL as u64]);
            perform(libc::SYS_wait4, &[signed(pid), at_mut(&mut status), 0, 0]);
        }
    }
}
