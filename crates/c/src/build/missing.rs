//! What a program uses and nobody defines.
//!
//! Finds the names that stay undefined when a linked object is loaded: those that it wants from elsewhere,
//! without those that the libraries it names have. It reads object files and asks the compiler where
//! libraries are; what linkers say in words, and in which language, does not matter.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use object::read::elf::{Dyn as _, ElfFile64, FileHeader as _};
use object::{Object as _, ObjectSymbol as _};

use super::{BuildError, Settings};

/// The entry of the dynamic section that names a library.
const NEEDED: i32 = 1;

/// The names that are used and defined nowhere.
pub(super) fn names(object: &Path, settings: &Settings) -> Result<Vec<String>, BuildError> {
    let system = |error: &dyn std::fmt::Display| BuildError::System(format!("{}: {error}", object.display()));
    let bytes = std::fs::read(object).map_err(|e| system(&e))?;
    let read = Dynamic::read(&bytes).map_err(|e| system(&e))?;
    let mut wanted = read.wanted;
    let mut libraries = Libraries { settings, looked_at: BTreeSet::new() };
    let mut to_look_at = read.needed;
    // The C library has most of them; what a library needs itself is loaded as well.
    while let Some(name) = to_look_at.pop().filter(|_| !wanted.is_empty()) {
        if !libraries.looked_at.insert(name.clone()) {
            continue;
        }
        let Some(bytes) = libraries.find(&name).and_then(|path| std::fs::read(path).ok()) else {
            // Nobody knows what it has.
            return Ok(Vec::new());
        };
        if let Ok(library) = Dynamic::read(&bytes) {
            wanted.retain(|name| !library.defined.contains(name));
            to_look_at.extend(library.needed);
        }
    }
    Ok(wanted.into_iter().collect())
}

/// The dynamic symbols of an object, and the libraries that it names.
#[derive(Default)]
struct Dynamic {
    wanted: BTreeSet<String>,
    defined: BTreeSet<String>,
    needed: Vec<String>,
}

impl Dynamic {
    fn read(bytes: &[u8]) -> object::Result<Dynamic> {
        let file: ElfFile64<'_> = ElfFile64::parse(bytes)?;
        let mut read = Dynamic::default();
        for symbol in file.dynamic_symbols() {
            let name = symbol.name()?.to_string();
            match symbol.is_undefined() {
                true if symbol.is_weak() || name.is_empty() => {}
                true => read.wanted.extend([name]),
                false => read.defined.extend([name]),
            }
        }
        let endian = file.endian();
        let sections = file.elf_header().sections(endian, bytes)?;
        if let Some((entries, strings)) = sections.dynamic(endian, bytes)? {
            let strings = sections.strings(endian, bytes, strings)?;
            for entry in entries.iter().filter(|entry| entry.tag32(endian) == Some(NEEDED)) {
                let name = entry.val32(endian).and_then(|at| strings.get(at).ok());
                read.needed.extend(name.map(|name| String::from_utf8_lossy(name).into_owned()));
            }
        }
        Ok(read)
    }
}

struct Libraries<'a> {
    settings: &'a Settings,
    looked_at: BTreeSet<String>,
}

impl Libraries<'_> {
    /// The file of a library: where the user says, where the loader is told to look, where the compiler has
    /// its own.
    fn find(&self, name: &str) -> Option<PathBuf> {
        if name.contains('/') {
            return Some(PathBuf::from(name));
        }
        let given =
            self.settings.flags.iter().map(Path::new).find(|path| path.file_name() == Some(OsStr::new(name)));
        let by_loader = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let folders = self.folders().into_iter().chain(std::env::split_paths(&by_loader));
        let found = folders.map(|folder| folder.join(name)).find(|path| path.is_file());
        given.map(Path::to_path_buf).or(found).or_else(|| self.ask(name))
    }

    /// The folders of `-L` and `-Wl,-rpath`.
    fn folders(&self) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        let mut flags = self.settings.flags.iter();
        while let Some(flag) = flags.next() {
            let flag = flag.as_bytes();
            if flag == b"-L" {
                folders.extend(flags.next().map(PathBuf::from));
            } else if let Some(folder) =
                flag.strip_prefix(b"-L").or_else(|| flag.strip_prefix(b"-Wl,-rpath,"))
            {
                folders.push(PathBuf::from(OsStr::from_bytes(folder)));
            } else if let Some(folder) = flag.strip_prefix(b"-Wl,-rpath=") {
                folders.push(PathBuf::from(OsStr::from_bytes(folder)));
            }
        }
        folders
    }

    fn ask(&self, name: &str) -> Option<PathBuf> {
        let mut compiler = super::compiler(self.settings);
        let done = compiler.arg(format!("-print-file-name={name}")).output().ok()?;
        let path = PathBuf::from(OsStr::from_bytes(done.stdout.trim_ascii()));
        // What it does not know, it prints as it is.
        path.is_absolute().then_some(path).filter(|path| path.is_file())
    }
}
