//! Contains code under test by means of the operating system, so that nothing outside changes.
//!
//! There are two halves. The parent starts a worker through a [`Launcher`], which puts it into namespaces of its own where the
//! system allows that. The worker reads what it needs, then calls [`lock`], and only then loads the code under test.
//!
//! What code under test sees does not depend on the [`Tier`]: a seccomp filter allows what is harmless and traps
//! everything else, and one policy (`policy.rs`) decides in the signal handler, performs what is permitted and notes what is
//! refused. The mounts or Landlock underneath hold where the policy is bypassed. This crate does not know what it contains:
//! neither C nor properties nor reports.
//!
//! It is one of the three places with unsafe code. Elsewhere than on Linux on x86-64 it compiles and answers
//! [`Unavailable`].

use std::fmt;
use std::path::PathBuf;

#[cfg(target_os = "linux")]
pub mod channel;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod files;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod filter;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod gate;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod guest;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod launch;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod lock;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod paths;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod policy;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod probe;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod refusals;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod restore;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod trap;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use {
    guest::{Guest, Host},
    launch::Launcher,
    lock::lock,
    probe::tier,
    refusals::take_refusals,
    restore::{are_files_touched, restore},
    trap::{Runtime, connect},
};

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod elsewhere;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub use elsewhere::{
    Guest, Host, Launcher, Runtime, are_files_touched, connect, lock, restore, take_refusals, tier,
};

/// Forces a tier: the word of [`Tier::word`].
pub const VARIABLE: &str = "STAIRWAY_SANDBOX";

/// What code under test has for a folder, in every tier.
pub const FOLDER: &str = "/tmp/stairway";

/// What holds code under test, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// User, mount, process, network and IPC namespaces: a read-only root and a folder in memory.
    Namespaces,
    /// Landlock, where mounting is refused.
    Landlock,
    /// System calls that are trapped, where nothing else is allowed.
    Seccomp,
}

impl Tier {
    /// All of them, the strongest first.
    pub const ALL: [Tier; 3] = [Tier::Namespaces, Tier::Landlock, Tier::Seccomp];

    /// How it is named in [`VARIABLE`].
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Tier::Namespaces => "namespaces",
            Tier::Landlock => "landlock",
            Tier::Seccomp => "seccomp",
        }
    }

    /// The tier that a word names.
    ///
    /// ```
    /// use stairway_sandbox::Tier;
    /// assert_eq!(Tier::named("landlock"), Some(Tier::Landlock));
    /// assert_eq!(Tier::named("jail"), None);
    /// ```
    #[must_use]
    pub fn named(word: &str) -> Option<Tier> {
        Tier::ALL.into_iter().find(|tier| tier.word() == word)
    }
}

/// What code under test may do beyond its own folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Sockets.
    pub network: bool,
    /// Folders that may be changed.
    pub writable: Vec<PathBuf>,
}

/// Something that code under test asked for and did not get.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refusal {
    /// The system call.
    pub call: &'static str,
    /// What it was about: a folder or a name, if it has one that a person would give.
    pub about: String,
    /// Why, or what would help.
    pub hint: Hint,
}

/// What to do about a [`Refusal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Hint {
    /// Nothing allows it.
    Never,
    /// The folder can be made writable.
    Writable,
    /// The file can be brought along.
    Files,
    /// Sockets can be allowed.
    Network,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refusal { call, about, hint } = self;
        match hint {
            Hint::Never if about.is_empty() => f.write_str(call),
            Hint::Never => write!(f, "{call} {about}"),
            Hint::Writable if about.is_empty() => {
                f.write_str("changes outside its folder (--writable DIR allows them)")
            }
            Hint::Writable => write!(f, "changes in {about} (--writable {about} allows them)"),
            Hint::Files if about.is_empty() => {
                write!(f, "{call} of a file that is not there (--files DIR brings files along)")
            }
            Hint::Files => write!(f, "{call} {about}, which is not there (--files DIR brings files along)"),
            Hint::Network => write!(f, "{call} (--network allows it)"),
        }
    }
}

/// Why code under test cannot be contained.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unavailable {
    /// [`VARIABLE`] names no tier.
    UnknownTier(String),
    /// The tier that [`VARIABLE`] names does not work here.
    Tier(Tier, String),
    /// No tier works here.
    Nothing(String),
    /// A folder that a permission names cannot be used.
    Folder(PathBuf, String),
    /// Entering failed half-way.
    System(&'static str, String),
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unavailable::UnknownTier(word) => write!(
                f,
                "{VARIABLE}={word} names no tier of the sandbox; use namespaces, landlock or seccomp, or unset it"
            ),
            Unavailable::Tier(tier, why) => write!(
                f,
                "the sandbox `{}` does not work here ({why}); unset {VARIABLE} to use the strongest that does",
                tier.word()
            ),
            Unavailable::Nothing(why) => write!(
                f,
                "code under test cannot be contained on this system ({why}); run on Linux on x86-64 with user namespaces, \
                 Landlock or seccomp enabled, or pass --unconfined if the code may do anything that you may do"
            ),
            Unavailable::Folder(path, why) => {
                write!(f, "{}: {why}; name a folder that exists", path.display())
            }
            Unavailable::System(step, why) => write!(f, "the sandbox cannot be entered: {step}: {why}"),
        }
    }
}

impl std::error::Error for Unavailable {}
