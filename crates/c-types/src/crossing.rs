//! Paths as they cross to another process: as bytes, since they need not be UTF-8.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

#[cfg(unix)]
fn bytes_of(path: &Path) -> &[u8] {
    use std::os::unix::ffi::OsStrExt as _;
    path.as_os_str().as_bytes()
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    std::ffi::OsString::from_vec(bytes).into()
}

// Workers need Unix: elsewhere nothing crosses.
#[cfg(not(unix))]
fn bytes_of(path: &Path) -> &[u8] {
    path.to_str().unwrap_or_default().as_bytes()
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8(bytes).unwrap_or_default().into()
}

/// One path.
pub mod path {
    use super::{Deserialize, Path, PathBuf, Serialize, bytes_of, path_of};
    use serde::{Deserializer, Serializer};

    /// Writes it.
    ///
    /// # Errors
    /// If the serializer fails.
    pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        bytes_of(path).serialize(serializer)
    }

    /// Reads it.
    ///
    /// # Errors
    /// If there is none.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        Vec::deserialize(deserializer).map(path_of)
    }
}

/// A path or none.
pub(crate) mod optional_path {
    use super::{Deserialize, Path, Serialize, bytes_of, path_of};
    use serde::{Deserializer, Serializer};
    use std::sync::Arc;

    pub(crate) fn serialize<S: Serializer>(path: &Option<Arc<Path>>, to: S) -> Result<S::Ok, S::Error> {
        path.as_deref().map(bytes_of).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Arc<Path>>, D::Error> {
        Ok(Option::deserialize(from)?.map(|bytes| path_of(bytes).into()))
    }
}

/// Several paths.
pub(crate) mod paths {
    use super::{Deserialize, Path, Serialize, bytes_of, path_of};
    use serde::{Deserializer, Serializer};
    use std::sync::Arc;

    pub(crate) fn serialize<S: Serializer>(paths: &[Arc<Path>], to: S) -> Result<S::Ok, S::Error> {
        paths.iter().map(|path| bytes_of(path)).collect::<Vec<_>>().serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Arc<Path>>, D::Error> {
        Ok(Vec::deserialize(from)?.into_iter().map(|bytes| path_of(bytes).into()).collect())
    }
}
