//! What the user's C files say: specs and what they belong to, functions, constants.
//!
//! Reads files with their flags into [`Sources`]. Which specs exist is decided by the compiler's preprocessor
//! (specs in inactive branches do not), where they belong by parsing what it leaves, and their text and
//! position by the files as they are: names in specs are never macro-expanded. Reading the specs themselves
//! is for [`crate`]'s `spec`, types are for [`crate::dwarf`].
//!
//! For loops and statements there is a rewritten copy of each file ([`Unit::text`]), expanded, with its line
//! markers: compile it instead of the file.

mod clean;
mod column;
mod constants;
mod declarations;
mod error;
mod landmarks;
mod lex;
mod origin;
mod place;
mod preprocess;
mod read;
mod rewrite;
mod structure;
mod syntax;
mod translate;
mod watch;

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

pub use constants::Constants;
pub use error::{NotC, ProblemKind, SourceError};
pub use read::read;
pub use rewrite::PROBE;

/// What to read, and with which compiler.
#[derive(Clone, Debug)]
pub struct Options {
    /// The compiler: `gcc` unless the user says otherwise.
    pub compiler: PathBuf,
    /// Folders with headers (`-I`).
    pub include_dirs: Vec<PathBuf>,
    /// Macros (`-D`): `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Further flags, passed on as they are.
    pub flags: Vec<String>,
    /// The files to test.
    pub files: Vec<PathBuf>,
}

impl Options {
    /// Files for `gcc`, without flags.
    #[must_use]
    pub fn new(files: Vec<PathBuf>) -> Options {
        let compiler = PathBuf::from("gcc");
        Options { compiler, include_dirs: Vec::new(), defines: Vec::new(), flags: Vec::new(), files }
    }

    /// The arguments that decide what a file means: to be used for compiling it as well.
    #[must_use]
    pub fn arguments(&self) -> Vec<OsString> {
        // What CN's tools define, by which files tell that a tool reads them. They define `DEBUG` as well, which
        // would be another program where nobody thought of CN.
        let of_cn = ["__cerb__", "CN_MODE", "__CN_INSTRUMENT", "__CN_TEST", "__CN_SEQ_TEST"];
        let mut arguments: Vec<OsString> = of_cn.iter().map(|name| format!("-D{name}").into()).collect();
        // CN's own: a pointer from a number, with the provenance of another. Nobody has to declare it.
        arguments.push("-D__cerbvar_copy_alloc_id(address, pointer)=((void *)(address))".into());
        for folder in &self.include_dirs {
            arguments.extend(["-I".into(), folder.clone().into_os_string()]);
        }
        for define in &self.defines {
            arguments.extend(["-D".into(), define.into()]);
        }
        arguments.extend(self.flags.iter().map(OsString::from));
        arguments
    }
}

/// Everything the sources say.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Sources {
    /// The user's files and the headers they include, apart from the system's.
    pub files: Vec<SourceFile>,
    /// The functions defined in them.
    pub functions: Vec<FunctionSource>,
    /// The active specs, in the order of the files.
    pub items: Vec<SpecItem>,
    /// Specs that belong to nothing: never dropped silently.
    pub problems: Vec<Problem>,
    /// The probes of the rewritten files; a probe's number is its place here.
    pub probes: Vec<Probe>,
    /// One for each file of the options.
    pub units: Vec<Unit>,
    /// Constants outside functions.
    pub constants: Constants,
}

impl Sources {
    /// A file.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// A function.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> &FunctionSource {
        &self.functions[id.0 as usize]
    }

    /// The text of a piece of a spec.
    #[must_use]
    pub fn text(&self, comment: &SpecComment) -> &str {
        &self.file(comment.file).text[comment.span.clone()]
    }

    /// The text of a spec with the signs around it.
    #[must_use]
    pub fn comment(&self, comment: &SpecComment) -> &str {
        &self.file(comment.file).text[comment.comment.clone()]
    }
}

/// A file of [`Sources::files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileId(u32);

impl FileId {
    /// Its place in [`Sources::files`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function of [`Sources::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FunctionId(u32);

/// A file as it is on disk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    /// As the user or the compiler names it.
    pub path: PathBuf,
    /// Its text, byte for byte; each byte that is not UTF-8 is replaced by `?`.
    pub text: String,
    line_starts: Vec<usize>,
}

impl SourceFile {
    fn new(path: &Path, bytes: &[u8]) -> SourceFile {
        let text = decode(bytes);
        let after_newlines =
            text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(after_newlines).collect();
        SourceFile { path: path.to_path_buf(), text, line_starts }
    }

    /// The line of a byte, counted from 1.
    #[must_use]
    pub fn line_of(&self, offset: usize) -> u32 {
        u32::try_from(self.line_starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }

    /// The bytes of a line, without its end.
    #[must_use]
    pub fn line_span(&self, line: u32) -> Option<Range<usize>> {
        let number = (line as usize).checked_sub(1)?;
        let start = *self.line_starts.get(number)?;
        let end = self.line_starts.get(number + 1).map_or(self.text.len(), |next| next - 1);
        Some(start..end)
    }
}

/// Text of the same length, whatever the bytes are.
fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
    }
    text
}

/// A spec comment in a user's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecComment {
    /// The file.
    pub file: FileId,
    /// The bytes between `/*@` and `@*/`.
    pub span: Range<usize>,
    /// The bytes of the whole comment.
    pub comment: Range<usize>,
    /// The line it begins in.
    pub line: u32,
}

/// Consecutive spec comments of one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecItem {
    /// What they belong to.
    pub place: Place,
    /// The comments, to be read as one text.
    pub pieces: Vec<SpecComment>,
    /// For loops and statements: the variables in scope, parameters included, none twice.
    pub locals: Vec<Local>,
}

/// What a spec belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// The program: definitions.
    TopLevel,
    /// A function that is defined.
    Contract {
        /// The function.
        function: FunctionId,
    },
    /// A function that is declared.
    Prototype {
        /// Its name.
        name: String,
        /// The line of its name, in the file of the first piece.
        line: u32,
    },
    /// A loop: invariants.
    Loop {
        /// The function around it.
        function: FunctionId,
        /// The line of `for`, `while` or `do`.
        line: u32,
    },
    /// A place between the statements of a function.
    Statement {
        /// The function.
        function: FunctionId,
    },
    /// The arguments of a call.
    Ghost {
        /// The function around it.
        function: FunctionId,
        /// What is called, as it is written after macro expansion.
        callee: String,
    },
}

/// A parameter or variable of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// The file of its declaration.
    pub file: FileId,
    /// The line of its declaration: with it, debug information tells its type.
    pub line: u32,
}

/// A function that is defined.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FunctionSource {
    /// Its name.
    pub name: String,
    /// The file it stands in.
    pub file: FileId,
    /// The line of its name.
    pub line: u32,
    /// From its first word to the end of its parameters. If a macro makes the function, spans are
    /// those of the lines that use it.
    pub header: Range<usize>,
    /// From `{` to `}`.
    pub body: Range<usize>,
    /// Constants in its body, macros expanded, those of the system's macros excepted.
    pub constants: Constants,
    /// What it seems to call: words with a parenthesis behind them.
    pub calls: BTreeSet<String>,
    /// Whether it seems to call functions that it was given.
    pub calls_pointers: bool,
    /// How many elements each parameter points to, where its declaration says so: `int p[4]`.
    pub extents: Vec<Option<u64>>,
    /// What it uses as an array: words with an index behind them, or that are moved along.
    pub indexed: BTreeSet<String>,
}

/// A call that the rewritten file makes where an invariant or assertion stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// What it passes as its first argument.
    pub number: u32,
    /// The item, as a place in [`Sources::items`].
    pub item: usize,
    /// The unit, as a place in [`Sources::units`].
    pub unit: usize,
    /// The variables whose addresses it passes, in this order.
    pub locals: Vec<Local>,
}

/// A file to compile. What is compiled stays with whoever compiles it: a process that is sent the sources
/// gets none of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// The user's file.
    pub file: FileId,
    /// What to compile: C, already preprocessed (`-x cpp-output`), from the same folder.
    #[serde(skip)]
    pub text: Vec<u8>,
    /// Whether there are probes in it; if not, it means the same as the file.
    pub has_probes: bool,
    /// The same with fences around local variables, if there is something to watch; it calls the runtime.
    #[serde(skip)]
    pub watched: Option<Vec<u8>>,
    /// What the preprocessor made of the file, comments kept.
    #[serde(skip)]
    pub expanded: Vec<u8>,
    /// The same without the bodies of functions, apart from those that specs look into.
    #[serde(skip)]
    pub declarations: Vec<u8>,
    /// The user's files that it is made of: the file itself, and headers.
    pub files: Vec<FileId>,
}

/// A spec comment that belongs to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The comment.
    pub comment: SpecComment,
    /// What is wrong with it.
    pub kind: ProblemKind,
}
