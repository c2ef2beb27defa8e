//! Starting a worker where nothing that it leaves survives it, and in namespaces of its own where the system
//! allows that.
//!
//! With namespaces there are three processes. The first is the parent's child: it makes the namespaces and
//! waits. The second is process 1 in them: it mounts, then waits for the third, which becomes the worker. How
//! the worker ended goes back along the chain, and the first ends itself the same way, so that the parent's
//! `Child` tells the truth. Each dies with the one before it, and with process 1 everything in the
//! namespaces. The parent ends a worker by `SIGTERM` to the first, which ends process 1 and waits for it; the
//! kernel lets process 1 go last. So when the first has ended, nothing is left of the other two.
//!
//! All of it happens between fork and exec: whatever is needed is prepared before, and nothing is allocated.

use crate::gate::{at, at_mut, attempt, perform, signed, text};
use crate::{Permissions, Tier, Unavailable};
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// How workers are started.
///
/// ```no_run
/// use stairway_sandbox::{Launcher, Permissions, tier};
/// let launcher = Launcher::new(tier()?, &Permissions::default(), std::path::Path::new("/tmp/empty"))?;
/// let mut command = std::process::Command::new("/proc/self/exe");
/// launcher.prepare(&mut command, &[]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Launcher(Arc<Plan>);

/// Everything that is done between fork and exec, as C strings.
#[derive(Debug)]
pub(crate) struct Plan {
    tier: Option<Tier>,
    /// Where the worker has its own files: an empty folder.
    folder: CString,
    writable: Vec<CString>,
    has_network: bool,
    user_map: CString,
    group_map: CString,
    parent: i64,
}

impl Launcher {
    /// Workers of a tier, with `folder` for their own files: an empty one, which is hidden by memory in
    /// namespaces.
    ///
    /// # Errors
    /// If a folder cannot be named to the system.
    pub fn new(tier: Tier, permissions: &Permissions, folder: &Path) -> Result<Launcher, Unavailable> {
        Ok(Launcher(Arc::new(Plan::new(Some(tier), permissions, folder)?)))
    }

    /// Whether what it starts ends all of its processes by itself when it is sent `SIGTERM`.
    #[must_use]
    pub fn ends_in_order(&self) -> bool {
        self.0.tier == Some(Tier::Namespaces)
    }

    /// Has a command start its program so. Descriptors other than the first three are closed, except those of
    /// `keep`.
    pub fn prepare(&self, command: &mut Command, keep: &[RawFd]) {
        let plan = self.0.clone();
        let keep: Vec<RawFd> = keep.to_vec();
        // SAFETY: between fork and exec only system calls are made, on what was prepared here.
        unsafe { command.pre_exec(move || plan.enter(&keep)) };
    }
}

impl Plan {
    pub(crate) fn new(
        tier: Option<Tier>,
        permissions: &Permissions,
        folder: &Path,
    ) -> Result<Plan, Unavailable> {
        permissions.check(tier)?;
        let name = |path: &Path| {
            let real = crate::real_folder(path)?;
            CString::new(real.as_os_str().as_bytes())
                .map_err(|error| Unavailable::Folder(path.to_path_buf(), error.to_string()))
        };
        // SAFETY: geteuid has no conditions.
        let user = unsafe { libc::geteuid() };
        // SAFETY: getegid has no conditions.
        let group = unsafe { libc::getegid() };
        let map = |id: u32| CString::new(format!("{id} {id} 1")).unwrap_or_default();
        // SAFETY: getpid has no conditions.
        let parent = i64::from(unsafe { libc::getpid() });
        Ok(Plan {
            tier,
            folder: name(folder)?,
            writable: permissions.writable.iter().map(|path| name(path)).collect::<Result<_, _>>()?,
            has_network: permissions.network,
            user_map: map(user),
            group_map: map(group),
            parent,
        })
    }

    /// Returns in the process that becomes the worker.
    pub(crate) fn enter(&self, keep: &[RawFd]) -> io::Result<()> {
        // A session of its own: no terminal, and a group that can be killed as a whole.
        // Whoever leads a group already cannot have one.
        let _ = attempt(libc::SYS_setsid, &[]);
        die_with_parent()?;
        if perform(libc::SYS_getppid, &[]) != self.parent {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        if self.tier == Some(Tier::Namespaces) {
            self.enter_namespaces()?;
        }
        const CLOEXEC: u64 = 4;
        attempt(libc::SYS_close_range, &[3, u64::from(u32::MAX), CLOEXEC])?;
        for fd in keep {
            attempt(libc::SYS_fcntl, &[signed(*fd), libc::F_SETFD as u64, 0])?;
        }
        Ok(())
    }

    fn enter_namespaces(&self) -> io::Result<()> {
        let namespaces = libc::CLONE_NEWUSER
            | libc::CLONE_NEWNS
            | libc::CLONE_NEWPID
            | libc::CLONE_NEWIPC
            | libc::CLONE_NEWUTS
            | libc::CLONE_NEWNET;
        attempt(libc::SYS_unshare, &[namespaces as u64])?;
        // Without this a group cannot be mapped; older kernels do not have it.
        let _ = write_file(c"/proc/self/setgroups", c"deny");
        write_file(c"/proc/self/uid_map", &self.user_map)?;
        write_file(c"/proc/self/gid_map", &self.group_map)?;
        let mut pipe = [0i32; 2];
        attempt(libc::SYS_pipe2, &[at_mut(&mut pipe), libc::O_CLOEXEC as u64])?;
        let [reader, writer] = pipe;
        // From here on the first process hears of `SIGTERM` when it asks, and not before.
        let mut mask = 0u64;
        attempt(
            libc::SYS_rt_sigprocmask,
            &[signed(libc::SIG_BLOCK), at(&TERMINATION), at_mut(&mut mask), 8],
        )?;
        match fork()? {
            0 => {
                attempt(libc::SYS_rt_sigprocmask, &[signed(libc::SIG_SETMASK), at(&mask), 0, 8])?;
                self.be_init(writer)
            }
            init => end_like(init, reader),
        }
    }

    /// Process 1: returns in the worker.
    fn be_init(&self, writer: RawFd) -> io::Result<()> {
        die_with_parent()?;
        self.mount_all()?;
        if self.has_network {
            start_loopback()?;
        }
        match fork()? {
            0 => die_with_parent(),
            worker => {
                close_all_but(writer);
                let mut status = 0i32;
                loop {
                    let mut one = 0i32;
                    let reaped = perform(libc::SYS_wait4, &[signed(-1), at_mut(&mut one), 0, 0]);
                    if reaped == worker {
                        status = one;
                        break;
                    }
                    if reaped == -i64::from(libc::ECHILD) {
                        break;
                    }
                }
                perform(libc::SYS_write, &[signed(writer), at(&status), 4]);
                exit(0)
            }
        }
    }

    fn mount_all(&self) -> io::Result<()> {
        const DEVICES: [&CStr; 3] = [c"/dev/null", c"/dev/zero", c"/dev/full"];
        let private = libc::MS_REC | libc::MS_PRIVATE;
        attempt(libc::SYS_mount, &[0, text(c"/"), 0, private, 0])?;
        let mut devices = [-1i64; DEVICES.len()];
        for (fd, device) in devices.iter_mut().zip(DEVICES) {
            *fd = open_tree(device)?.cast_signed();
        }
        for folder in &self.writable {
            let flags = libc::MS_BIND | libc::MS_REC;
            attempt(libc::SYS_mount, &[text(folder), text(folder), 0, flags, 0])?;
        }
        set_attributes(c"/", libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID, 0, true)?;
        for folder in &self.writable {
            set_attributes(folder, 0, libc::MOUNT_ATTR_RDONLY, true)?;
        }
        let hardened = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
        let options = c"size=256m,nr_inodes=16k,mode=700";
        mount(c"tmpfs", &self.folder, hardened, options)?;
        mount(c"tmpfs", c"/dev", libc::MS_NOSUID | libc::MS_NOEXEC, c"size=64k,nr_inodes=16,mode=755")?;
        for (fd, device) in devices.iter().zip(DEVICES) {
            let flags = (libc::O_CREAT | libc::O_WRONLY | libc::O_CLOEXEC) as u64;
            let file = attempt(libc::SYS_open, &[text(device), flags, 0o666])?;
            attempt(libc::SYS_close, &[file])?;
            const FROM_EMPTY_PATH: u64 = 4;
            let here = signed(libc::AT_FDCWD);
            attempt(
                libc::SYS_move_mount,
                &[fd.cast_unsigned(), text(c""), here, text(device), FROM_EMPTY_PATH],
            )?;
            attempt(libc::SYS_close, &[fd.cast_unsigned()])?;
        }
        set_attributes(c"/dev", libc::MOUNT_ATTR_RDONLY, 0, false)?;
        mount(c"proc", c"/proc", hardened | libc::MS_RDONLY, c"")
    }
}

/// A network of its own has one device, which leads back to itself and has to be switched on.
fn start_loopback() -> io::Result<()> {
    const GET_FLAGS: u64 = 0x8913;
    const SET_FLAGS: u64 = 0x8914;
    /// `struct ifreq`
    #[repr(C)]
    struct Request {
        name: [u8; 16],
        flags: i16,
        rest: [u8; 22],
    }
    let mut request = Request { name: [0; 16], flags: 0, rest: [0; 22] };
    request.name[..2].copy_from_slice(b"lo");
    let (family, kind) = (libc::AF_INET as u64, (libc::SOCK_DGRAM | libc::SOCK_CLOEXEC) as u64);
    let socket = attempt(libc::SYS_socket, &[family, kind, 0])?;
    attempt(libc::SYS_ioctl, &[socket, GET_FLAGS, at_mut(&mut request)])?;
    request.flags |= (libc::IFF_UP | libc::IFF_RUNNING) as i16;
    attempt(libc::SYS_ioctl, &[socket, SET_FLAGS, at_mut(&mut request)])?;
    attempt(libc::SYS_close, &[socket]).map(drop)
}

fn die_with_parent() -> io::Result<()> {
    attempt(libc::SYS_prctl, &[libc::PR_SET_PDEATHSIG as u64, libc::SIGKILL as u64]).map(|_| ())
}

/// Without the C library's handlers for it: what runs now runs system calls only.
fn fork() -> io::Result<i64> {
    attempt(libc::SYS_clone, &[libc::SIGCHLD as u64, 0, 0, 0, 0]).map(u64::cast_signed)
}

fn exit(code: i32) -> ! {
    loop {
        perform(libc::SYS_exit_group, &[signed(code)]);
    }
}

fn close_all_but(fd: RawFd) {
    let fd = signed(fd);
    if fd > 0 {
        perform(libc::SYS_close_range, &[0, fd - 1, 0]);
    }
    perform(libc::SYS_close_range, &[fd + 1, u64::from(u32::MAX), 0]);
}

/// `SIGTERM` as a set of signals.
const TERMINATION: u64 = 1 << (libc::SIGTERM - 1);

/// Waits, and ends this process the way the worker ended.
fn end_like(init: i64, reader: RawFd) -> ! {
    close_all_but(reader);
    if is_told_to_end(reader) {
        perform(libc::SYS_kill, &[init.cast_unsigned(), libc::SIGKILL as u64]);
        perform(libc::SYS_wait4, &[init.cast_unsigned(), 0, 0, 0]);
        let own = perform(libc::SYS_getpid, &[]).cast_unsigned();
        perform(libc::SYS_kill, &[own, libc::SIGKILL as u64]);
    }
    let mut status = 0i32;
    let n = perform(libc::SYS_read, &[signed(reader), at_mut(&mut status), 4]);
    perform(libc::SYS_wait4, &[init.cast_unsigned(), 0, 0, 0]);
    if n != 4 {
        // Mounting failed, and was said, or somebody has killed process 1.
        exit(1);
    }
    if libc::WIFSIGNALED(status) {
        let signal = u64::from(libc::WTERMSIG(status).unsigned_abs());
        perform(libc::SYS_prlimit64, &[0, u64::from(libc::RLIMIT_CORE), at(&[0u64; 2]), 0]);
        // The kernel's action: a handler, flags, a restorer and a mask, all zero for the default.
        perform(libc::SYS_rt_sigaction, &[signal, at(&[0u64; 4]), 0, 8]);
        perform(libc::SYS_rt_sigprocmask, &[signed(libc::SIG_SETMASK), at(&0u64), 0, 8]);
        let own = perform(libc::SYS_getpid, &[]).cast_unsigned();
        perform(libc::SYS_kill, &[own, signal]);
    }
    exit(libc::WEXITSTATUS(status))
}

/// Waits until there is something to read, or `SIGTERM` has come: whether that alone has. Where the system
/// knows no descriptors for signals, only reading ends it.
fn is_told_to_end(reader: RawFd) -> bool {
    let Ok(told) = attempt(libc::SYS_signalfd4, &[signed(-1), at(&TERMINATION), 8, libc::O_CLOEXEC as u64])
    else {
        return false;
    };
    let entry = |fd: i32| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
    let mut both = [entry(reader), entry(told as i32)];
    loop {
        let n = perform(libc::SYS_ppoll, &[at_mut(&mut both), both.len() as u64, 0, 0, 0]);
        if n > 0 || n != -i64::from(libc::EINTR) {
            return both[0].revents == 0 && both[1].revents != 0;
        }
    }
}

fn write_file(path: &CStr, content: &CStr) -> io::Result<()> {
    let fd = attempt(libc::SYS_open, &[text(path), (libc::O_WRONLY | libc::O_CLOEXEC) as u64, 0])?;
    let written = attempt(libc::SYS_write, &[fd, text(content), content.count_bytes() as u64]);
    attempt(libc::SYS_close, &[fd])?;
    written.map(|_| ())
}

fn mount(kind: &CStr, at: &CStr, flags: u64, options: &CStr) -> io::Result<()> {
    attempt(libc::SYS_mount, &[text(kind), text(at), text(kind), flags, text(options)]).map(|_| ())
}

/// A copy of one file's mount that is not attached anywhere yet.
fn open_tree(path: &CStr) -> io::Result<u64> {
    const CLONE: u64 = 1;
    attempt(libc::SYS_open_tree, &[signed(libc::AT_FDCWD), text(path), CLONE | libc::O_CLOEXEC as u64])
}

/// Sets and clears attributes of a mount, and of all below it: a plain remount would leave those as they are.
fn set_attributes(path: &CStr, set: u64, clear: u64, is_recursive: bool) -> io::Result<()> {
    let recursive = if is_recursive { libc::AT_RECURSIVE as u64 } else { 0 };
    let attributes = [set, clear, 0, 0u64];
    let size = size_of_val(&attributes) as u64;
    let here = signed(libc::AT_FDCWD);
    attempt(libc::SYS_mount_setattr, &[here, text(path), recursive, at(&attributes), size]).map(|_| ())
}

/// Enters as a worker would and does one thing there; for finding out whether it works.
pub(crate) fn try_out(plan: &Plan, then: fn() -> bool) -> io::Result<bool> {
    let child = fork()?;
    if child == 0 {
        let code = match plan.enter(&[]) {
            Ok(()) => i32::from(!then()),
            Err(error) => error.raw_os_error().unwrap_or(1).clamp(2, 127),
        };
        exit(code);
    }
    let mut status = 0i32;
    attempt(libc::SYS_wait4, &[child.cast_unsigned(), at_mut(&mut status), 0, 0])?;
    match libc::WEXITSTATUS(status) {
        _ if !libc::WIFEXITED(status) => Ok(false),
        0 => Ok(true),
        1 => Ok(false),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}
