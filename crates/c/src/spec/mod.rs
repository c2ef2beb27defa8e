//! The contract language, from text to a checked, resolved tree.
//!
//! Reads spec comments with what they belong to (from `source`) beside the program's types, functions and
//! variables (from `dwarf`); the result is [`checked::Specs`], made for fast evaluation, or diagnostics in
//! the user's file. It never reads memory and never runs anything.
//!
//! ```text
//! SpecComment ──lexer──► tokens ──parser──► ast::Comment ──check──► checked::Specs
//! ```

pub mod ast;
pub mod check;
pub mod checked;
pub mod diagnostic;
pub mod lexer;
pub mod parser;
pub mod position;
pub mod print;
pub mod types;

use crate::ctypes::{CTypes, TypeId};
use diagnostic::{Diagnostic, Diagnostics};
use position::{SourceMap, Span};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A spec comment, or several that make one contract or invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecComment {
    /// The texts between `/*@` and `@*/`, in order.
    pub pieces: Vec<Span>,
    /// What it belongs to.
    pub place: Place,
}

/// What a spec comment belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nothing: it stands at top level.
    Top,
    /// A function: its contract.
    Contract {
        /// The function.
        function: String,
    },
    /// A loop: its invariant.
    Loop {
        /// The function the loop is in.
        function: String,
        /// The loop, by a number of its own among loops and statements.
        site: Site,
    },
    /// A place in a body: statements.
    Statement {
        /// The function.
        function: String,
        /// The place, by a number of its own among loops and statements.
        site: Site,
    },
    /// A call: ghost arguments.
    Arguments {
        /// The function the call is in.
        function: String,
    },
}

/// A place in a body at which a spec is checked; numbers are given by whoever finds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Site(pub u32);

/// What of the C program specs can name, besides its types.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Program {
    /// Its functions.
    pub functions: Vec<CFunction>,
    /// Its variables at file scope.
    pub globals: Vec<CVariable>,
    /// Those of them that are `const`, by their place there.
    pub constants: BTreeSet<usize>,
    /// The files in which those of them that are static can be seen, by their place there. Of several with
    /// one name, a spec means the one of its own file.
    pub homes: BTreeMap<usize, position::FileId>,
    /// The variables in scope at loops and statements, parameters included, outer ones first: of several with
    /// one name the last is meant. Where a site is missing, the function's parameters are in scope.
    pub scopes: BTreeMap<Site, Vec<CVariable>>,
    /// Whether functions that are only declared are missing, so that nothing can be said of contracts without
    /// a function.
    pub is_partial: bool,
}

/// A C function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CFunction {
    /// Its name.
    pub name: String,
    /// Its parameters; names may be empty.
    pub parameters: Vec<CVariable>,
    /// What it returns.
    pub returns: TypeId,
}

/// A C variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CVariable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
}

/// The specs of a program, and what is to be said about them.
#[derive(Debug)]
pub struct Outcome {
    /// The specs; only to be used if there are no errors.
    pub specs: checked::Specs,
    /// Errors and warnings, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// How many of them are errors; some may have been dropped.
    pub n_errors: usize,
    /// How many messages were dropped because there were too many.
    pub n_dropped: usize,
}

/// Reads and checks all spec comments of a program. C types that only specs name are added to `ctypes`.
#[must_use]
pub fn read(
    sources: &SourceMap,
    comments: &[SpecComment],
    program: &Program,
    ctypes: &mut CTypes,
) -> Outcome {
    let mut diagnostics = Diagnostics::new();
    // A header that several files include brings its comments several times; they are one.
    let mut seen = BTreeSet::new();
    let mut is_first = |comment: &SpecComment| {
        !matches!(comment.place, Place::Top | Place::Contract { .. }) || seen.insert(comment.pieces.clone())
    };
    let parsed: Vec<ast::Comment> = comments
        .iter()
        .filter(|comment| is_first(comment))
        .map(|comment| parser::parse(sources, comment, &mut diagnostics))
        .collect();
    let specs = check::check(&parsed, program, ctypes, &mut diagnostics);
    let (n_errors, n_dropped) = (diagnostics.n_errors(), diagnostics.n_dropped());
    Outcome { specs, diagnostics: diagnostics.into_sorted(), n_errors, n_dropped }
}
