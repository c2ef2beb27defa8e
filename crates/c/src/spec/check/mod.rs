//! From the tree of what is written to the tree that is run: names are resolved, types checked.
//!
//! Checks the comments of a whole program at once, so that definitions may come in any order and from any
//! file; the result is [`checked::Specs`]. It reports everything that is wrong in one run: what is wrong has
//! the type `Unknown`, which goes with every other, so that one mistake makes one message.

mod bounds;
mod calls;
mod clauses;
mod contracts;
mod ctypes;
mod expressions;
mod fold;
mod matches;
mod memory;
mod names;
mod operators;
mod scope;
mod types;
mod unknown;
mod values;

pub(super) use names::distance;

use super::Program;
use super::ast;
use super::checked::{self, FunctionId, LemmaId, PredicateId, Specs};
use super::diagnostic::{Diagnostic, Diagnostics};
use super::position::Span;
use super::types::{DatatypeId, Type};
use crate::ctypes::{CType, CTypes, TypeId};
use scope::Scope;
use std::collections::BTreeMap;

/// Checks the comments of a program.
pub fn check(
    comments: &[ast::Comment],
    program: &Program,
    ctypes: &mut CTypes,
    diagnostics: &mut Diagnostics,
) -> Specs {
    let mut checker = Checker {
        ctypes,
        program,
        diagnostics,
        specs: Specs::default(),
        table: Table::default(),
        scope: Scope::default(),
        entries: BTreeMap::new(),
        site_of: None,
        c_types: BTreeMap::new(),
        synonym_depth: 0,
        not_run: None,
        loop_names: BTreeMap::new(),
    };
    checker.index_program();
    let definitions = checker.collect(comments);
    checker.signatures(&definitions);
    let contracts = checker.attach(comments, &definitions);
    checker.bodies(&definitions);
    for (place, contract) in contracts {
        checker.contract(place, contract);
    }
    checker.sites(comments);
    checker.leave_out_unknown();
    checker.specs
}

/// What names mean at top level.
#[derive(Default)]
struct Table<'a> {
    synonyms: BTreeMap<String, Synonym<'a>>,
    datatypes: BTreeMap<String, DatatypeId>,
    constructors: BTreeMap<String, (DatatypeId, u32)>,
    functions: BTreeMap<String, FunctionId>,
    predicates: BTreeMap<String, PredicateId>,
    lemmas: BTreeMap<String, LemmaId>,
    /// Where each name of the specs is defined, for messages about a second one.
    defined: BTreeMap<(Namespace, String), Span>,
    c_functions: BTreeMap<String, u32>,
    /// Several where files have static ones of the same name.
    globals: BTreeMap<String, Vec<u32>>,
    /// Constants of enumerations.
    constants: BTreeMap<String, i128>,
}

/// Names that are looked up apart from each other: a datatype, a predicate and a function may share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Namespace {
    Types,
    Constructors,
    Functions,
    Predicates,
    Lemmas,
}

struct Synonym<'a> {
    ast: &'a ast::Synonym,
    state: SynonymState,
}

enum SynonymState {
    Fresh,
    /// Being resolved: meeting it again is a cycle.
    Open,
    Done(Type),
}

/// Definitions that got their names, by kind and in the order of their ids.
#[derive(Default)]
struct Definitions<'a> {
    datatypes: Vec<&'a ast::Datatype>,
    synonyms: Vec<&'a ast::Synonym>,
    functions: Vec<&'a ast::Function>,
    predicates: Vec<&'a ast::Predicate>,
    lemmas: Vec<&'a ast::Lemma>,
    specs: Vec<&'a ast::FunctionSpec>,
}

struct Checker<'a> {
    ctypes: &'a mut CTypes,
    program: &'a Program,
    diagnostics: &'a mut Diagnostics,
    specs: Specs,
    table: Table<'a>,
    scope: Scope,
    /// The scope at the end of `requires`, by C function: what its loops and statements begin with.
    entries: BTreeMap<String, Scope>,
    /// The function whose places the scope is for.
    site_of: Option<String>,
    /// C types that specs named, by their spelling.
    c_types: BTreeMap<String, Option<TypeId>>,
    /// How many synonyms are being resolved.
    synonym_depth: u32,
    /// Set while a clause is checked if it names something that is not run.
    not_run: Option<(checked::NotRun, Span)>,
    /// What invariants of a function's loops bind, by function.
    loop_names: BTreeMap<String, Vec<LoopName>>,
}

impl Checker<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    /// Notes that a spec speaks of a value of this type, in case it is a `char` or an array of them.
    fn speaks_of(&mut self, ctype: TypeId, span: Span) {
        if self.is_char(ctype) {
            self.specs.chars.entry(span.file).or_insert(span);
        }
    }

    fn is_char(&self, mut ctype: TypeId) -> bool {
        // Debug information could be made to nest arrays without end.
        for _ in 0..64 {
            match self.ctypes.get(ctype) {
                CType::Array { of, .. } => ctype = *of,
                other => return *other == CType::Char,
            }
        }
        false
    }
}

/// A name that an invariant binds.
#[derive(Clone, Debug)]
struct LoopName {
    name: String,
    ty: Type,
    /// The loop, by its place, and the slot in its frame.
    at: (usize, checked::Slot),
}

/// Something wrong, of which no more is said.
fn wrong(span: Span) -> checked::Expr {
    checked::Expr { kind: checked::ExprKind::Wrong, ty: Type::Unknown, span }
}

fn expr(kind: checked::ExprKind, ty: Type, span: Span) -> checked::Expr {
    checked::Expr { kind, ty, span }
}

#[cfg(test)]
mod tests;
