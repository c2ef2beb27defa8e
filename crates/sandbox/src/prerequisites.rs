//! What has to be made outside of the sandbox, before code inside asks for it.
//!
//! A process that is locked up runs no compiler. So whatever may need one says so where it is declared: with
//! [`prerequisite!`](crate::prerequisite!), which leaves a function in a section of the program. Whoever
//! starts a process that locks itself up calls all of them and hands over what they made; inside, it is
//! found by its key. This module does not know what is made.

use std::path::PathBuf;
use std::sync::OnceLock;

/// Something that was made, or why it could not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prerequisite {
    /// By what it is found.
    pub key: u64,
    /// Where it is, or why it is not.
    pub made: Result<PathBuf, String>,
}

/// Makes one.
pub type Maker = fn() -> Prerequisite;

/// How they are handed over.
pub const VARIABLE: &str = "STAIRWAY_WORKER_PREREQUISITES";

/// Has a function called before a process that may need what it makes is locked up.
///
/// ```
/// use stairway_sandbox::prerequisites::{self, Prerequisite};
///
/// stairway_sandbox::prerequisite!(|| Prerequisite { key: 7, made: Err("no compiler\nhere".to_string()) });
///
/// # fn main() {
/// assert_eq!(prerequisites::make(), "7!no compiler\u{1f}here");
/// # }
/// ```
#[macro_export]
macro_rules! prerequisite {
    ($make:expr) => {
        const _: () = {
            // SAFETY: nothing but these pointers is in the section, which is read as a list of them.
            #[used]
            #[cfg_attr(target_os = "linux", unsafe(link_section = "stairway_before"))]
            static MAKER: $crate::prerequisites::Maker = $make;
        };
    };
}

/// There is a section even where nobody needs anything.
#[cfg(target_os = "linux")]
#[used]
// SAFETY: as above.
#[unsafe(link_section = "stairway_before")]
static NOTHING: Option<Maker> = None;

#[cfg(target_os = "linux")]
// SAFETY: the linker defines both for every section that is named like an identifier.
unsafe extern "C" {
    static __start_stairway_before: u8;
    static __stop_stairway_before: u8;
}

/// Nothing is locked up elsewhere.
#[cfg(not(target_os = "linux"))]
fn makers() -> &'static [Option<Maker>] {
    &[]
}

#[cfg(target_os = "linux")]
fn makers() -> &'static [Option<Maker>] {
    let first: *const Option<Maker> = (&raw const __start_stairway_before).cast();
    let last: *const Option<Maker> = (&raw const __stop_stairway_before).cast();
    // SAFETY: both point into the same section, or behind it.
    let n = unsafe { last.offset_from_unsigned(first) };
    // SAFETY: there are so many entries, each of them a pointer to such a function or null.
    unsafe { std::slice::from_raw_parts(first, n) }
}

/// Makes everything that this program may need, as a text to hand over in [`VARIABLE`].
#[must_use]
pub fn make() -> String {
    let line = |Prerequisite { key, made }: Prerequisite| match made {
        Ok(path) => format!("{key}={}", path.display()),
        Err(why) => format!("{key}!{}", why.replace('\n', "\u{1f}")),
    };
    makers().iter().flatten().map(|make| line(make())).collect::<Vec<_>>().join("\n")
}

/// What was handed over to this process.
static KNOWN: OnceLock<Vec<Prerequisite>> = OnceLock::new();

/// Reads what was handed over, before code under test may change it.
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(dead_code, reason = "nothing is locked up there")
)]
pub(crate) fn remember() {
    let _ = KNOWN.set(read(&std::env::var(VARIABLE).unwrap_or_default()));
}

/// What was made for a key before this process was locked up.
///
/// ```
/// assert_eq!(stairway_sandbox::prerequisites::find(7), None);
/// ```
#[must_use]
pub fn find(key: u64) -> Option<Result<PathBuf, String>> {
    KNOWN.get()?.iter().find(|known| known.key == key).map(|known| known.made.clone())
}

fn read(text: &str) -> Vec<Prerequisite> {
    let line = |line: &str| {
        let at = line.find(['=', '!'])?;
        let (key, rest) = line.split_at(at);
        let made = match rest.strip_prefix('=') {
            Some(path) => Ok(PathBuf::from(path)),
            None => Err(rest[1..].replace('\u{1f}', "\n")),
        };
        Some(Prerequisite { key: key.parse().ok()?, made })
    };
    text.split('\n').filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_handed_over_comes_back() {
        let made = [Ok(PathBuf::from("/a=b!c")), Err("no\ncompiler = here".to_string())];
        let known = read("3=/a=b!c\n\nx\n18446744073709551615!no\u{1f}compiler = here");
        let [first, second] = &known[..] else { panic!("two lines") };
        assert_eq!((first.key, &first.made), (3, &made[0]));
        assert_eq!((second.key, &second.made), (u64::MAX, &made[1]));
    }
}
