//! Locking: what a worker does to itself before it loads code under test. There is no way back.
//!
//! The order matters: descriptors are opened while that is possible, Landlock and limits come next, and the
//! filter last, because everything before it would be trapped.

use crate::descriptors::MAX_FILE_SIZE;
use crate::gate::{at, attempt};
use crate::paths::{Root, Surroundings, set_surroundings};
use crate::trap::Stack;
use crate::{Permissions, Tier, Unavailable, dispatch, filter, gate, programs, trap};
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::AtomicU64;

/// Our own descriptors are moved up here, so that those of code under test have the same numbers in every tier.
const FIRST_OWN: u64 = 200;
/// The largest descriptor.
const MAX_FILES: u64 = 256;
/// Memory beyond what is in use.
const MAX_MEMORY: u64 = 4 << 30;
/// How many bytes a random device has.
const RANDOM_SIZE: usize = 64 << 10;

/// All that code under test has for an environment.
const ENVIRONMENT: &[(&CStr, &CStr)] = &[
    (c"HOME", c"/tmp/stairway"),
    (c"LC_ALL", c"C"),
    (c"LOGNAME", c"stairway"),
    (c"PATH", c"/usr/local/bin:/usr/bin:/bin"),
    (c"PWD", c"/tmp/stairway"),
    (c"SHELL", c"/bin/sh"),
    (c"TMPDIR", c"/tmp"),
    (c"TZ", c"UTC0"),
    (c"USER", c"stairway"),
];

/// Locks this process up, for code that it loads afterwards: `private` is the folder that the code sees as
/// [`FOLDER`](crate::FOLDER)'s parent, and that is its own to change. Environment and working directory are
/// the code's as well.
///
/// # Errors
/// If a step is refused; then nothing may be run.
pub fn lock(tier: Tier, permissions: &Permissions, private: &Path) -> Result<(), Unavailable> {
    let home = private.join("stairway");
    std::fs::create_dir_all(&home).map_err(step("the private folder"))?;
    std::env::set_current_dir(&home).map_err(step("the private folder"))?;
    set_environment();
    restrict(tier, permissions, private, Stack::Alternate).map(drop)
}

/// Locks this process up, for code that is part of it and runs from now on
/// ([`Guest::run`](crate::Guest::run), and all threads but this one): `private` is what it sees as `/tmp`.
/// Environment and working directory stay as they are, and so do its process, time and signals.
///
/// # Errors
/// If a step is refused; then nothing may be run.
pub fn lock_process(tier: Tier, permissions: &Permissions, private: &Path) -> Result<(), Unavailable> {
    crate::guest::keep_this_thread();
    crate::prerequisites::remember();
    await_threads().map_err(step("threads"))?;
    if !restrict(tier, permissions, private, Stack::Own)? {
        // Nobody answers, so what stands in for `/tmp` has to be named.
        set_temporary(private);
    }
    Ok(())
}

/// Waits until no thread blocks the signal that the policy needs: one that is being started blocks all of
/// them for a moment, and would be killed by its next call.
fn await_threads() -> io::Result<()> {
    const MAX_LOOKS: u32 = 1000;
    for _ in 0..MAX_LOOKS {
        let is_ready = std::fs::read_dir("/proc/self/task")?.flatten().all(|thread| {
            let status = std::fs::read_to_string(thread.path().join("status")).unwrap_or_default();
            let blocked = status.lines().find_map(|line| line.strip_prefix("SigBlk:"));
            let blocked = blocked.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
            blocked >> (libc::SIGSYS - 1) & 1 == 0
        });
        if is_ready {
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    Err(io::Error::other("one of them blocks SIGSYS"))
}

fn step(step: &'static str) -> impl Fn(io::Error) -> Unavailable {
    move |error| Unavailable::System(step, error.to_string())
}

/// Whether somebody answers all calls about paths from now on.
fn restrict(
    tier: Tier,
    permissions: &Permissions,
    private: &Path,
    stack: Stack,
) -> Result<bool, Unavailable> {
    permissions.check(Some(tier))?;
    let mut roots = vec![root(private).map_err(step("the private folder"))?];
    for folder in &permissions.writable {
        roots.push(root(folder).map_err(|error| Unavailable::Folder(folder.clone(), error.to_string()))?);
    }
    let random_fd = random_file().map_err(step("random bytes"))?;
    if tier == Tier::Landlock {
        restrict_files(&roots).map_err(|why| Unavailable::System("Landlock", why))?;
    }
    limit().map_err(step("limits"))?;
    give_up_privileges().map_err(step("privileges"))?;
    // SAFETY: getpid has no conditions.
    let pid = i64::from(unsafe { libc::getpid() });
    let known = Surroundings {
        roots,
        random_fd,
        host_files: open_files().map(AtomicU64::new),
        runtime_file: next_file().map_err(step("descriptors"))?,
        permissions: permissions.clone(),
        pid,
        is_compiled: stack == Stack::Own,
        calls: None,
    };
    let program = filter::program(&known, gate::address());
    if !set_surroundings(known) {
        return Err(Unavailable::System("locking", "it is locked already".to_string()));
    }
    trap::install(stack).map_err(step("the handler"))?;
    if permissions.exec {
        // What started processes leave behind comes to this one.
        attempt(libc::SYS_prctl, &[libc::PR_SET_CHILD_SUBREAPER as u64, 1, 0, 0, 0])
            .map_err(step("children"))?;
        if stack == Stack::Alternate {
            dispatch::dispatch().map_err(step("dispatching"))?;
        }
        return programs::begin(permissions, stack == Stack::Alternate).map_err(step("the filter"));
    }
    filter::install(&program).map_err(step("the filter")).map(|()| true)
}

/// Opens a folder that may be changed.
pub(crate) fn root(folder: &Path) -> io::Result<Root> {
    let path = std::fs::canonicalize(folder)?;
    let path = CString::new(path.as_os_str().as_bytes())?;
    let flags = (libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC) as u64;
    let fd = attempt(libc::SYS_open, &[gate::text(&path), flags, 0])?;
    Ok(Root { fd: move_up(fd)?, path })
}

fn move_up(fd: u64) -> io::Result<RawFd> {
    let moved = attempt(libc::SYS_fcntl, &[fd, libc::F_DUPFD_CLOEXEC as u64, FIRST_OWN])?;
    attempt(libc::SYS_close, &[fd])?;
    RawFd::try_from(moved).map_err(io::Error::other)
}

/// A file in memory with the same bytes in every run.
pub(crate) fn random_file() -> io::Result<RawFd> {
    let fd = attempt(libc::SYS_memfd_create, &[gate::text(c"random"), u64::from(libc::MFD_CLOEXEC)])?;
    let mut state = 1u64;
    let mut bytes = vec![0u8; RANDOM_SIZE];
    for byte in &mut bytes {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *byte = (state >> 56) as u8;
    }
    attempt(libc::SYS_write, &[fd, at(&bytes[..]), RANDOM_SIZE as u64])?;
    move_up(fd)
}

fn set_environment() {
    // SAFETY: this process has one thread at this point, and keeps no pointers into the environment.
    unsafe { libc::clearenv() };
    for (name, value) in ENVIRONMENT {
        // SAFETY: both are terminated, and are copied.
        unsafe { libc::setenv(name.as_ptr(), value.as_ptr(), 1) };
    }
}

fn set_temporary(private: &Path) {
    if let Ok(private) = CString::new(private.as_os_str().as_bytes()) {
        // SAFETY: other threads of a test do not read the environment now; both texts are terminated, and are
        // copied.
        unsafe { libc::setenv(c"TMPDIR".as_ptr(), private.as_ptr(), 1) };
    }
}

/// Reading everywhere, changing in the roots only.
fn restrict_files(roots: &[Root]) -> Result<(), String> {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetStatus, Scope,
    };
    const NEWEST: ABI = ABI::V6;
    let all = AccessFs::from_all(NEWEST);
    let rules = || -> Result<RulesetStatus, landlock::RulesetError> {
        let mut rules = Ruleset::default().set_compatibility(CompatLevel::BestEffort).handle_access(all)?;
        rules = rules.handle_access(AccessNet::from_all(NEWEST))?.scope(Scope::from_all(NEWEST))?;
        let mut rules = rules.create()?;
        if let Ok(everything) = PathFd::new("/") {
            rules = rules.add_rule(PathBeneath::new(everything, AccessFs::from_read(NEWEST)))?;
        }
        for root in roots {
            if let Ok(folder) = PathFd::new(std::ffi::OsStr::from_bytes(root.path.to_bytes())) {
                rules = rules.add_rule(PathBeneath::new(folder, all & !AccessFs::Execute))?;
            }
        }
        for device in ["/dev/null", "/dev/zero", "/dev/full"] {
            if let Ok(device) = PathFd::new(device) {
                rules = rules.add_rule(PathBeneath::new(device, AccessFs::from_file(NEWEST)))?;
            }
        }
        Ok(rules.restrict_self()?.ruleset)
    };
    match rules() {
        Ok(RulesetStatus::NotEnforced) => Err("the kernel does not enforce it".to_string()),
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

/// Limits that a run-away allocation, file or descriptor meets before the machine does.
fn limit() -> io::Result<()> {
    let limits = [
        (libc::RLIMIT_CORE, 0),
        (libc::RLIMIT_FSIZE, MAX_FILE_SIZE),
        (libc::RLIMIT_NOFILE, MAX_FILES),
        (libc::RLIMIT_AS, memory_in_use().saturating_add(MAX_MEMORY)),
    ];
    for (resource, limit) in limits {
        let mut before = [0u64; 2];
        attempt(libc::SYS_prlimit64, &[0, u64::from(resource), 0, gate::at_mut(&mut before)])?;
        let limit = limit.min(before[1]);
        attempt(libc::SYS_prlimit64, &[0, u64::from(resource), at(&[limit, limit])])?;
    }
    // A file that is too large is an error, and a pipe that nobody reads too; neither ends the process.
    for signal in [libc::SIGXFSZ, libc::SIGPIPE] {
        // SAFETY: ignoring a signal runs nothing.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
    // SAFETY: umask has no conditions.
    unsafe { libc::umask(crate::restore::FIRST_UMASK as libc::mode_t) };
    Ok(())
}

/// The size of this process's address space.
fn memory_in_use() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').next().and_then(|pages| pages.parse::<u64>().ok()).map_or(0, |pages| pages * 4096)
}

/// No capability is left, not even in a namespace of our own, and none can be gained.
fn give_up_privileges() -> io::Result<()> {
    const VERSION_3: u64 = 0x2008_0522;
    attempt(libc::SYS_prctl, &[libc::PR_SET_NO_NEW_PRIVS as u64, 1, 0, 0, 0])?;
    let header = VERSION_3;
    let none = [0u32; 6];
    attempt(libc::SYS_capset, &[at(&header), at(&none)])?;
    Ok(())
}

/// The lowest descriptor that is free: the runtime will have it for what stands in for standard input.
fn next_file() -> io::Result<RawFd> {
    let flags = (libc::O_RDONLY | libc::O_CLOEXEC) as u64;
    let next = attempt(libc::SYS_open, &[gate::text(c"/dev/null"), flags, 0])?;
    attempt(libc::SYS_close, &[next])?;
    RawFd::try_from(next).map_err(io::Error::other)
}

/// Descriptors that are open now, a bit each.
pub(crate) fn open_files() -> [u64; 4] {
    let mut open = [0; 4];
    for fd in 0..MAX_FILES {
        if gate::perform(libc::SYS_fcntl, &[fd, libc::F_GETFD as u64]) >= 0 {
            open[(fd / 64) as usize] |= 1 << (fd % 64);
        }
    }
    open
}
