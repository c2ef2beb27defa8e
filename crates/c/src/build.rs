//! From C files to one instrumented shared object in a folder of its own.
//!
//! Links an object with the runtime inside (see `runtime/runtime.h`), and keeps what the compiler said and
//! which functions are missing. It knows compilers and linkers; it does not know contracts, nor what will be
//! called.
//!
//! The runtime was compiled with this crate and lies in it as bytes: it is linked *into* the object, so its
//! entry points are reached by direct calls and the loading program has to export nothing. Static functions
//! need no renaming: the object keeps its symbol table, and they are called by address.

use crate::scratch::Scratch;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use object::{Object as _, ObjectSection as _, ObjectSymbol as _};

mod declarations;
mod missing;
mod stubs;

pub(crate) use declarations::{CompilerKind, declarations};

static RUNTIME: &[u8] = include_bytes!(env!("C_RUNTIME_OBJECT"));

/// Bytes of padding at the beginning of each function; a jump fits in.
pub const PADDING: u64 = 16;

/// How to build.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The compiler: gcc, or one that takes its options.
    pub compiler: OsString,
    /// `-I`, `-D` and all other options of the user, for compiling and for linking.
    pub flags: Vec<OsString>,
    /// Library functions with a contract: calls of them can be intercepted.
    pub specified: Vec<String>,
    /// Whether to instrument at all.
    pub instrument: bool,
    /// Whether comparisons are announced, where the code is instrumented.
    pub compares: bool,
    /// In which files `char` is unsigned, by their place; elsewhere it is what the compiler makes it.
    pub unsigned_char: Vec<bool>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            compiler: "cc".into(),
            flags: Vec::new(),
            specified: Vec::new(),
            instrument: true,
            compares: false,
            unsigned_char: Vec::new(),
        }
    }
}

/// A linked object. Its folder lives as long as this value.
#[derive(Debug)]
pub struct LinkedObject {
    /// The shared object.
    pub object: PathBuf,
    /// Whether accesses are checked; otherwise `notes` says why not.
    pub is_instrumented: bool,
    /// What the user should know about the build.
    pub notes: Vec<String>,
    /// What the compiler said, as it said it.
    pub warnings: String,
    /// Functions (or variables) that are used and defined nowhere; using one is a violation that names it.
    pub missing: Vec<String>,
    folder: Scratch,
}

impl LinkedObject {
    /// The folder of the object, for further files that belong to the build.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// Why nothing was built.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The compiler could not be started.
    NoCompiler {
        /// What was tried.
        compiler: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// The compiler refused a file; its words are for the user.
    Compile {
        /// The file.
        file: PathBuf,
        /// The compiler's own words.
        output: String,
    },
    /// The objects do not fit together.
    Link {
        /// The linker's own words.
        output: String,
    },
    /// The temporary folder, or a tool, could not be used.
    System(String),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::NoCompiler { compiler, error } => {
                write!(
                    f,
                    "cannot run the C compiler `{compiler}` ({error}); install gcc or name one with --cc"
                )
            }
            BuildError::Compile { output, .. } => f.write_str(output.trim_end()),
            BuildError::Link { output } => {
                write!(
                    f,
                    "the files do not link; name every source file, or pass libraries after `--`\n{}",
                    output.trim_end()
                )
            }
            BuildError::System(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for BuildError {}

/// Makes `char` what it is to specs.
pub const UNSIGNED_CHAR: &str = "-funsigned-char";

/// What every compiler knows.
const MINIMAL: &[&str] = &[
    "-g",
    "-O1",
    "-fPIC",
    "-fno-builtin",
    // One thread runs; as ordinary variables they are watched and reset like all others.
    "-D__thread=",
    "-D_Thread_local=",
    // Our flags may bring warnings; they must not become errors.
    "-Wno-error",
];

/// Debug information for types and layouts, and functions that stay what the source says they are:
/// separate, complete, called as the ABI says (contracts are checked around nested calls).
const PLAIN: &[&str] = &[
    // One section for each variable, so that the linker can put space between them.
    "-fdata-sections",
    "-fno-eliminate-unused-debug-types",
    "-fno-eliminate-unused-debug-symbols",
    "-fno-inline",
    "-fno-omit-frame-pointer",
    "-fno-optimize-sibling-calls",
    "-fno-delete-null-pointer-checks",
];

/// What only gcc, or only a new one, understands; tried together, dropped together.
const GCC: &[&str] = &[
    "-fkeep-static-functions",
    "-fkeep-inline-functions",
    "-fno-var-tracking",
    "-fno-ipa-sra",
    // What is copied as a whole is read as a whole.
    "-fno-tree-sra",
    "-fno-ipa-cp",
    "-fno-ipa-ra",
    "-fno-ipa-icf",
    // A static variable that is never written is there all the same: contracts take it, and states write it.
    "-fno-ipa-reference-addressable",
    "-fno-ipa-stack-alignment",
    "-fno-partial-inlining",
    "-fno-tree-loop-distribute-patterns",
    // Decisions stay branches, for coverage and so that garbage that decides one is seen.
    "-fno-ssa-phiopt",
    "-fno-if-conversion",
    "-fno-if-conversion2",
    "-fcf-protection=none",
    "-fstack-protector-all",
    "-fstack-clash-protection",
    "-fpatchable-function-entry=16,0",
    "-fsanitize=thread",
    "--param",
    "tsan-instrument-func-entry-exit=0",
    "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,unreachable,return,vla-bound,bounds,object-size",
    "-fsanitize=float-cast-overflow,bool,builtin,nonnull-attribute,returns-nonnull-attribute",
    "-fno-sanitize=null,alignment,vptr",
    "-fsanitize-recover=undefined",
    "-fsanitize-coverage=trace-pc",
];

/// The same for clang. Its optimiser would remove static functions and pass their arguments otherwise; no
/// pass of it runs but those that instrument. At level 0 it would say nothing of functions that are only
/// declared.
const CLANG: &[&str] = &[
    "-mllvm",
    "-opt-bisect-limit=0",
    // The other way of following variables crashes clang 14 on structs that are returned, when nothing is
    // optimised.
    "-mllvm",
    "-experimental-debug-variable-locations=false",
    "-femit-all-decls",
    "-fcf-protection=none",
    "-fstack-protector-all",
    "-fstack-clash-protection",
    "-fpatchable-function-entry=16,0",
    "-fsanitize=thread",
    "-mllvm",
    "-tsan-instrument-func-entry-exit=0",
    "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,unreachable,return,vla-bound,bounds,object-size",
    "-fsanitize=float-cast-overflow,bool,builtin,nonnull-attribute,returns-nonnull-attribute",
    "-fno-sanitize=null,alignment,vptr",
    "-fsanitize-recover=undefined",
    "-fno-sanitize-recover=unreachable,return",
    "-fsanitize-coverage=trace-pc",
    "-Wno-unused-command-line-argument",
];

/// What both understand, for a search that learns from comparisons: it costs a call for each of them.
const COMPARISONS: &str = "-fsanitize-coverage=trace-pc,trace-cmp";

/// How clang reports each pass that it does not run.
const BISECT: &str = "BISECT: ";

/// What an object depends on besides the files, the compiler and the user's flags.
pub(crate) fn fingerprint(hasher: &mut impl std::hash::Hasher) {
    use std::hash::Hash as _;
    (RUNTIME, MINIMAL, PLAIN, GCC, CLANG, env!("CARGO_PKG_VERSION")).hash(hasher);
}

/// Compiles and links.
///
/// # Errors
/// With the compiler's own words if it refuses a file, and when it cannot be run at all.
pub fn build(files: &[PathBuf], settings: &Settings) -> Result<LinkedObject, BuildError> {
    let folder = Scratch::new().map_err(|e| {
        BuildError::System(format!("no temporary folder: {e}; set TMPDIR to one that can be written"))
    })?;
    let mut notes = Vec::new();
    let (objects, warnings, is_instrumented) = compile_all(files, settings, folder.path(), &mut notes)?;
    rename_clashing(&objects)?;
    let runtime = folder.path().join("runtime.o");
    std::fs::write(&runtime, RUNTIME)
        .map_err(|e| BuildError::System(format!("{}: {e}", runtime.display())))?;
    let spacing = spacing(&objects, folder.path())?;
    let mut linker = Linker { settings, folder: folder.path(), objects, spacing, wrapped: wrapped_names()? };
    let (object, missing) = linker.link(&runtime)?;
    Ok(LinkedObject { object, is_instrumented, notes, warnings, missing, folder })
}

type CompiledUnits = (Vec<PathBuf>, String, bool);

fn compile_all(
    files: &[PathBuf],
    settings: &Settings,
    folder: &Path,
    notes: &mut Vec<String>,
) -> Result<CompiledUnits, BuildError> {
    let levels: [&[&[&str]]; 4] =
        [&[MINIMAL, PLAIN, GCC], &[MINIMAL, PLAIN, CLANG], &[MINIMAL, PLAIN], &[MINIMAL]];
    let mut refusal = None;
    for level in levels.into_iter().filter(|level| settings.instrument || level.len() < 3) {
        let mut flags = level.concat();
        if settings.compares && level.len() == 3 {
            flags.push(COMPARISONS);
        }
        match compile_with(files, settings, &flags, folder) {
            Ok((objects, warnings)) => {
                let is_instrumented = level.len() == 3;
                let refusal = refusal.filter(|_| !is_instrumented && settings.instrument);
                notes.extend(refusal.map(|output: String| cannot_instrument(settings, &output)));
                return Ok((objects, warnings, is_instrumented));
            }
            // Either the file is wrong, then it is so without our flags too, or the compiler does not know
            // them.
            Err(BuildError::Compile { output, .. }) if level.len() > 1 => {
                // Of a compiler that is not gcc, what it says to flags of its own tells more.
                let is_newer = level.len() == 3 || refusal.is_none();
                refusal = if is_newer && !is_about_flags(&output) {
                    Some(output)
                } else {
                    refusal.or(Some(output))
                };
            }
            Err(other) => return Err(other),
        }
    }
    Err(BuildError::System("nothing was compiled".to_string()))
}

/// Whether a compiler refuses flags rather than a file. Only for choosing which of its words are shown.
fn is_about_flags(output: &str) -> bool {
    output
        .lines()
        .find(|line| line.contains("error"))
        .is_some_and(|line| line.contains("argument") || line.contains("option"))
}

fn cannot_instrument(settings: &Settings, output: &str) -> String {
    let why = output.lines().find(|l| l.contains("error")).unwrap_or("").trim();
    format!(
        "`{}` cannot instrument this program, so wild accesses, ownership and nested contracts go unchecked ({why}); \
         use gcc 10 or clang 14, or newer ones, with --cc",
        settings.compiler.to_string_lossy()
    )
}

fn compile_with(
    files: &[PathBuf],
    settings: &Settings,
    flags: &[&str],
    folder: &Path,
) -> Result<(Vec<PathBuf>, String), BuildError> {
    let at_once = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut objects = Vec::new();
    let mut warnings = String::new();
    for (k, some) in files.chunks(at_once).enumerate() {
        let mut running = Vec::new();
        for (i, file) in some.iter().enumerate() {
            let number = k * at_once + i;
            let object = folder.join(format!("{number}.o"));
            let is_unsigned = settings.unsigned_char.get(number) == Some(&true);
            let child = compiler(settings)
                .args(&settings.flags)
                .args(flags)
                .args(is_unsigned.then_some(UNSIGNED_CHAR))
                .arg("-c")
                .arg(file)
                .arg("-o")
                .arg(&object)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .map_err(|error| no_compiler(settings, error))?;
            running.push((file, object, child));
        }
        let mut first_error = None;
        for (file, object, child) in running {
            let done = child.wait_with_output().map_err(|error| no_compiler(settings, error))?;
            if !done.status.success() && first_error.is_none() {
                first_error = Some(BuildError::Compile { file: file.clone(), output: words(&done) });
            }
            warnings.push_str(&words(&done));
            objects.push(object);
        }
        if let Some(error) = first_error {
            return Err(error);
        }
    }
    Ok((objects, warnings))
}

fn compiler(settings: &Settings) -> Command {
    let mut command = Command::new(&settings.compiler);
    // What it says is part of our reports, which are the same everywhere.
    command.env("LC_ALL", "C");
    command
}

fn no_compiler(settings: &Settings, error: std::io::Error) -> BuildError {
    BuildError::NoCompiler { compiler: settings.compiler.to_string_lossy().into_owned(), error }
}

fn words(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    if !text.contains(BISECT) {
        return text.into_owned();
    }
    text.split_inclusive('\n').filter(|line| !line.starts_with(BISECT)).collect()
}

/// The functions of the C library that the runtime stands in for: what it defines with `__wrap_`.
fn wrapped_names() -> Result<BTreeSet<String>, BuildError> {
    let runtime = object::File::parse(RUNTIME).map_err(|e| {
        BuildError::System(format!("the runtime is not an object file: {e}; build Stairway again"))
    })?;
    let names = runtime.symbols().filter(object::ObjectSymbol::is_definition).filter_map(|s| s.name().ok());
    Ok(names.filter_map(|n| n.strip_prefix("__wrap_")).map(str::to_string).collect())
}

/// Gives definitions that would clash another name in the symbol table: `main`, of which there may be one in
/// each file and which is never started, and the user's own versions of functions that the runtime wraps.
fn rename_clashing(objects: &[PathBuf]) -> Result<(), BuildError> {
    let wrapped = wrapped_names()?;
    let mut own = BTreeSet::new();
    let mut with_main = BTreeSet::new();
    for (k, path) in objects.iter().enumerate() {
        for name in defined_globals(path)? {
            if name == "main" {
                with_main.insert(k);
            } else if wrapped.contains(&name) {
                own.insert(name);
            }
        }
    }
    for (k, path) in objects.iter().enumerate() {
        let mut renames: Vec<String> = own.iter().map(|n| format!("{n}=stairway_own_{n}")).collect();
        if with_main.contains(&k) {
            renames.push(format!("main=stairway_main_{k}"));
        }
        if renames.is_empty() {
            continue;
        }
        let mut objcopy = Command::new("objcopy");
        for rename in &renames {
            objcopy.arg("--redefine-sym").arg(rename);
        }
        let done = objcopy
            .arg(path)
            .output()
            .map_err(|e| BuildError::System(format!("cannot run objcopy ({e}); install binutils")))?;
        if !done.status.success() {
            return Err(BuildError::System(format!("objcopy failed: {}", words(&done))));
        }
    }
    Ok(())
}

fn defined_globals(path: &Path) -> Result<Vec<String>, BuildError> {
    let system = |e: &dyn fmt::Display| BuildError::System(format!("{}: {e}", path.display()));
    let bytes = std::fs::read(path).map_err(|e| system(&e))?;
    let file = object::File::parse(&*bytes).map_err(|e| system(&e))?;
    let globals = file.symbols().filter(|s| s.is_global() && s.is_definition());
    Ok(globals.filter_map(|s| s.name().ok().map(str::to_string)).collect())
}

/// A linker script that leaves space behind each variable: running off one is then no access of the next.
fn spacing(objects: &[PathBuf], folder: &Path) -> Result<Option<PathBuf>, BuildError> {
    let system = |path: &Path, e: &dyn fmt::Display| BuildError::System(format!("{}: {e}", path.display()));
    let (mut data, mut zeroed) = (Vec::new(), Vec::new());
    for path in objects {
        let bytes = std::fs::read(path).map_err(|e| system(path, &e))?;
        let file = object::File::parse(&*bytes).map_err(|e| system(path, &e))?;
        for name in file.sections().filter_map(|s| s.name().ok().map(str::to_string)) {
            if name.starts_with(".bss.") {
                zeroed.push((path.clone(), name));
            } else if name.starts_with(".data.") && !name.starts_with(".data.rel.ro") {
                data.push((path.clone(), name));
            }
        }
    }
    if data.is_empty() && zeroed.is_empty() {
        return Ok(None);
    }
    let script = folder.join("spacing.ld");
    std::fs::write(&script, stubs::spacing(&data, &zeroed)).map_err(|e| system(&script, &e))?;
    Ok(Some(script))
}

struct Linker<'a> {
    settings: &'a Settings,
    folder: &'a Path,
    objects: Vec<PathBuf>,
    spacing: Option<PathBuf>,
    wrapped: BTreeSet<String>,
}

impl Linker<'_> {
    /// Links, and once more with a stub for everything that is missing.
    fn link(&mut self, runtime: &Path) -> Result<(PathBuf, Vec<String>), BuildError> {
        self.objects.push(runtime.to_path_buf());
        let specified: BTreeSet<&String> = self.settings.specified.iter().collect();
        let thunks = specified.into_iter().filter(|n| !self.wrapped.contains(*n)).cloned().collect();
        let thunks: Vec<String> = self.not_defined_here(thunks)?;
        if !thunks.is_empty() {
            let object = self.assemble("thunks", &stubs::thunks(&thunks))?;
            self.objects.push(object);
            self.wrapped.extend(thunks);
        }
        let object = self.folder.join("object.so");
        self.link_once(&object)?;
        let missing = missing::names(&object, self.settings)?;
        if !missing.is_empty() {
            let stubs = self.assemble("missing", &stubs::missing(&missing))?;
            self.objects.push(stubs);
            self.link_once(&object)?;
        }
        Ok((object, missing))
    }

    fn not_defined_here(&self, names: Vec<String>) -> Result<Vec<String>, BuildError> {
        let mut here = BTreeSet::new();
        for object in &self.objects {
            here.extend(defined_globals(object)?);
        }
        Ok(names.into_iter().filter(|n| !here.contains(n)).collect())
    }

    fn assemble(&self, name: &str, text: &str) -> Result<PathBuf, BuildError> {
        let source = self.folder.join(format!("{name}.s"));
        let object = self.folder.join(format!("{name}.o"));
        std::fs::write(&source, text)
            .map_err(|e| BuildError::System(format!("{}: {e}", source.display())))?;
        let done = compiler(self.settings).arg("-c").arg(&source).arg("-o").arg(&object).output();
        let done = done.map_err(|error| no_compiler(self.settings, error))?;
        if done.status.success() { Ok(object) } else { Err(BuildError::Link { output: words(&done) }) }
    }

    /// Links what there is; what is missing stays undefined, as in every shared object.
    fn link_once(&mut self, object: &Path) -> Result<(), BuildError> {
        let error = match self.link_as_given(object) {
            Err(error @ BuildError::Link { .. }) if self.spacing.is_some() => error,
            other => return other,
        };
        // Scripts are GNU's: other linkers get the variables with the space between them.
        let Some(spaced) = self.space_out() else { return Err(error) };
        let objects = std::mem::replace(&mut self.objects, vec![spaced]);
        let script = self.spacing.take();
        self.link_as_given(object).map_err(|_| {
            (self.objects, self.spacing) = (objects, script);
            // If both refuse, it is about the program.
            error
        })
    }

    /// One object of all, with space behind each variable; `None` if there is no GNU linker to make it.
    fn space_out(&self) -> Option<PathBuf> {
        let spaced = self.folder.join("spaced.o");
        let mut linker = Command::new("ld.bfd");
        linker.arg("-r").arg("-T").arg(self.spacing.as_ref()?).arg("-o").arg(&spaced).args(&self.objects);
        let done = linker.stdin(Stdio::null()).output().ok()?;
        done.status.success().then_some(spaced)
    }

    fn link_as_given(&self, object: &Path) -> Result<(), BuildError> {
        let mut linker = compiler(self.settings);
        if let Some(script) = &self.spacing {
            linker.arg("-T").arg(script);
        }
        let done = linker
            .arg("-shared")
            .arg("-o")
            .arg(object)
            .args(&self.objects)
            .args(self.wrapped.iter().map(|n| format!("-Wl,--wrap={n}")))
            // The object's own functions win over the C library's of the same name.
            .arg("-Wl,-Bsymbolic,-z,lazy,-z,noexecstack")
            .args(&self.settings.flags)
            .arg("-lm")
            .output()
            .map_err(|error| no_compiler(self.settings, error))?;
        if done.status.success() { Ok(()) } else { Err(BuildError::Link { output: words(&done) }) }
    }
}

#[cfg(test)]
mod tests;
