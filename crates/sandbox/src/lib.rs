//! Contains code under test by means of the operating system, so that nothing outside changes.
//!
//! There are two halves. The parent starts a worker through a [`Launcher`], which puts it into namespaces of
//! its own where the system allows that. The worker reads what it needs, then calls [`lock`], and only then
//! loads the code under test.
//!
//! What code under test sees does not depend on the [`Tier`]: a seccomp filter allows what is harmless and
//! traps everything else, and one policy (`policy.rs`) decides in the signal handler, performs what is
//! permitted and notes what is refused. The mounts or Landlock underneath hold where the policy is bypassed.
//! This crate does not know what it contains: neither C nor properties nor reports.
//!
//! It is one of the three places with unsafe code. Elsewhere than on Linux on x86-64 it compiles and answers
//! [`Unavailable`].

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};

#[cfg(target_os = "linux")]
pub mod channel;
#[cfg(target_os = "linux")]
mod exit;
pub mod prerequisites;
#[cfg(target_os = "linux")]
pub mod scratch;
#[cfg(target_os = "linux")]
mod segment;
#[cfg(target_os = "linux")]
pub use segment::Segment;

#[cfg(target_os = "linux")]
pub use exit::at_exit;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod descriptors;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod dispatch;
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
mod programs;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod refusals;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod restore;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod trap;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use {
    dispatch::Confined,
    files::load_from,
    guest::{Guest, Host, mark_of_starter},
    launch::Launcher,
    lock::{lock, lock_process},
    paths::{is_confining, is_locked},
    policy::processes::end_child,
    probe::tier,
    refusals::take_refusals,
    restore::{are_files_touched, restore},
    trap::{Runtime, keep_loaded},
};

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod elsewhere;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub use elsewhere::{
    Confined, Guest, Host, Launcher, Runtime, are_files_touched, end_child, is_confining, is_locked,
    keep_loaded, load_from, lock, lock_process, mark_of_starter, restore, take_refusals, tier,
};

/// Cannot be done here: see the implementation for Linux.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn at_exit(_: fn() -> Option<i32>) -> bool {
    false
}

/// Forces a tier: the word of [`Tier::word`].
pub const VARIABLE: &str = "STAIRWAY_SANDBOX";

/// What code under test has for a folder, in every tier.
pub const FOLDER: &str = "/tmp/stairway";

/// What holds code under test, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Permissions {
    /// Sockets in a network of its own, in which there is nothing else.
    pub network: bool,
    /// Processes and other programs.
    pub exec: bool,
    /// Folders that may be changed.
    pub writable: Vec<PathBuf>,
}

/// The folder that a path leads to.
fn real_folder(path: &Path) -> Result<PathBuf, Unavailable> {
    let wrong = |why: String| Unavailable::Folder(path.to_path_buf(), why);
    let real = std::fs::canonicalize(path).map_err(|error| wrong(error.to_string()))?;
    if real.is_dir() { Ok(real) } else { Err(wrong("it is no folder".to_string())) }
}

impl Permissions {
    /// The same with folders that mean the same wherever the process goes.
    ///
    /// # Errors
    /// If one is no folder; the error names it as it was written.
    pub fn resolved(&self) -> Result<Permissions, Unavailable> {
        let writable = self.writable.iter().map(|folder| real_folder(folder)).collect::<Result<_, _>>()?;
        Ok(Permissions { writable, ..self.clone() })
    }

    /// Whether a tier can give them.
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    fn check(&self, tier: Option<Tier>) -> Result<(), Unavailable> {
        match tier {
            Some(tier) if self.network && tier != Tier::Namespaces => Err(Unavailable::Network(tier)),
            Some(Tier::Seccomp) if self.exec => Err(Unavailable::Exec),
            Some(Tier::Landlock) if self.exec && !probe::holds_signals() => Err(Unavailable::Exec),
            _ => Ok(()),
        }
    }
}

/// Something that code under test asked for and did not get.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Refusal {
    /// The system call.
    pub call: Cow<'static, str>,
    /// What it was about: a folder or a name, if it has one that a person would give.
    pub about: String,
    /// Why, or what would help.
    pub hint: Hint,
}

/// What to do about a [`Refusal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// Other programs can be allowed.
    Exec,
}

/// Who reads of a [`Refusal`], and can allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reader {
    /// Whoever starts the command.
    Command,
    /// Whoever wrote a property.
    Property,
    /// Whoever wrote a test that calls C.
    Library,
}

impl Refusal {
    /// Whether it was refused; what is not there cannot be.
    #[must_use]
    pub const fn is_refused(&self) -> bool {
        !matches!(self.hint, Hint::Files)
    }

    /// What it was, and what allows it.
    ///
    /// ```
    /// use stairway_sandbox::{Hint, Reader, Refusal};
    /// let refusal = Refusal { call: "open".into(), about: "/etc".into(), hint: Hint::Writable };
    /// assert_eq!(refusal.words(Reader::Command), "changes in /etc (--writable /etc allows them)");
    /// assert_eq!(refusal.words(Reader::Property), "changes in /etc (`writable = \"/etc\"` allows them)");
    /// ```
    #[must_use]
    pub fn words(&self, reader: Reader) -> String {
        let Refusal { call, about, hint } = self;
        let named = if about.is_empty() { String::new() } else { format!(" {about}") };
        let what = match hint {
            Hint::Files if about.is_empty() => format!("{call} of names that were drawn"),
            Hint::Never | Hint::Files | Hint::Network | Hint::Exec => format!("{call}{named}"),
            Hint::Writable if about.is_empty() => "changes outside its folder".to_string(),
            Hint::Writable => format!("changes in {about}"),
        };
        let folder = if about.is_empty() { "DIR" } else { about };
        let allows = match (hint, reader) {
            (Hint::Writable, Reader::Command) => format!("--writable {folder} allows them"),
            (Hint::Writable, Reader::Property) => format!("`writable = \"{folder}\"` allows them"),
            (Hint::Writable, Reader::Library) => format!("`c.allow_changes_in(\"{folder}\")` allows them"),
            (Hint::Network, Reader::Command) => "--network allows it".to_string(),
            (Hint::Network, Reader::Property) => "`network` allows it".to_string(),
            (Hint::Exec, Reader::Command) => "--allow-exec allows it".to_string(),
            (Hint::Exec, Reader::Property) => "`allow_exec` allows it".to_string(),
            (Hint::Files, Reader::Command) => "--files DIR brings files along".to_string(),
            _ => return what,
        };
        format!("{what} ({allows})")
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
    /// There is no network of its own in this tier.
    Network(Tier),
    /// Programs that code under test starts could not be contained.
    Exec,
    /// System calls of code under test cannot be dispatched.
    Calls(String),
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
                write!(f, "{}: {why}; name another folder", path.display())
            }
            Unavailable::Network(tier) => write!(
                f,
                "in the sandbox `{}` sockets would lead to this machine and beyond; they can be allowed in `namespaces` only, where there is \
                 a network without anything else in it",
                tier.word()
            ),
            Unavailable::Exec => write!(
                f,
                "programs that the code starts cannot be contained in this sandbox; it takes namespaces, or Landlock of Linux 6.12 or later"
            ),
            Unavailable::Calls(why) => write!(
                f,
                "calls of C cannot be confined in a process of Rust on this system ({why}); it takes Linux 5.11 or later on x86-64"
            ),
            Unavailable::System(step, why) => write!(f, "the sandbox cannot be entered: {step}: {why}"),
        }
    }
}

impl std::error::Error for Unavailable {}
