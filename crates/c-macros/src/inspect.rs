//! What the C compiler knows of the files, asked for while the test is compiled.
//!
//! Asks for types and functions, and keeps everything that the answer depends on. The object is read and
//! thrown away: what tests call is built again, with instrumentation, when they run.

use proc_macro2::Span;
use stairway_c_types::dwarf::{CFunction, Program, undefined_symbols};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What is known of the files.
pub(crate) struct CompiledFiles {
    pub(crate) program: Program,
    /// What is used and defined nowhere in the files.
    pub(crate) undefined: BTreeSet<String>,
    /// The files, and the headers of the user's that they include.
    pub(crate) files: Vec<PathBuf>,
    root: PathBuf,
}

/// The same as for the object that is tested, so that types are the same.
const FLAGS: &[&str] =
    &["-g", "-O1", "-fPIC", "-shared", "-funsigned-char", "-Wl,--allow-multiple-definition"];

/// Understood by gcc only.
const GCC: &[&str] = &[
    "-fno-eliminate-unused-debug-types",
    "-fno-eliminate-unused-debug-symbols",
    "-fkeep-static-functions",
    "-fkeep-inline-functions",
    "-fno-inline",
    "-fno-ipa-sra",
    "-fno-ipa-cp",
];

impl CompiledFiles {
    /// Compiles, and reads.
    pub(crate) fn new(root: &Path, files: &[String], flags: &[String]) -> Result<CompiledFiles, String> {
        let paths: Vec<PathBuf> = files.iter().map(|file| root.join(file)).collect();
        if let Some((gone, _)) = files.iter().zip(&paths).find(|(_, path)| !path.is_file()) {
            return Err(format!("there is no file {gone} in {}", root.display()));
        }
        let folder = tempfile::Builder::new().prefix("stairway-").tempdir();
        let folder =
            folder.map_err(|e| format!("no temporary folder: {e}; set TMPDIR to one that can be written"))?;
        let object = folder.path().join("inspected.so");
        compile(root, &paths, flags, &object)?;
        let bytes = std::fs::read(&object).map_err(|e| format!("{}: {e}", object.display()))?;
        let program = Program::read_for_bindings(&bytes).map_err(|error| error.to_string())?;
        let undefined = undefined_symbols(&bytes).map_err(|error| error.to_string())?;
        let files = depends_on(&paths, flags).unwrap_or(paths);
        Ok(CompiledFiles { program, undefined, files, root: root.to_owned() })
    }

    /// Where a function stands, as `file:line`.
    pub(crate) fn place(&self, function: &CFunction) -> String {
        let Some(file) = function.file.as_deref() else { return "somewhere".to_string() };
        let file = file.strip_prefix(&self.root).unwrap_or(file);
        format!("{}:{}", file.display(), function.line)
    }
}

fn run(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> Result<Output, String> {
    let compiler = std::env::var_os("STAIRWAY_CC").unwrap_or_else(|| "cc".into());
    let output = Command::new(&compiler).args(arguments).env("LC_ALL", "C").stdin(Stdio::null()).output();
    output.map_err(|error| {
        let compiler = compiler.to_string_lossy();
        format!("cannot run the C compiler `{compiler}` ({error}); install gcc, or name it in STAIRWAY_CC")
    })
}

fn compile(root: &Path, files: &[PathBuf], flags: &[String], object: &Path) -> Result<(), String> {
    let arguments = |extra: &[&str]| {
        let mut all: Vec<std::ffi::OsString> = FLAGS.iter().chain(extra).map(Into::into).collect();
        all.extend(["-w".into(), "-o".into(), object.into()]);
        all.extend(files.iter().map(Into::into));
        // Libraries stand behind what uses them.
        all.extend(flags.iter().map(Into::into));
        all
    };
    if run(arguments(GCC))?.status.success() {
        return Ok(());
    }
    // Either the compiler is another one, or the files are wrong: then it says so again.
    let done = run(arguments(&[]))?;
    if done.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&done.stderr).replace(&format!("{}/", root.display()), "");
    Err(format!("the C files do not compile\n{}", words.trim_end()))
}

/// The files and their headers, without those of the system.
fn depends_on(files: &[PathBuf], flags: &[String]) -> Option<Vec<PathBuf>> {
    let mut arguments: Vec<std::ffi::OsString> = vec!["-MM".into()];
    arguments.extend(files.iter().map(Into::into));
    arguments.extend(flags.iter().filter(|flag| !flag.starts_with("-l")).map(Into::into));
    let done = run(arguments).ok().filter(|done| done.status.success())?;
    let rules = String::from_utf8(done.stdout).ok()?;
    let mut found: BTreeSet<PathBuf> = files.iter().cloned().collect();
    found.extend(names(&rules).into_iter().map(PathBuf::from).filter(|path| path.is_file()));
    Some(found.into_iter().collect())
}

/// The names behind the colons of makefile rules; a space in a name has a backslash.
fn names(rules: &str) -> Vec<String> {
    let mut all = Vec::new();
    for rule in rules.replace("\\\n", " ").lines() {
        let Some((_, names)) = rule.split_once(": ") else { continue };
        let names = names.replace("\\ ", "\0");
        all.extend(names.split_whitespace().map(|name| name.replace('\0', " ")));
    }
    all
}

/// The folder of the package that is being compiled.
pub(crate) fn package() -> syn::Result<PathBuf> {
    let root = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    root.ok_or_else(|| {
        syn::Error::new(Span::call_site(), "cargo says no CARGO_MANIFEST_DIR; build with cargo")
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn rules_name_files() {
        let rules = "a.o: /x/a.c \\\n /x/my\\ header.h\nb.o: /x/b.c\n";
        assert_eq!(names(rules), ["/x/a.c", "/x/my header.h", "/x/b.c"]);
    }
}
