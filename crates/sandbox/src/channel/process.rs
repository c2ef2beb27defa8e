//! The worker as a process: how it is started so that nothing of it stays, how it is watched, how it is ended.

use super::memory::{Memory, Side};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What has become of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is running, as far as is known.
    Alive,
    /// It has ended.
    Dead,
    /// It was stopped (by `SIGSTOP`, say) and will not go on by itself.
    Stopped,
}

/// A worker that is being watched.
#[derive(Debug)]
pub(super) struct Watch {
    fate: Arc<AtomicU32>,
}

const DEAD: u32 = 1;
const STOPPED: u32 = 2;

impl Watch {
    /// Watches a worker from a thread of its own, which rings the parent's bell when it has ended or was
    /// stopped.
    pub(super) fn start(worker: &Process, memory: &Arc<Memory>) -> io::Result<Watch> {
        let watched = ProcessHandle::new(worker.child());
        let fate = Arc::new(AtomicU32::new(0));
        let (told, memory) = (Arc::clone(&fate), Arc::clone(memory));
        std::thread::Builder::new().name("stairway worker watch".to_string()).spawn(move || {
            told.store(watched.wait(), Ordering::SeqCst);
            memory.alarm(Side::Parent);
        })?;
        Ok(Watch { fate })
    }

    pub(super) fn fate(&self) -> Fate {
        match self.fate.load(Ordering::SeqCst) {
            0 => Fate::Alive,
            STOPPED => Fate::Stopped,
            _ => Fate::Dead,
        }
    }
}

/// A process to wait for.
enum ProcessHandle {
    /// By a descriptor: unlike a number, it never comes to mean another one.
    Descriptor(OwnedFd),
    /// By its number, where the system has no such descriptors.
    Number(u32),
}

impl ProcessHandle {
    fn new(worker: &Child) -> ProcessHandle {
        // SAFETY: the call takes numbers only.
        let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, worker.id(), 0) };
        let Some(descriptor) = i32::try_from(descriptor).ok().filter(|descriptor| *descriptor >= 0) else {
            return ProcessHandle::Number(worker.id());
        };
        // SAFETY: it was just opened and belongs to nobody else.
        ProcessHandle::Descriptor(unsafe { OwnedFd::from_raw_fd(descriptor) })
    }

    /// Waits until it has ended or was stopped; whoever owns it may still ask how.
    fn wait(&self) -> u32 {
        const EVENTS: i32 = libc::WEXITED | libc::WSTOPPED | libc::WNOWAIT;
        let (kind, number) = match self {
            ProcessHandle::Descriptor(descriptor) => (libc::P_PIDFD, descriptor.as_raw_fd().unsigned_abs()),
            ProcessHandle::Number(number) => (libc::P_PID, *number),
        };
        loop {
            let mut status = std::mem::MaybeUninit::<libc::siginfo_t>::zeroed();
            // SAFETY: a descriptor is open, and there is room for the answer.
            let answer = unsafe { libc::waitid(kind, number, status.as_mut_ptr(), EVENTS) };
            if answer == 0 {
                // SAFETY: all bytes of it were set, to zero or by the system.
                let status = unsafe { status.assume_init() };
                return if status.si_code == libc::CLD_STOPPED { STOPPED } else { DEAD };
            }
            if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                // Its owner has already asked how it ended.
                return DEAD;
            }
        }
    }
}

/// Prepares a worker: it is a process group of its own, dies with the thread that starts it, and inherits
/// nothing but its standard streams.
pub fn contain(command: &mut Command) {
    command.process_group(0);
    // SAFETY: only system calls are made in the child.
    unsafe { command.pre_exec(cut_off) };
}

fn cut_off() -> io::Result<()> {
    const FIRST: u32 = 3;
    // SAFETY: the call takes numbers only.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    // Descriptors that others have left open for their children: a build's job server, say. They go when the
    // worker is executed; where the system does not know the call they stay. SAFETY: the call takes numbers
    // only, and closes nothing yet.
    unsafe { libc::syscall(libc::SYS_close_range, FIRST, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    Ok(())
}

/// A worker that was started as [`contain`] prepares it. When it is dropped, nothing of it is left.
#[derive(Debug)]
pub struct Process {
    child: Child,
    status: Option<ExitStatus>,
    /// Whether `SIGTERM` to it ends everything that belongs to it, in order.
    ends_in_order: bool,
}

impl Process {
    /// Takes over a process that nobody has waited for yet.
    #[must_use]
    pub const fn new(child: Child) -> Process {
        Process { child, status: None, ends_in_order: false }
    }

    /// Takes over a process that a launcher has started, if there is one, and that nobody has waited for yet.
    #[must_use]
    pub fn launched(child: Child, launcher: Option<&crate::Launcher>) -> Process {
        let ends_in_order = launcher.is_some_and(crate::Launcher::ends_in_order);
        Process { child, status: None, ends_in_order }
    }

    pub(super) const fn child(&self) -> &Child {
        &self.child
    }

    /// Ends every process of its group that is still there, and says how the worker itself has ended, if that
    /// can be known.
    pub fn end(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            if let Ok(group) = i32::try_from(self.child.id()) {
                if self.ends_in_order {
                    // SAFETY: as below.
                    unsafe { libc::kill(group, libc::SIGTERM) };
                    self.status = self.child.wait().ok();
                    return self.status;
                }
                // SAFETY: the call takes numbers only. Nobody has waited for the worker yet, so the number is
                // still its own, and that of its group. A signal does not change how one has ended that is
                // dead already.
                unsafe { libc::kill(-group, libc::SIGKILL) };
            }
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
        self.status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// The parent of this process.
pub(super) fn parent() -> i32 {
    // SAFETY: the call takes nothing and cannot fail.
    unsafe { libc::getppid() }
}
