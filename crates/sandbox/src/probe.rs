//! Which tier works here: found out by really mounting and really trapping, in processes that end at once.

use crate::gate::{perform, text};
use crate::launch::{Plan, try_out};
use crate::{Permissions, Tier, Unavailable, VARIABLE, filter};
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The tier to use: the one that [`VARIABLE`] names, or the strongest that works.
///
/// # Errors
/// If the variable names none, or one that does not work here, or none works at all.
pub fn tier() -> Result<Tier, Unavailable> {
    static FOUND: OnceLock<Result<Tier, Unavailable>> = OnceLock::new();
    FOUND.get_or_init(find).clone()
}

fn find() -> Result<Tier, Unavailable> {
    if let Some(word) = std::env::var_os(VARIABLE).filter(|word| !word.is_empty()) {
        let word = word.to_string_lossy().into_owned();
        let tier = Tier::named(&word).ok_or(Unavailable::UnknownTier(word))?;
        return works(tier).map(|()| tier).map_err(|why| Unavailable::Tier(tier, why));
    }
    let mut reasons = Vec::new();
    for tier in Tier::ALL {
        match works(tier) {
            Ok(()) => return Ok(tier),
            Err(why) => reasons.push(format!("{}: {why}", tier.word())),
        }
    }
    Err(Unavailable::Nothing(reasons.join("; ")))
}

/// Whether a tier works, or why not.
fn works(tier: Tier) -> Result<(), String> {
    let folder = std::env::temp_dir();
    let plan = Plan::new(Some(tier), &Permissions::default(), &folder).map_err(|error| error.to_string())?;
    let then = match tier {
        Tier::Namespaces => is_root_closed,
        Tier::Landlock => has_landlock,
        Tier::Seccomp => traps,
    };
    match try_out(&plan, then) {
        Ok(true) => Ok(()),
        Ok(false) => Err("it was entered, and did not hold".to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// In the namespaces: nothing can be made in the root, something can be made in the folder; and calls are
/// trapped.
fn is_root_closed() -> bool {
    let answer = perform(libc::SYS_mkdir, &[text(c"/stairway-probe"), 0o700]);
    let is_closed = answer == -i64::from(libc::EROFS) || answer == -i64::from(libc::EEXIST);
    is_closed && traps()
}

fn has_landlock() -> bool {
    landlock_version() >= 1 && traps()
}

/// Whether Landlock keeps processes from signalling those outside.
pub(crate) fn holds_signals() -> bool {
    const WITH_SIGNALS: i64 = 6;
    landlock_version() >= WITH_SIGNALS
}

fn landlock_version() -> i64 {
    const VERSION: u64 = 1;
    perform(libc::SYS_landlock_create_ruleset, &[0, 0, VERSION])
}

static IS_TRAPPED: AtomicBool = AtomicBool::new(false);

extern "C" fn on_trap(_: c_int, _: *mut libc::siginfo_t, _: *mut c_void) {
    IS_TRAPPED.store(true, Ordering::Relaxed);
}

/// A filter can be installed and what it traps comes to a handler; and paths can be kept in a folder.
fn traps() -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: all zeros are a valid action.
    let action = unsafe { action.assume_init_mut() };
    action.sa_sigaction = (on_trap as *const ()).expose_provenance();
    action.sa_flags = libc::SA_SIGINFO;
    // SAFETY: the handler has the signature that SA_SIGINFO asks for, and only sets a flag.
    if unsafe { libc::sigaction(libc::SIGSYS, action, std::ptr::null_mut()) } != 0 {
        return false;
    }
    if perform(libc::SYS_prctl, &[libc::PR_SET_NO_NEW_PRIVS as u64, 1, 0, 0, 0]) != 0 {
        return false;
    }
    let how = [(libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC) as u64, 0, 8];
    let size = size_of_val(&how) as u64;
    let here = crate::gate::signed(libc::AT_FDCWD);
    if perform(libc::SYS_openat2, &[here, text(c"."), crate::gate::at(&how), size]) < 0 {
        return false;
    }
    if filter::install(&filter::trapping(libc::SYS_getppid)).is_err() {
        return false;
    }
    perform(libc::SYS_getppid, &[]);
    IS_TRAPPED.load(Ordering::Relaxed)
}
