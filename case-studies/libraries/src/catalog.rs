//! Which libraries there are, in which version, and where from. `catalog.json` is the whole list.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A library: an archive and the files of it that are tested.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// Its name.
    pub name: String,
    /// The version that `sha256` pins.
    pub version: String,
    /// What it is: a parser, a container, an allocator.
    pub kind: String,
    /// Where the archive is: Debian's pool or crates.io.
    pub url: String,
    /// The hash of the archive.
    pub sha256: String,
    /// The folder in the archive that holds the library.
    pub folder: String,
    /// The C files that are tested.
    pub files: Vec<String>,
    /// Further arguments of `stairway test`: folders with headers, macros.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Files that the build of the library would make: a configuration, or one that includes a header with
    /// all the code.
    #[serde(default)]
    pub made: BTreeMap<String, String>,
}

/// All libraries.
///
/// # Panics
/// If the list is not what [`Library`] says.
#[must_use]
pub fn catalog() -> Vec<Library> {
    serde_json::from_str(include_str!("../catalog.json")).expect("the catalog is a list of libraries")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_library_is_pinned_and_named_once() {
        let all = catalog();
        assert!(all.len() >= 15, "there are {}", all.len());
        let names: BTreeSet<&str> = all.iter().map(|library| &*library.name).collect();
        assert_eq!(names.len(), all.len());
        for library in &all {
            assert_eq!(library.sha256.len(), 64, "{}", library.name);
            assert!(
                library.url.contains(&library.version) || library.kind.contains("part"),
                "{}",
                library.name
            );
            assert!(!library.files.is_empty(), "{}", library.name);
        }
    }
}
