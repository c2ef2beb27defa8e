//! The one policy: what each trapped system call is answered, the same in every tier.
//!
//! Decides how a call is answered, or how the call under test ends, depending on who makes it: Stairway
//! itself or code under test. Paths are decided alike for both; identity, time, signals, memory and
//! descriptors of the host are what code under test does not get. Runs in a signal handler: no allocation, no
//! locks but its own.

use crate::files::{self, Room};
use crate::gate::{Call, at, descriptor, perform, text};
use crate::paths::{HERE, copy_from_guest, is_changeable, is_dispatched, is_shared, surroundings};
use crate::trap::{self, Registers};
use crate::{Hint, descriptors, filter, guest, refusals, restore};

mod memory;
pub(crate) mod processes;
mod signals;
mod world;

pub(crate) use memory::{forget_taken, unmap_all};

/// What becomes of a trapped call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It returns this.
    Return(i64),
    /// Code under test has ended its program with this code.
    Exit(i32),
    /// Code under test has sent itself this signal.
    Signal(i32),
}

const EPERM: i64 = -(libc::EPERM as i64);
const EBADF: i64 = -(libc::EBADF as i64);
const ENOSYS: i64 = -(libc::ENOSYS as i64);
const EINVAL: i64 = -(libc::EINVAL as i64);
const EAGAIN: i64 = -(libc::EAGAIN as i64);
const EACCES: i64 = -(libc::EACCES as i64);
const ENOTTY: i64 = -(libc::ENOTTY as i64);
const EDEADLK: i64 = -(libc::EDEADLK as i64);
const EOPNOTSUPP: i64 = -(libc::EOPNOTSUPP as i64);

fn refuse(call: &'static str, hint: Hint, error: i64) -> i64 {
    refusals::note(call, b"", hint);
    error
}

/// Whether a call of code under test is harmless and may take long: one that a filter lets pass, and a
/// dispatch does not.
pub(crate) fn may_wait(call: &Call) -> bool {
    const NEVER_HERE: [i64; 3] = [libc::SYS_set_tid_address, libc::SYS_set_robust_list, libc::SYS_rseq];
    const LONG: [i64; 4] = [libc::SYS_read, libc::SYS_readv, libc::SYS_preadv, libc::SYS_pread64];
    let is_clock = call.number == libc::SYS_clock_gettime
        && call.arguments[0] == u64::from(libc::CLOCK_THREAD_CPUTIME_ID.unsigned_abs());
    let is_own = |fd: u64| surroundings().is_some_and(|known| !known.is_host(descriptor(fd)));
    is_dispatched()
        && (is_clock
            || (filter::HARMLESS.contains(&call.number) && !NEVER_HERE.contains(&call.number))
            || (LONG.contains(&call.number) && is_own(call.arguments[0]))
            || (may_talk() && filter::NETWORK.contains(&call.number))
            || processes::may_wait(call))
}

/// Whether sockets are allowed.
fn may_talk() -> bool {
    surroundings().is_some_and(|known| known.permissions.network)
}

/// Decides, and performs what is permitted.
pub(crate) fn decide(call: &Call, registers: &mut Registers<'_>, room: &mut Room) -> Outcome {
    if let Some(answer) = about_paths(call, room) {
        return Outcome::Return(answer);
    }
    if !guest::is_guest() {
        return Outcome::Return(decide_for_host(call, registers));
    }
    if let Some(outcome) = signals::decide(call, registers) {
        return outcome;
    }
    if let Some(answer) = memory::decide(call, registers) {
        return Outcome::Return(answer);
    }
    if let Some(answer) = world::decide(call) {
        return Outcome::Return(answer);
    }
    if let Some(answer) = processes::decide(call) {
        return Outcome::Return(answer);
    }
    if let Some(answer) = about_descriptors(call, room) {
        return Outcome::Return(answer);
    }
    Outcome::Return(refused(call))
}

/// Whether a call is decided by the place that it is about, whoever makes it.
pub(crate) fn is_about_paths(number: i64) -> bool {
    PATH_CALLS.contains(&number)
}

const PATH_CALLS: &[i64] = &[
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_openat,
    libc::SYS_truncate,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_access,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlink,
    libc::SYS_readlinkat,
    libc::SYS_statfs,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_chdir,
    libc::SYS_getcwd,
    libc::SYS_mkdir,
    libc::SYS_mkdirat,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_unlinkat,
    libc::SYS_symlink,
    libc::SYS_symlinkat,
    libc::SYS_mknod,
    libc::SYS_mknodat,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_link,
    libc::SYS_linkat,
    libc::SYS_chmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_utimensat,
    libc::SYS_fchmod,
    libc::SYS_fchown,
];

/// Calls that send a signal.
pub(crate) const SIGNALS: [i64; 4] =
    [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_tkill, libc::SYS_rt_sigqueueinfo];

/// What a refusal is called that keeps a process in its session, with its user.
pub(crate) const IDENTITY: &str = "a change of the process's identity or priority";

/// What code of the process itself is answered, if it is not about paths: as Stairway is, and what is refused
/// is noted.
pub(crate) fn decide_for_compiled(call: &Call, registers: &mut Registers<'_>) -> i64 {
    let answer = decide_for_host(call, registers);
    match refusal(call) {
        _ if answer == EPERM && SIGNALS.contains(&call.number) => {
            refuse("a signal to another process", Hint::Never, answer)
        }
        Some((name, hint, error)) if !name.is_empty() && answer == error => refuse(name, hint, answer),
        _ => answer,
    }
}

/// Stairway's own calls are performed, except for what it never does once it is locked: those that are
/// refused to everybody, so that nothing is gained by passing for it.
pub(crate) fn decide_for_host(call: &Call, registers: &mut Registers<'_>) -> i64 {
    let [first, second, ..] = call.arguments;
    let own = surroundings().map_or(0, |known| known.pid);
    match call.number {
        libc::SYS_rt_sigprocmask => signals::change_mask(call, registers),
        libc::SYS_rt_sigaction if first == libc::SIGSYS as u64 => EINVAL,
        libc::SYS_kill | libc::SYS_tgkill if i64::from(first as i32) != own => EPERM,
        libc::SYS_fsetxattr | libc::SYS_fremovexattr => EPERM,
        libc::SYS_tkill
        | libc::SYS_rt_sigqueueinfo
        | libc::SYS_rt_tgsigqueueinfo
        | libc::SYS_pidfd_send_signal => EPERM,
        libc::SYS_utimensat if second == 0 => EPERM,
        libc::SYS_sendto | libc::SYS_recvfrom | libc::SYS_exit_group => call.perform(),
        _ => refusal(call).map_or_else(|| call.perform(), |(_, _, error)| error),
    }
}

/// Calls with paths in them; `None` for others.
pub(crate) fn about_paths(call: &Call, room: &mut Room) -> Option<i64> {
    const NOFOLLOW: u64 = libc::AT_SYMLINK_NOFOLLOW as u64;
    let [a, b, c, d, e, _] = call.arguments;
    let (from_a, from_c) = (descriptor(a), descriptor(c));
    Some(match call.number {
        libc::SYS_open => files::open(room, "open", HERE, a, b, c),
        libc::SYS_creat => {
            let flags = (libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC) as u64;
            files::open(room, "creat", HERE, a, flags, b)
        }
        libc::SYS_openat => files::open(room, "open", from_a, b, c, d),
        libc::SYS_truncate => files::truncate(room, a, b),
        libc::SYS_stat | libc::SYS_lstat => {
            let flags = if call.number == libc::SYS_lstat { NOFOLLOW } else { 0 };
            files::read(room, HERE, a, |from, path| {
                perform(libc::SYS_newfstatat, &[from, text(path), b, flags])
            })
        }
        libc::SYS_newfstatat if d & libc::AT_EMPTY_PATH as u64 != 0 && is_empty(b) => call.perform(),
        libc::SYS_newfstatat => files::read(room, from_a, b, |from, path| {
            perform(libc::SYS_newfstatat, &[from, text(path), c, d])
        }),
        libc::SYS_statx if c & libc::AT_EMPTY_PATH as u64 != 0 && is_empty(b) => call.perform(),
        libc::SYS_statx => {
            files::read(room, from_a, b, |from, path| perform(libc::SYS_statx, &[from, text(path), c, d, e]))
        }
        libc::SYS_access => files::access(room, HERE, a, b, 0),
        libc::SYS_faccessat => files::access(room, from_a, b, c, 0),
        libc::SYS_faccessat2 => files::access(room, from_a, b, c, d),
        libc::SYS_readlink => {
            files::read(room, HERE, a, |from, path| perform(libc::SYS_readlinkat, &[from, text(path), b, c]))
        }
        libc::SYS_readlinkat => files::read(room, from_a, b, |from, path| {
            perform(libc::SYS_readlinkat, &[from, text(path), c, d])
        }),
        libc::SYS_statfs => files::read(room, HERE, a, |from, path| statfs(from, path, b)),
        libc::SYS_getxattr | libc::SYS_lgetxattr | libc::SYS_listxattr | libc::SYS_llistxattr => EOPNOTSUPP,
        libc::SYS_chdir => files::go_to(room, a),
        libc::SYS_getcwd => files::where_am_i(room, a, b),
        libc::SYS_mkdir => files::change(room, "mkdir", HERE, a, |folder, name| {
            perform(libc::SYS_mkdirat, &[folder, text(name), restore::mode_of(b & 0o777)])
        }),
        libc::SYS_mkdirat => files::change(room, "mkdir", from_a, b, |folder, name| {
            perform(libc::SYS_mkdirat, &[folder, text(name), restore::mode_of(c & 0o777)])
        }),
        libc::SYS_rmdir => remove(room, "rmdir", HERE, a, libc::AT_REMOVEDIR as u64),
        libc::SYS_unlink => remove(room, "unlink", HERE, a, 0),
        libc::SYS_unlinkat => remove(room, "unlink", from_a, b, c),
        libc::SYS_symlink => files::change(room, "symlink", HERE, b, |folder, name| {
            perform(libc::SYS_symlinkat, &[a, folder, text(name)])
        }),
        libc::SYS_symlinkat => files::change(room, "symlink", descriptor(b), c, |folder, name| {
            perform(libc::SYS_symlinkat, &[a, folder, text(name)])
        }),
        libc::SYS_mknod => make_node(room, HERE, a, b),
        libc::SYS_mknodat => make_node(room, from_a, b, c),
        libc::SYS_rename => rename(room, (HERE, a), (HERE, b), 0),
        libc::SYS_renameat => rename(room, (from_a, b), (from_c, d), 0),
        libc::SYS_renameat2 => rename(room, (from_a, b), (from_c, d), e),
        libc::SYS_link => link(room, (HERE, a), (HERE, b)),
        libc::SYS_linkat => link(room, (from_a, b), (from_c, d)),
        libc::SYS_chmod => change_mode(room, HERE, a, b, false),
        libc::SYS_fchmodat => change_mode(room, from_a, b, c, false),
        libc::SYS_fchmodat2 => change_mode(room, from_a, b, c, d & NOFOLLOW != 0),
        libc::SYS_chown | libc::SYS_lchown => {
            files::change_file(room, "chown", HERE, a, call.number == libc::SYS_lchown, |_, _| EPERM)
        }
        libc::SYS_fchownat => files::change_file(room, "chown", from_a, b, e & NOFOLLOW != 0, |_, _| EPERM),
        libc::SYS_setxattr | libc::SYS_removexattr => {
            files::change_file(room, "setxattr", HERE, a, false, |_, _| EOPNOTSUPP)
        }
        libc::SYS_lsetxattr | libc::SYS_lremovexattr => {
            files::change_file(room, "setxattr", HERE, a, true, |_, _| EOPNOTSUPP)
        }
        libc::SYS_fchmod | libc::SYS_fchown
            if guest::is_guest() && surroundings().is_some_and(|s| s.is_host(from_a)) =>
        {
            EBADF
        }
        libc::SYS_fchmod | libc::SYS_fchown => {
            if !is_changeable(from_a, &mut room.path) {
                refusals::note("fchmod", room.path.text(), Hint::Writable);
                return Some(-i64::from(libc::EROFS));
            }
            if call.number == libc::SYS_fchown { EPERM } else { perform(libc::SYS_fchmod, &[a, b & 0o777]) }
        }
        libc::SYS_utime | libc::SYS_utimes => touch(room, HERE, a, b, call.number == libc::SYS_utime),
        libc::SYS_futimesat if b != 0 => touch(room, from_a, b, c, false),
        libc::SYS_utimensat if b != 0 => {
            files::change_file(room, "utimensat", from_a, b, d & NOFOLLOW != 0, |folder, name| {
                perform(libc::SYS_utimensat, &[folder, text(name), c, d])
            })
        }
        _ => return None,
    })
}

fn is_empty(path: u64) -> bool {
    let mut first = [1];
    path == 0 || (copy_from_guest(path, &mut first).is_ok() && first[0] == 0)
}

fn statfs(from: u64, path: &std::ffi::CStr, to: u64) -> i64 {
    let fd = perform(libc::SYS_openat, &[from, text(path), (libc::O_PATH | libc::O_CLOEXEC) as u64, 0]);
    if fd < 0 {
        return fd;
    }
    let answer = perform(libc::SYS_fstatfs, &[fd.cast_unsigned(), to]);
    perform(libc::SYS_close, &[fd.cast_unsigned()]);
    answer
}

fn remove(room: &mut Room, call: &'static str, from: i32, path: u64, flags: u64) -> i64 {
    files::change(room, call, from, path, |folder, name| {
        perform(libc::SYS_unlinkat, &[folder, text(name), flags])
    })
}

/// Ordinary files only: a pipe with a name has nobody at its other end, and would be waited for.
fn make_node(room: &mut Room, from: i32, path: u64, mode: u64) -> i64 {
    let kind = mode as u32 & libc::S_IFMT;
    let is_file = kind == 0 || kind == libc::S_IFREG;
    files::change(room, "mknod", from, path, |folder, name| {
        if !is_file {
            return EPERM;
        }
        let mode = restore::mode_of(mode & 0o777) | u64::from(libc::S_IFREG);
        perform(libc::SYS_mknodat, &[folder, text(name), mode, 0])
    })
}

fn rename(room: &mut Room, old: (i32, u64), new: (i32, u64), flags: u64) -> i64 {
    files::change_two(room, "rename", old, new, |from, name, to, new| {
        perform(libc::SYS_renameat2, &[from, text(name), to, text(new), flags])
    })
}

fn link(room: &mut Room, old: (i32, u64), new: (i32, u64)) -> i64 {
    files::change_two(room, "link", old, new, |from, name, to, new| {
        perform(libc::SYS_linkat, &[from, text(name), to, text(new), 0])
    })
}

fn change_mode(room: &mut Room, from: i32, path: u64, mode: u64, is_link: bool) -> i64 {
    files::change_file(room, "chmod", from, path, is_link, |folder, name| {
        if is_link {
            return EOPNOTSUPP;
        }
        perform(libc::SYS_fchmodat, &[folder, text(name), mode & 0o777])
    })
}

/// Times as older calls have them: seconds, or seconds and microseconds.
fn touch(room: &mut Room, from: i32, path: u64, times: u64, is_seconds: bool) -> i64 {
    let mut given = [0u8; 32];
    let mut converted = [0i64; 4];
    if times != 0 {
        let size = if is_seconds { 16 } else { 32 };
        if let Err(error) = copy_from_guest(times, &mut given[..size]) {
            return error;
        }
        let word = |k: usize| i64::from_le_bytes(given[8 * k..8 * k + 8].try_into().unwrap_or_default());
        converted = if is_seconds {
            [word(0), 0, word(1), 0]
        } else {
            [word(0), word(1).saturating_mul(1000), word(2), word(3).saturating_mul(1000)]
        };
    }
    files::change_file(room, "utimes", from, path, false, |folder, name| {
        let times = if times == 0 { 0 } else { at(&converted) };
        perform(libc::SYS_utimensat, &[folder, text(name), times, 0])
    })
}

/// Calls about descriptors, by code under test; the host's are closed to it.
fn about_descriptors(call: &Call, room: &mut Room) -> Option<i64> {
    let [a, b, c, ..] = call.arguments;
    let known = surroundings()?;
    let is_host = |fd: u64| known.is_host(descriptor(fd));
    Some(match call.number {
        libc::SYS_read | libc::SYS_readv if descriptor(a) == 0 => 0,
        libc::SYS_write if matches!(descriptor(a), 1 | 2) => trap::print(b, c),
        libc::SYS_writev if matches!(descriptor(a), 1 | 2) => trap::print_all(b, c),
        libc::SYS_lseek if matches!(descriptor(a), 0..=2) => -i64::from(libc::ESPIPE),
        libc::SYS_fstat if matches!(descriptor(a), 0..=2) => call.perform(),
        libc::SYS_close if matches!(descriptor(a), 0..=2) => 0,
        libc::SYS_dup if !is_host(a) => making(call),
        libc::SYS_dup2 | libc::SYS_dup3 if !is_host(a) && !is_host(b) => making(call),
        libc::SYS_close_range => close_range(a, b, c),
        libc::SYS_fcntl if !is_host(a) => control(call),
        libc::SYS_fcntl
            if matches!(descriptor(a), 0..=2) && matches!(b as i32, libc::F_GETFD | libc::F_GETFL) =>
        {
            call.perform()
        }
        libc::SYS_ioctl if is_host(a) => ENOTTY,
        libc::SYS_ioctl => match b {
            libc::FIONREAD | libc::FIONBIO | libc::TCGETS | libc::FIOCLEX | libc::FIONCLEX => call.perform(),
            _ => ENOTTY,
        },
        libc::SYS_flock if !is_host(a) => {
            if !is_changeable(descriptor(a), &mut room.path) {
                return Some(refuse("flock", Hint::Writable, EACCES));
            }
            never_wait(call, 1, b | libc::LOCK_NB as u64, b & libc::LOCK_NB as u64 != 0)
        }
        // The filter below decides which.
        libc::SYS_socket | libc::SYS_socketpair if may_talk() && is_dispatched() => making(call),
        libc::SYS_pipe | libc::SYS_pipe2 => making_two(call),
        libc::SYS_eventfd
        | libc::SYS_eventfd2
        | libc::SYS_memfd_create
        | libc::SYS_epoll_create
        | libc::SYS_epoll_create1 => making(call),
        libc::SYS_epoll_ctl if !is_host(a) && !is_host(c) => call.perform(),
        libc::SYS_sendfile if !is_host(a) && !is_host(b) => call.perform(),
        libc::SYS_copy_file_range | libc::SYS_splice if !is_host(a) && !is_host(c) => call.perform(),
        libc::SYS_tee if !is_host(a) && !is_host(b) => call.perform(),
        libc::SYS_fchdir if !is_host(a) => files::go_to_descriptor(room, a),
        libc::SYS_utimensat | libc::SYS_futimesat if !is_host(a) => {
            if !is_changeable(descriptor(a), &mut room.path) {
                refusals::note("futimens", room.path.text(), Hint::Writable);
                return Some(-i64::from(libc::EROFS));
            }
            call.perform()
        }
        libc::SYS_fsetxattr | libc::SYS_fremovexattr | libc::SYS_fgetxattr | libc::SYS_flistxattr => {
            EOPNOTSUPP
        }
        libc::SYS_fstatfs if !is_host(a) => call.perform(),
        // Everything else with a descriptor in front that came here did so because it is the host's.
        number if filter::BY_DESCRIPTOR.contains(&number) && is_host(a) => {
            // What is not open is nobody's.
            let is_open = perform(libc::SYS_fcntl, &[a, libc::F_GETFD as u64]) >= 0;
            if is_open { refuse("a descriptor of Stairway's", Hint::Never, EBADF) } else { EBADF }
        }
        number if filter::BY_DESCRIPTOR.contains(&number) => descriptors::perform_on(call),
        libc::SYS_dup
        | libc::SYS_dup2
        | libc::SYS_dup3
        | libc::SYS_fcntl
        | libc::SYS_flock
        | libc::SYS_epoll_ctl
        | libc::SYS_sendfile
        | libc::SYS_copy_file_range
        | libc::SYS_splice
        | libc::SYS_tee
        | libc::SYS_fchdir
        | libc::SYS_utimensat
        | libc::SYS_futimesat
        | libc::SYS_fstatfs => EBADF,
        _ => return None,
    })
}

/// A call that makes a descriptor, which is closed when the sequence is over.
fn making(call: &Call) -> i64 {
    restore::mark(restore::DESCRIPTORS);
    let answer = call.perform();
    if is_shared() { descriptors::opened(answer) } else { answer }
}

/// The same for a pipe.
fn making_two(call: &Call) -> i64 {
    restore::mark(restore::DESCRIPTORS);
    let answer = call.perform();
    if is_shared() { descriptors::opened_two(answer, call.arguments[0]) } else { answer }
}

/// Performs a call that would wait for a lock without waiting: nobody else could ever let go of it.
fn never_wait(call: &Call, place: usize, argument: u64, may_fail: bool) -> i64 {
    let mut now = *call;
    now.arguments[place] = argument;
    match now.perform() {
        EAGAIN if !may_fail => EDEADLK,
        answer => answer,
    }
}

/// `fcntl`, for descriptors that are code under test's own.
fn control(call: &Call) -> i64 {
    match call.arguments[1] as i32 {
        libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => making(call),
        libc::F_GETFD
        | libc::F_SETFD
        | libc::F_GETFL
        | libc::F_SETFL
        | libc::F_GETLK
        | libc::F_SETLK
        | libc::F_GETPIPE_SZ
        | libc::F_GET_SEALS
        | libc::F_ADD_SEALS
        | libc::F_OFD_GETLK
        | libc::F_OFD_SETLK => call.perform(),
        libc::F_SETLKW => never_wait(call, 1, libc::F_SETLK as u64, false),
        libc::F_OFD_SETLKW => never_wait(call, 1, libc::F_OFD_SETLK as u64, false),
        _ => refuse("fcntl", Hint::Never, EPERM),
    }
}

/// Closes what is in the range and not the host's.
fn close_range(first: u64, last: u64, flags: u64) -> i64 {
    let Some(known) = surroundings() else { return EINVAL };
    let (first, last) = (u64::from(first as u32), u64::from(last as u32));
    if first > last || flags > 6 || flags & 2 != 0 {
        return EINVAL;
    }
    if known.calls.is_some() {
        if flags == 0 {
            descriptors::close_own(first, last);
        }
        return 0;
    }
    let mut from = first;
    for fd in first..=last.min(255) {
        if known.is_host(fd as i32) {
            if fd > from {
                perform(libc::SYS_close_range, &[from, fd - 1, flags]);
            }
            from = fd + 1;
        }
    }
    if from <= last { perform(libc::SYS_close_range, &[from, last, flags]) } else { 0 }
}

/// What code under test does not get.
fn refused(call: &Call) -> i64 {
    match refusal(call) {
        Some(("", _, error)) => error,
        Some((name, hint, error)) => refuse(name, hint, error),
        None => refuse("a system call", Hint::Never, ENOSYS),
    }
}

/// What nobody gets: its name, if that is worth a note, the option that allows it, and the error.
pub(crate) fn refusal(call: &Call) -> Option<(&'static str, Hint, i64)> {
    Some(match call.number {
        libc::SYS_fork | libc::SYS_vfork | libc::SYS_clone => ("fork", Hint::Exec, EAGAIN),
        libc::SYS_execve | libc::SYS_execveat => ("execve", Hint::Exec, EACCES),
        libc::SYS_wait4 | libc::SYS_waitid => ("", Hint::Never, -i64::from(libc::ECHILD)),
        libc::SYS_socket | libc::SYS_socketpair if may_talk() => {
            ("a socket that is not of the internet", Hint::Never, EACCES)
        }
        libc::SYS_socket | libc::SYS_socketpair => ("socket", Hint::Network, EACCES),
        libc::SYS_connect
        | libc::SYS_accept
        | libc::SYS_accept4
        | libc::SYS_bind
        | libc::SYS_listen
        | libc::SYS_sendto
        | libc::SYS_recvfrom
        | libc::SYS_sendmsg
        | libc::SYS_recvmsg
        | libc::SYS_sendmmsg
        | libc::SYS_recvmmsg
        | libc::SYS_shutdown
        | libc::SYS_getsockname
        | libc::SYS_getpeername
        | libc::SYS_getsockopt
        | libc::SYS_setsockopt => ("", Hint::Network, EBADF),
        libc::SYS_ptrace => ("ptrace", Hint::Never, EPERM),
        libc::SYS_process_vm_readv | libc::SYS_process_vm_writev => ("process_vm_writev", Hint::Never, EPERM),
        libc::SYS_bpf => ("bpf", Hint::Never, EPERM),
        libc::SYS_perf_event_open => ("perf_event_open", Hint::Never, EPERM),
        libc::SYS_mount
        | libc::SYS_umount2
        | libc::SYS_pivot_root
        | libc::SYS_chroot
        | libc::SYS_unshare
        | libc::SYS_setns
        | libc::SYS_open_tree
        | libc::SYS_move_mount
        | libc::SYS_mount_setattr
        | libc::SYS_fsopen => ("mount", Hint::Never, EPERM),
        libc::SYS_io_uring_setup | libc::SYS_io_uring_enter | libc::SYS_io_uring_register => {
            ("io_uring", Hint::Never, ENOSYS)
        }
        // The C library tries these first and does without.
        libc::SYS_clone3 | libc::SYS_openat2 => ("", Hint::Never, ENOSYS),
        libc::SYS_name_to_handle_at | libc::SYS_open_by_handle_at => {
            ("open_by_handle_at", Hint::Never, EPERM)
        }
        libc::SYS_shmget
        | libc::SYS_shmat
        | libc::SYS_shmctl
        | libc::SYS_shmdt
        | libc::SYS_semget
        | libc::SYS_semop
        | libc::SYS_semctl
        | libc::SYS_msgget
        | libc::SYS_msgsnd
        | libc::SYS_msgrcv
        | libc::SYS_msgctl
        | libc::SYS_mq_open => ("System V IPC or a message queue", Hint::Never, EPERM),
        libc::SYS_seccomp => ("seccomp", Hint::Never, EPERM),
        _ => return None,
    })
}
