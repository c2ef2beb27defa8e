//! What can be wrong with sources: problems of single specs, and errors that end the reading.
//!
//! Messages say what to do next; positions are added by whoever shows them.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// What is wrong with a spec comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A contract without a function.
    NoFunction,
    /// An invariant without a loop.
    NoLoop,
    /// A statement outside functions.
    NoStatement,
    /// Inside an expression or a type.
    Misplaced,
    /// In code that could not be parsed.
    Unparsed,
    /// Not written in a `/*@ … @*/` comment.
    LineComment,
    /// Behind `/* @`, with a blank that does not belong there.
    DetachedAt,
    /// In a file that a `#line` directive names and that is not there.
    NoSource,
    /// With bytes that are not UTF-8.
    NotUtf8,
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProblemKind::NoFunction => {
                "this contract belongs to no function; put it between the function's header and its body"
            }
            ProblemKind::NoLoop => "this invariant belongs to no loop; put it between the loop's header and its body",
            ProblemKind::NoStatement => "this statement is outside of every function; move it into a body",
            ProblemKind::Misplaced => {
                "no spec can stand here; put it between statements, before a body, or at top level"
            }
            ProblemKind::Unparsed => {
                "the code around this spec could not be parsed, so it is unknown what it belongs to; simplify the code"
            }
            ProblemKind::LineComment => "`//@` is an ordinary comment; write `/*@ ... @*/`",
            ProblemKind::DetachedAt => "this is an ordinary comment; write `/*@` without a blank",
            ProblemKind::NoSource => {
                "the source of this spec cannot be found; check the `#line` directive before it"
            }
            ProblemKind::NotUtf8 => "this spec has bytes that are not UTF-8; save the file as UTF-8",
        })
    }
}

/// What a file is that is not C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotC {
    /// A folder.
    Folder,
    /// Standard input, a pipe, a device: it cannot be read again, and reports could not point into it.
    Stream,
    /// No text: a program, an object, a library.
    Binary,
    /// A header.
    Header,
    /// C++.
    CPlusPlus,
    /// Something with another ending.
    Other,
}

impl fmt::Display for NotC {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotC::Folder => "is a folder; name the C files in it",
            NotC::Stream => "is no file; save the code in one whose name ends in `.c`",
            NotC::Binary => {
                "is not text, or not in UTF-8; name the C files that it was made from, or save it as UTF-8"
            }
            NotC::Header => "is a header; name a C file that includes it, and its functions are tested too",
            NotC::CPlusPlus => "is C++, and only C is tested",
            NotC::Other => "is not named like a C file; its name must end in `.c`",
        })
    }
}

/// Why sources cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum SourceError {
    /// No files given.
    NoFiles,
    /// A file cannot be read.
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file with nothing in it.
    Empty {
        /// The file.
        file: PathBuf,
    },
    /// Something that is not a C file.
    NotC {
        /// The file.
        file: PathBuf,
        /// What it is instead.
        what: NotC,
    },
    /// The compiler cannot be started.
    Compiler {
        /// The compiler.
        compiler: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The compiler does not accept a file.
    Rejected {
        /// The file.
        file: PathBuf,
        /// What the compiler says, as it is.
        stderr: String,
    },
    /// The compiler does not say where its output comes from.
    NoLines {
        /// The file.
        file: PathBuf,
    },
    /// A file that takes too much space when its macros are expanded.
    TooLarge {
        /// The file.
        file: PathBuf,
    },
    /// A file that takes the parser too long.
    TooComplex {
        /// The file.
        file: PathBuf,
    },
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::NoFiles => f.write_str("no C file given; name at least one"),
            SourceError::Unreadable { file, error } => {
                write!(f, "cannot read `{}` ({error}); check the path", file.display())
            }
            SourceError::Empty { file } => {
                write!(f, "`{}` is empty; there is nothing to test", file.display())
            }
            SourceError::NotC { file, what } => write!(f, "`{}` {what}", file.display()),
            SourceError::Compiler { compiler, error } => write!(
                f,
                "cannot run the compiler `{}` ({error}); install it or name another one with `--cc`",
                compiler.display()
            ),
            SourceError::Rejected { file, stderr } => {
                write!(f, "the compiler does not accept `{}`:\n{stderr}", file.display())
            }
            SourceError::NoLines { file } => write!(
                f,
                "the preprocessed text of `{}` has no line markers; remove `-P` and `-o` from the flags",
                file.display()
            ),
            SourceError::TooLarge { file } => {
                write!(f, "`{}` is too large when its macros are expanded; split it", file.display())
            }
            SourceError::TooComplex { file } => {
                write!(f, "`{}` cannot be parsed with reasonable effort; check that it is C", file.display())
            }
        }
    }
}

impl std::error::Error for SourceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SourceError::Unreadable { error, .. } | SourceError::Compiler { error, .. } => Some(error),
            _ => None,
        }
    }
}
