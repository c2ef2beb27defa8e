//! Property-based testing for code that has state.
//!
//! ```
//! use stairway::prelude::*;
//!
//! # #[allow(dead_code)]
//! fn insert(x: i32, xs: &mut Vec<i32>) {
//!     let at = xs.iter().position(|y| *y > x).unwrap_or(xs.len());
//!     xs.insert(at, x);
//! }
//!
//! #[property]
//! fn insert_keeps_order(x: i32, #[from(sorted(vec(any(), 0..20)))] xs: Vec<i32>) {
//!     let mut ys = xs.clone();
//!     insert(x, &mut ys);
//!     assert!(ys.is_sorted());
//! }
//! ```
//!
//! A property is a function whose arguments are drawn; it holds if it never panics. When it does
//! not hold, Stairway finds the smallest arguments that show it and prints them as a test.
//!
//! Code with state is tested by sequences of calls. A *model* is a simpler twin of the code; what its methods
//! return is what the code must answer:
//!
//! ```
//! use stairway::prelude::*;
//!
//! #[derive(Debug, Default)]
//! struct Highest(u32);
//!
//! impl Highest {
//!     fn add(&mut self, n: u32) -> u32 {
//!         self.0 = self.0.max(n);
//!         self.0
//!     }
//! }
//!
//! #[derive(Debug)]
//! struct All(Vec<u32>);
//!
//! #[model(system = Highest)]
//! impl All {
//!     #[start]
//!     fn new() -> (All, Highest) {
//!         (All(Vec::new()), Highest::default())
//!     }
//!
//!     #[op]
//!     fn add(&mut self, n: u32) -> u32 {
//!         self.0.push(n);
//!         self.0.iter().copied().max().unwrap_or(0)
//!     }
//! }
//!
//! # fn main() {
//! All::check(); // in a test
//! # }
//! ```
//!
//! Which calls, in which order and how many, is drawn; a failure is the shortest sequence that shows it.
//!
//! The book has a tutorial, twenty recipes and a chapter for each of the following. It is the folder `docs` of
//! the repository (`cargo xtask book` makes a site of it); it has no address on the web yet.
//!
//! * [`property`] is the attribute, [`check()`] the same for closures, [`Checker`] the builder.
//! * Generators are ranges, [`any`], and the functions of [`generate`]: `vec`, `sampled_from`, `recursive`,
//!   `regex` and others. [`Generate`] has their combinators.
//! * [`Case`] is what a closure draws from and reports to.
//! * [`macro@model`] is the attribute for programs of calls: an abstract twin says what a system must
//!   answer. [`Allowed`] and [`Ref`] are part of its language.
//! * [`macro@contract`] checks what functions require and ensure; [`check_contracts`] looks for programs
//!   of calls that break it.
//! * [`macro@machine`] makes a typestate API of states and operations, [`temporal!`] checks their
//!   properties while the crate is compiled.
//! * [`refinement!`] checks that a function does only what its specification allows: [`Outcomes`], [`Spec`].
//! * [`Oracle`] and [`ask`] are the environment's choices, [`unmocked!`] the end of what a mock knows.
//! * [`fuzz`] lets cargo-fuzz and afl.rs search instead: [`fuzz_target!`].
//! * [`Arbitrary`] and [`ToSource`] can be derived.
//!
//! Tests begin with `use stairway::prelude::*`. What is rarely written is in a module by topic: [`generate`],
//! [`program`], [`refine`], [`machine`](mod@machine), [`report`]; [`engine`] is what all of them run on.
#![forbid(unsafe_code)]

extern crate self as stairway;

mod abilities;
#[cfg(feature = "arbitrary")]
mod adapter;
mod allowed;
mod await_limit;
mod backtrace;
mod board;
mod case_macros;
mod check;
mod checker;
mod choice_text;
mod difference;
mod executor;
mod failure_words;
pub mod fuzz;
pub mod generate;
#[cfg(target_os = "linux")]
mod isolate;
#[cfg(not(target_os = "linux"))]
#[path = "isolate_elsewhere.rs"]
mod isolate;
mod jobs;
mod json;
mod json_summary;
mod leaks;
pub mod machine;
mod mock;
mod oracle;
mod outcome_words;
mod panics;
pub mod program;
pub mod refine;
mod refusals;
mod regex;
mod regressions;
mod render;
mod render_program;
mod replay;
pub mod report;
mod reproducer;
mod reproducer_driver;
mod reproducer_law;
mod reproducer_program;
mod settings;
mod showing;
mod source;
mod source_lines;
mod stored_failures;
mod table_case;
mod watchdog;
mod whereabouts;
#[cfg(target_os = "linux")]
mod wire;
#[cfg(target_os = "linux")]
mod wire_progress;
mod wording;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use allowed::{Allowed, Outcomes};
pub use check::{Checker, check, check_async};
pub use checker::{Example, Worker};
pub use executor::block_on;
pub use mock::outside_mock;
pub use oracle::{Oracle, ask, each_fault, equivalent};
pub use program::{Model, Ref, check_contracts, commutes, reached};
pub use refine::{Correspondence, Spec, near};
pub use report::Report;
pub use settings::Settings;
pub use source::ToSource;
pub use stairway_engine as engine;
pub use stairway_engine::{Arbitrary, Case, Checked, Draw, Generate, Stop, any};
#[cfg(feature = "macros")]
pub use stairway_macros::{Arbitrary, ToSource, contract, example, laws, model, property, refinement};
#[cfg(feature = "macros")]
pub use stairway_macros::{const_property, failing, machine, refines, temporal};

/// What a test file usually needs: `use stairway::prelude::*;`.
///
/// A function of your own with one of these names (`bytes`, say) is ambiguous beside `use super::*`;
/// import it by name and yours is meant.
pub mod prelude {
    pub use crate::generate::{
        Choices, alphanumeric, array, ascii, btree_map, btree_set, byte_regex, bytes, compose, either,
        element, function, function_of, hash_map, hash_set, just, one_of, option_of, printable, recursive,
        regex, result_of, sampled_from, shuffle, sorted, string_of, strings, subsequence, subset, vec,
        vec_deque, weighted, weighted_bool,
    };
    pub use crate::{
        Allowed, Arbitrary, Case, Checked, Checker, Correspondence, Draw, Generate, Oracle, Outcomes, Ref,
        Settings, Spec, ToSource, allowed, any, check, check_async, check_contracts,
    };
    pub use crate::{assume, classify, collect, cover, label, maximize, note};
    #[cfg(feature = "macros")]
    pub use stairway_macros::{
        compose, const_property, contract, example, failing, laws, machine, model, property, refinement,
        refines, temporal,
    };
}

/// The book's pages, as tests.
#[cfg(doctest)]
mod book;
