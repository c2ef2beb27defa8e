//! Building the archive and C programs with it. Also used by the case studies in C.

#![allow(dead_code, reason = "not every test binary uses all of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The folder of the crate `stairway-capi`.
pub(crate) fn crate_folder() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.ancestors().find(|folder| folder.join("crates/capi").is_dir());
    root.expect("the tests lie within the project").join("crates/capi")
}

/// `libstairway.a`, built once by the same command that users have.
pub(crate) fn archive() -> &'static Path {
    static ARCHIVE: OnceLock<PathBuf> = OnceLock::new();
    ARCHIVE.get_or_init(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["run", "--quiet", "--package", "xtask", "--", "capi"]).current_dir(crate_folder());
        let output = cargo.output().expect("cargo runs the tests, so it is there");
        assert!(output.status.success(), "cargo xtask capi: {}", String::from_utf8_lossy(&output.stderr));
        PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
    })
}

/// Whether a compiler is installed.
pub(crate) fn has(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// What a compiler run is to be like.
pub(crate) struct Build<'a> {
    /// `gcc`, `clang`, ...
    pub(crate) compiler: &'a str,
    /// Further arguments before the sources.
    pub(crate) flags: &'a [&'a str],
    /// C files and further objects.
    pub(crate) sources: &'a [PathBuf],
    /// The name of the program.
    pub(crate) name: &'a str,
}

impl Build<'_> {
    /// Compiles and links with the archive; every warning is an error.
    pub(crate) fn build(&self) -> PathBuf {
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(self.name);
        let mut compiler = Command::new(self.compiler);
        compiler.args(["-Wall", "-Wextra", "-Werror"]).args(self.flags);
        compiler.arg("-I").arg(crate_folder().join("include"));
        compiler.args(self.sources).args(["-x", "none"]).arg(archive()).arg("-o").arg(&program);
        let output = compiler.output().expect("the compiler is there");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{compiler:?}:\n{said}");
        program
    }
}

/// Runs a program and gives what it printed; one that hangs is ended.
pub(crate) fn run(program: &Path, arguments: &[&str]) -> Output {
    let mut limited = Command::new("timeout");
    limited.arg("120").arg(program).args(arguments).output().expect("the program was just built")
}

/// What a program printed.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}
