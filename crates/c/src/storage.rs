//! Values that one process of Stairway writes into a file and another one reads: a project, what a worker is
//! to do.
//!
//! Derived by serde and written by postcard, which names neither fields nor variants: only the build that wrote
//! a file can read it. So a file begins with the build's name and a checksum of what follows, and whatever does
//! not fit is an error with words for the user. Nothing here knows what is stored.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::path::{Path, PathBuf};

/// What every file begins with.
const MAGIC: &[u8; 16] = b"stairway stored\n";

/// The version of this package, and a hash of the sources that say what is stored.
const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("C_FORMAT"));

/// Why a file is not what it should be.
#[derive(Debug)]
pub struct StoredError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub kind: StoredErrorKind,
}

/// What is wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoredErrorKind {
    /// It cannot be read or written.
    File(std::io::Error),
    /// It does not begin like one.
    NotStored,
    /// Another build has written it: its name.
    OtherBuild(String),
    /// It was changed or cut off after it was written.
    Damaged,
    /// The value has no notation: a path that is not UTF-8.
    Unwritable(postcard::Error),
}

impl fmt::Display for StoredError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.kind {
            StoredErrorKind::File(error) => write!(f, "{path} cannot be read or written: {error}"),
            StoredErrorKind::NotStored => write!(f, "{path} is no file that Stairway has written for itself"),
            StoredErrorKind::OtherBuild(build) => write!(
                f,
                "{path} was written by another build of Stairway ({build}), and this is {BUILD}: make it again with \
                 this one"
            ),
            StoredErrorKind::Damaged => write!(f, "{path} is damaged: make it again"),
            StoredErrorKind::Unwritable(error) => {
                write!(f, "{path} cannot be written ({error}); names of files must be UTF-8")
            }
        }
    }
}

impl std::error::Error for StoredError {}

/// Says who writes, so that what depends on a file can be kept under a name of its own.
pub(crate) const fn build() -> &'static str {
    BUILD
}

/// Writes a value.
pub(crate) fn write(path: &Path, value: &impl Serialize) -> Result<(), StoredError> {
    let error = |kind| StoredError { path: path.to_path_buf(), kind };
    let body = postcard::to_allocvec(value).map_err(|e| error(StoredErrorKind::Unwritable(e)))?;
    let bytes = [MAGIC, BUILD.as_bytes(), b"\n", &checksum(&body).to_le_bytes()[..], &body].concat();
    std::fs::write(path, bytes).map_err(|e| error(StoredErrorKind::File(e)))
}

/// Reads a value.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, StoredError> {
    let error = |kind| StoredError { path: path.to_path_buf(), kind };
    let bytes = std::fs::read(path).map_err(|e| error(StoredErrorKind::File(e)))?;
    decode(&bytes).map_err(error)
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoredErrorKind> {
    /// No build has a longer name; what is cut off may have no end of line at all.
    const LONGEST_NAME: usize = 100;
    let rest = bytes.strip_prefix(MAGIC).ok_or(StoredErrorKind::NotStored)?;
    let end = rest.iter().take(LONGEST_NAME).position(|byte| *byte == b'\n');
    let end = end.ok_or(StoredErrorKind::Damaged)?;
    if &rest[..end] != BUILD.as_bytes() {
        return Err(StoredErrorKind::OtherBuild(String::from_utf8_lossy(&rest[..end]).into_owned()));
    }
    let (sum, body) = rest[end + 1..].split_first_chunk().ok_or(StoredErrorKind::Damaged)?;
    if u64::from_le_bytes(*sum) != checksum(body) {
        return Err(StoredErrorKind::Damaged);
    }
    match postcard::take_from_bytes(body) {
        Ok((value, [])) => Ok(value),
        _ => Err(StoredErrorKind::Damaged),
    }
}

/// Eight bytes at a time: a start of a worker reads all of it.
fn checksum(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let step = |sum: u64, word: u64| (sum.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words.iter().fold(bytes.len() as u64, |sum, word| step(sum, u64::from_le_bytes(*word)));
    rest.iter().fold(sum, |sum, byte| step(sum, u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::{BUILD, MAGIC, StoredErrorKind, decode, read, write};

    type Value = (String, Vec<u32>, Option<bool>);

    fn value() -> Value {
        ("queue.c".to_string(), (0..1000).collect(), Some(true))
    }

    fn bytes() -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("stored");
        write(&path, &value()).expect("it can be written");
        assert_eq!(read::<Value>(&path).expect("it can be read"), value());
        std::fs::read(path).expect("it is there")
    }

    #[test]
    fn a_file_of_another_build_is_named() {
        let text =
            String::from_utf8_lossy(&bytes()[..MAGIC.len() + BUILD.len()]).replace(BUILD, "0.0.9 cafe\n");
        let told = decode::<Value>(text.as_bytes());
        assert!(
            matches!(&told, Err(StoredErrorKind::OtherBuild(build)) if build == "0.0.9 cafe"),
            "{told:?}"
        );
    }

    #[test]
    fn no_damage_goes_unnoticed() {
        let whole = bytes();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1 << (at % 8);
            assert!(decode::<Value>(&changed).is_err(), "byte {at} was changed");
            assert!(decode::<Value>(&whole[..at]).is_err(), "cut off at {at}");
        }
        let longer = [&whole[..], b"x"].concat();
        assert!(matches!(decode::<Value>(&longer), Err(StoredErrorKind::Damaged)));
        assert!(matches!(decode::<Value>(b"int f(void);"), Err(StoredErrorKind::NotStored)));
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_not_utf_8_is_refused_with_words() {
        use std::os::unix::ffi::OsStrExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let odd = std::path::PathBuf::from(std::ffi::OsStr::from_bytes(b"q\xff.c"));
        let error = write(&folder.path().join("stored"), &odd).expect_err("it has no notation");
        assert!(error.to_string().ends_with("names of files must be UTF-8"), "{error}");
    }
}
