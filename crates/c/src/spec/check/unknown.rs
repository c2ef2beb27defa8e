//! Clauses that cannot be evaluated because a function or predicate in them has no body: they are left out,
//! with one warning each.
//!
//! Specs are checked otherwise; this marks what is not run. A condition of `ensures`, of a loop or a
//! statement is left out by itself. Without a condition of `requires` nobody would know which calls are
//! allowed, and without a `take` which memory belongs to the call: then the whole contract is not run.

use super::Checker;
use crate::spec::checked::{
    Block, BlockEnd, Clause, ClauseKind, Expr, ExprKind, FunctionBody, NotRun, Resource, ResourceKind, Slot,
    Specs, StatementKind,
};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use std::collections::BTreeSet;

/// What has no value: functions, predicates and lemmas, by their places.
#[derive(Default)]
struct ValuelessItems {
    functions: BTreeSet<u32>,
    predicates: BTreeSet<u32>,
}

impl ValuelessItems {
    fn of(specs: &Specs) -> ValuelessItems {
        let mut unknown = ValuelessItems::default();
        // Each round finds one more, or is the last.
        for _ in 0..=specs.functions.len() + specs.predicates.len() {
            let before = unknown.functions.len() + unknown.predicates.len();
            for (k, function) in specs.functions.iter().enumerate() {
                let is_unknown = match &function.body {
                    FunctionBody::Expr(body) => unknown.in_expr(body).is_some(),
                    FunctionBody::Lifted(_) => false,
                    FunctionBody::Uninterpreted => true,
                };
                if is_unknown {
                    unknown.functions.insert(k as u32);
                }
            }
            for (k, predicate) in specs.predicates.iter().enumerate() {
                if predicate.body.as_ref().is_none_or(|body| unknown.in_block(body)) {
                    unknown.predicates.insert(k as u32);
                }
            }
            if before == unknown.functions.len() + unknown.predicates.len() {
                break;
            }
        }
        unknown
    }

    /// Where an expression calls something unknown.
    fn in_expr(&self, e: &Expr) -> Option<Span> {
        if matches!(&e.kind, ExprKind::Call(id, _) if self.functions.contains(&id.0)) {
            return Some(e.span);
        }
        match &e.kind {
            // What comes after may never be looked at; if it is, that is said then.
            ExprKind::And(first, _)
            | ExprKind::Or(first, _)
            | ExprKind::Implies(first, _)
            | ExprKind::If(first, ..) => self.in_expr(first),
            ExprKind::Match(of) => self.in_expr(&of.of),
            _ => {
                let mut found = None;
                e.each_child(&mut |child| found = found.or_else(|| self.in_expr(child)));
                found
            }
        }
    }

    fn in_resource(&self, resource: &Resource) -> Option<Span> {
        match &resource.kind {
            ResourceKind::Memory { pointer, .. } | ResourceKind::Allocation { pointer } => {
                self.in_expr(pointer)
            }
            ResourceKind::Predicate { predicate, .. } if self.predicates.contains(&predicate.0) => {
                Some(resource.span)
            }
            ResourceKind::Predicate { arguments, .. } => arguments.iter().find_map(|e| self.in_expr(e)),
            ResourceKind::Each { index, body } => {
                self.in_expr(&index.guard).or_else(|| self.in_resource(body))
            }
        }
    }

    fn in_clause(&self, clause: &Clause) -> Option<Span> {
        match &clause.kind {
            ClauseKind::Take { resource, .. } => self.in_resource(resource),
            ClauseKind::Let { value: e, .. } | ClauseKind::Holds(e) => self.in_expr(e),
            ClauseKind::Each(index, e) => self.in_expr(&index.guard).or_else(|| self.in_expr(e)),
        }
    }

    fn in_block(&self, block: &Block) -> bool {
        block.clauses.iter().any(|clause| self.in_clause(clause).is_some())
            || match &block.end {
                BlockEnd::Return(e) => self.in_expr(e).is_some(),
                BlockEnd::If(branches, last) => {
                    let is_unknown =
                        |(e, block): &(Expr, Block)| self.in_expr(e).is_some() || self.in_block(block);
                    branches.iter().any(is_unknown) || self.in_block(last)
                }
            }
    }
}

impl Checker<'_> {
    /// Marks what has no value as not run.
    pub(super) fn leave_out_unknown(&mut self) {
        let unknown = ValuelessItems::of(&self.specs);
        if unknown.functions.is_empty() && unknown.predicates.is_empty() {
            return;
        }
        let mut left_out: Vec<(Span, bool)> = Vec::new();
        for contract in &mut self.specs.contracts {
            let takes = contract.ensures.iter().filter(|c| matches!(c.kind, ClauseKind::Take { .. }));
            let whole = contract.requires.iter().chain(takes).find_map(|clause| unknown.in_clause(clause));
            match whole {
                Some(span) if contract.not_run.is_none() => {
                    contract.not_run = Some(NotRun::NoBody);
                    left_out.push((span, true));
                }
                Some(_) => {}
                None => left_out.extend(mark(&unknown, &mut contract.ensures)),
            }
        }
        for place in &mut self.specs.loops {
            left_out.extend(mark(&unknown, &mut place.clauses));
        }
        let lemmas: Vec<bool> = self
            .specs
            .lemmas
            .iter()
            .map(|lemma| {
                lemma.requires.iter().chain(&lemma.ensures).any(|clause| unknown.in_clause(clause).is_some())
            })
            .collect();
        for statement in self.specs.statements.iter_mut().flat_map(|place| &mut place.statements) {
            let found = match &statement.kind {
                StatementKind::Assert(e) => unknown.in_expr(e),
                StatementKind::AssertEach(index, e) => {
                    unknown.in_expr(&index.guard).or_else(|| unknown.in_expr(e))
                }
                StatementKind::Apply(id, _) if lemmas[id.0 as usize] => Some(statement.span),
                StatementKind::Apply(_, arguments) => arguments.iter().find_map(|e| unknown.in_expr(e)),
                StatementKind::ProofOnly => None,
            };
            if let Some(span) = found {
                statement.not_run = Some(NotRun::NoBody);
                left_out.push((span, false));
            }
        }
        for (span, is_whole) in left_out {
            let what = if is_whole { "contract" } else { "clause" };
            let message = format!("this {what} is not checked: something in it has no body, and so no value");
            self.report(
                Diagnostic::warning(span, message).help("give it a body, or lift a C function to it"),
            );
        }
    }
}

/// Marks clauses, and those that read what they bind.
fn mark(unknown: &ValuelessItems, clauses: &mut [Clause]) -> Vec<(Span, bool)> {
    let mut bound: Vec<Slot> = Vec::new();
    let mut left_out = Vec::new();
    for clause in clauses {
        let reads = |e: &Expr| bound.iter().any(|slot| e.reads(*slot));
        let depends = match &clause.kind {
            ClauseKind::Let { value: e, .. } | ClauseKind::Holds(e) | ClauseKind::Each(_, e) => reads(e),
            ClauseKind::Take { .. } => false,
        };
        let found = unknown.in_clause(clause).or(depends.then_some(clause.span));
        if let Some(span) = found {
            clause.not_run = Some(NotRun::NoBody);
            left_out.push((span, false));
            if let ClauseKind::Let { slot, .. } = &clause.kind {
                bound.push(*slot);
            }
        }
    }
    left_out
}
