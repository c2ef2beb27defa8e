//! What a program hears from its system: names, paths, text for C and points in time, which live in `std`.
//!
//! Where the system allows names that are not text, one in eight is not: `to_str().unwrap()` is a common
//! mistake. Whether a path exists or a time has passed is not known here; neither the files nor the clock are
//! looked at.

use super::{Arbitrary, any, compose, vec};
use crate::draw::Draw;
use crate::stop::Checked;
use alloc::string::String;
use alloc::vec::Vec;
use core::num::NonZero;
use core::time::Duration;
use std::ffi::{CString, OsString};
use std::path::{MAIN_SEPARATOR_STR, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// How many components a path has at most.
const MOST_COMPONENTS: usize = 8;
/// The first and the last second that every supported system can tell: the years 1601 to 9999.
const SECONDS: (i64, i64) = (-11_644_473_600, 253_402_300_799);

#[cfg(unix)]
impl Arbitrary for OsString {
    fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self> {
        use std::os::unix::ffi::OsStringExt;
        match choices.weighted(&[7, 1], &["text", "bytes"]) {
            0 => Ok(choices.draw(any::<String>())?.into()),
            _ => Ok(OsString::from_vec(choices.draw(any())?)),
        }
    }
}

#[cfg(not(unix))]
impl Arbitrary for OsString {
    fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self> {
        Ok(String::arbitrary(choices)?.into())
    }
}

impl Arbitrary for PathBuf {
    /// Relative or absolute, with components that go nowhere and upwards among them.
    fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self> {
        let absolute = choices.chance(1, 2);
        let components = choices.draw(vec(compose(component), ..=MOST_COMPONENTS))?;
        let mut path = OsString::from(if absolute { MAIN_SEPARATOR_STR } else { "" });
        path.push(components.join(MAIN_SEPARATOR_STR.as_ref()));
        Ok(path.into())
    }
}

fn component(choices: &mut Draw<'_>) -> Checked<OsString> {
    match choices.weighted(&[6, 1, 1], &["name", "..", "."]) {
        0 => choices.draw(any()),
        1 => Ok("..".into()),
        _ => Ok(".".into()),
    }
}

impl Arbitrary for CString {
    /// Text as a `String` has it, and in one of eight any bytes; without zeros.
    fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self> {
        let bytes: Vec<NonZero<u8>> = match choices.weighted(&[7, 1], &["text", "bytes"]) {
            0 => choices.draw(any::<String>())?.into_bytes().into_iter().filter_map(NonZero::new).collect(),
            _ => choices.draw(any())?,
        };
        Ok(bytes.into())
    }
}

impl Arbitrary for SystemTime {
    /// Between the years 1601 and 9999; the simplest is the start of 1970.
    fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self> {
        let (seconds, nanoseconds) = choices.draw((SECONDS.0..=SECONDS.1, 0..1_000_000_000u32))?;
        let whole = Duration::from_secs(seconds.unsigned_abs());
        let start = if seconds < 0 { UNIX_EPOCH - whole } else { UNIX_EPOCH + whole };
        Ok(start + Duration::from_nanos(nanoseconds.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_replays, samples, simplest};
    use super::*;
    use std::path::Component;

    #[test]
    fn every_type_replays_and_has_a_simplest_value() {
        assert_replays(&any::<OsString>());
        assert_replays(&any::<PathBuf>());
        assert_replays(&any::<SystemTime>());
        assert_replays(&any::<CString>());
        assert_eq!(simplest(&any::<CString>()), CString::default());
        assert_eq!(simplest(&any::<OsString>()), "");
        assert_eq!(simplest(&any::<PathBuf>()), PathBuf::new());
        assert_eq!(simplest(&any::<SystemTime>()), UNIX_EPOCH);
    }

    #[test]
    fn paths_of_every_kind_turn_up() {
        let paths = samples(&any::<PathBuf>(), 500);
        assert!(paths.iter().any(|p| p.is_absolute()) && paths.iter().any(|p| p.is_relative()));
        assert!(paths.iter().any(|p| p.components().any(|c| c == Component::ParentDir)));
        assert!(paths.iter().any(|p| p.components().count() > 4));
        #[cfg(unix)]
        assert!(paths.iter().any(|p| p.to_str().is_none()) && paths.iter().any(|p| p.to_str().is_some()));
    }

    #[test]
    fn text_for_c_need_not_be_text() {
        let all = samples(&any::<CString>(), 200);
        assert!(all.iter().any(|c| c.to_str().is_err()) && all.iter().any(|c| c.count_bytes() > 20));
    }

    #[test]
    fn times_before_and_after_the_epoch_turn_up() {
        let times = samples(&any::<SystemTime>(), 500);
        assert!(times.iter().any(|t| *t < UNIX_EPOCH) && times.iter().any(|t| *t > UNIX_EPOCH));
    }
}
