//! The contract language, from text to a checked, resolved tree.
//!
//! Receives spec comments with what they belong to (from `source`), the program's types, functions and variables (from `dwarf`); hands on
//! [`checked::Specs`], made for fast evaluation, or diagnostics in the user's file. It never reads memory and never runs anything.
//!
//! ```text
//! SpecComment ──lexer──► tokens ──parser──► ast::Comment ──check──► checked::Specs
//! ```

pub mod ast;
pub mod diagnostic;
pub mod lexer;
pub mod parser;
pub mod position;
pub mod print;
pub mod types;

use position::Span;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(pub u32);
