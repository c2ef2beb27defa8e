//! What the patterns and conditions of `next` say about the state and the operation.
//!
//! A [`Context`] holds what is known at one place in `next`; each pattern and condition narrows it. `reader`
//! goes through the function and calls this.

use super::path::conjuncts;
use super::patterns::Names;
use super::{Layer, Parameters, Subject};
use crate::machine::Op;
use crate::machine::syntax::{bare, matches_parts, unparen};
use proc_macro2::{Ident, Span};
use syn::visit_mut::{self, VisitMut};
use syn::{Error, Expr, Pat, Result, Stmt, UnOp, parse_quote};

/// What is known where an expression stands.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) state: Option<Pat>,
    pub(super) op: Option<Pat>,
    /// States and operations for which this is not.
    pub(super) not_states: Vec<Ident>,
    pub(super) not_ops: Vec<Ident>,
    pub(super) guards: Vec<Expr>,
    pub(super) path: Vec<Layer>,
    pub(super) place: Span,
    /// Names for the state as it was.
    pub(super) aliases: Vec<Ident>,
    /// Conditions that have a name: `let is_on = matches!(s, On { .. });`
    pub(super) flags: Vec<(Ident, Expr)>,
    /// Whether something else was test at, which may or may not match.
    pub(super) is_partial: bool,
    /// Whether the last guard is the condition of an early return.
    pub(super) is_early: bool,
    /// Whether a `match` on the state or the operation was seen.
    pub(super) is_read: bool,
    /// Whether all this stands inside `Some(..)`.
    pub(super) is_in_some: bool,
}

impl Context {
    /// Before anything was test at.
    pub(super) fn everything(place: Span) -> Context {
        Context {
            state: None,
            op: None,
            not_states: Vec::new(),
            not_ops: Vec::new(),
            guards: Vec::new(),
            path: Vec::new(),
            place,
            aliases: Vec::new(),
            flags: Vec::new(),
            is_partial: false,
            is_early: false,
            is_read: false,
            is_in_some: false,
        }
    }
}

/// A pattern, and what it is the pattern of.
#[derive(Clone)]
pub(super) struct PatternTest {
    pub(super) expr: Expr,
    pub(super) subject: Subject,
    pub(super) pat: Pat,
}

/// A part of a condition.
pub(super) enum Part {
    Is(PatternTest),
    IsNot(PatternTest, Expr),
    /// It looks at something else.
    Other(Expr),
}

pub(super) struct Reader<'m> {
    pub(super) names: Names<'m>,
    pub(super) ops: &'m [Op],
    pub(super) is_optional: bool,
    pub(super) parameters: Parameters,
}

impl Reader<'_> {
    pub(super) fn subject(&self, expr: &Expr) -> Option<Subject> {
        let is = |expr: &Expr, name: &Ident| named(expr).is_some_and(|found| found == name);
        let Parameters { state, op, .. } = &self.parameters;
        match bare(expr) {
            Expr::Tuple(tuple) => {
                let place = |name: &Ident| tuple.elems.iter().position(|part| is(part, name));
                let (state, op) = (place(state), place(op));
                (state.is_some() || op.is_some()).then_some(Subject::Tuple { state, op })
            }
            expr if is(expr, state) => Some(Subject::State),
            expr if is(expr, op) => Some(Subject::Op),
            _ => None,
        }
    }

    /// The parts of a condition, if one of them looks at the state or the operation.
    pub(super) fn condition(&self, cond: &Expr, context: &Context) -> Option<Vec<Part>> {
        let parts: Vec<Part> = conjuncts(cond).into_iter().map(|part| self.part(part, context)).collect();
        parts.iter().any(|part| !matches!(part, Part::Other(_))).then_some(parts)
    }

    fn part(&self, cond: &Expr, context: &Context) -> Part {
        let flag = |expr: &Expr| {
            let name = named(expr)?;
            context.flags.iter().rev().find(|(flag, _)| flag == name).map(|(_, meaning)| meaning.clone())
        };
        if let Some(test) = self.test(&flag(cond).unwrap_or_else(|| cond.clone())) {
            return Part::Is(test);
        }
        if let Expr::Unary(unary) = bare(cond)
            && matches!(unary.op, UnOp::Not(_))
        {
            let inner = flag(&unary.expr).unwrap_or_else(|| (*unary.expr).clone());
            if let Some(test) = self.test(&inner).filter(|_| !matches!(bare(&inner), Expr::Let(_))) {
                return Part::IsNot(test, parse_quote!(!#inner));
            }
        }
        Part::Other(cond.clone())
    }

    /// What `let P = op`, `let P = s` and `matches!(op, P)` look at, and the pattern.
    fn test(&self, cond: &Expr) -> Option<PatternTest> {
        let (expr, pat) = match bare(cond) {
            Expr::Let(l) => ((*l.expr).clone(), (*l.pat).clone()),
            Expr::Macro(m) => match matches_parts(&m.mac)? {
                (expr, pat, None) => (expr, pat),
                _ => return None,
            },
            _ => return None,
        };
        let subject = self.subject(&expr)?;
        Some(PatternTest { expr, subject, pat })
    }

    /// What `let P = s else { .. };` looks at, and what happens otherwise.
    pub(super) fn let_else<'s>(&self, statement: &'s Stmt) -> Option<(PatternTest, &'s Expr)> {
        let Stmt::Local(local) = statement else { return None };
        let init = local.init.as_ref()?;
        let (_, otherwise) = init.diverge.as_ref()?;
        let subject = self.subject(&init.expr)?;
        Some((PatternTest { expr: (*init.expr).clone(), subject, pat: local.pat.clone() }, otherwise))
    }

    /// The name and the meaning of `let is_on = matches!(s, On { .. });`.
    pub(super) fn flag(&self, statement: &Stmt) -> Option<(Ident, Expr)> {
        let Stmt::Local(local) = statement else { return None };
        let Pat::Ident(name) = &local.pat else { return None };
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        self.test(&init.expr)?;
        (name.mutability.is_none()).then(|| (name.ident.clone(), (*init.expr).clone()))
    }

    /// The context where a condition holds.
    pub(super) fn where_it_holds(&self, context: &Context, parts: &[Part]) -> Result<Context> {
        let mut inner = context.clone();
        for part in parts {
            match part {
                Part::Is(test) => inner = self.narrow(&inner, test, None)?,
                Part::IsNot(test, cond) => {
                    inner.is_read = true;
                    inner.path.push(Layer::If(cond.clone()));
                    if !self.exclude(test, &mut inner)? {
                        inner.guards.push(cond.clone());
                    }
                }
                Part::Other(cond) => {
                    inner.guards.push(cond.clone());
                    inner.path.push(Layer::If(cond.clone()));
                }
            }
        }
        Ok(inner)
    }

    /// The context where a condition does not hold.
    pub(super) fn where_it_fails(&self, context: &Context, cond: &Expr, parts: &[Part]) -> Result<Context> {
        let mut otherwise = context.clone();
        match parts {
            [Part::IsNot(test, _)] => return self.narrow(context, test, None),
            [Part::Is(test)] => drop(self.exclude(test, &mut otherwise)?),
            _ => {}
        }
        otherwise.path.push(Layer::Unless(cond.clone()));
        Ok(otherwise)
    }

    /// Takes what a pattern matches entirely out of what may be; whether that is all it matches.
    fn exclude(&self, test: &PatternTest, context: &mut Context) -> Result<bool> {
        let (all, what) = match test.subject {
            Subject::State => (&self.names.states, "state"),
            Subject::Op => (&self.names.ops, "operation"),
            Subject::Tuple { .. } => return Ok(false),
        };
        let cases: Vec<&Pat> = match unparen(&test.pat) {
            Pat::Or(or) => or.cases.iter().collect(),
            pat => vec![pat],
        };
        let (mut names, mut is_all) = (Vec::new(), true);
        for case in cases {
            for name in self.names.heads(Some(case), all, what)? {
                match self.names.is_irrefutable_inside(case, &name, None) {
                    true => names.push(name),
                    false => is_all = false,
                }
            }
        }
        if test.subject == Subject::State {
            context.not_states.extend(names);
        } else {
            context.not_ops.extend(names);
        }
        Ok(is_all)
    }

    /// The context after a pattern.
    pub(super) fn narrow(
        &self,
        context: &Context,
        test: &PatternTest,
        guard: Option<&Expr>,
    ) -> Result<Context> {
        let PatternTest { expr, subject, pat } = test;
        let mut inner = context.clone();
        inner.is_read = true;
        inner.path.push(Layer::Match {
            expr: expr.clone(),
            subject: *subject,
            pat: pat.clone(),
            guard: guard.cloned(),
        });
        match (subject, unparen(pat)) {
            (Subject::State, pat) => self.narrow_state(pat, &mut inner),
            (Subject::Op, pat) => self.narrow_op(pat, &mut inner),
            (_, pat) if self.is_whole(pat) => {}
            (Subject::Tuple { state, op }, Pat::Tuple(pats)) => {
                let Expr::Tuple(parts) = bare(expr) else { return Ok(inner) };
                if parts.elems.len() != pats.elems.len() {
                    return Err(unreadable(pat));
                }
                for (k, (part, pat)) in parts.elems.iter().zip(&pats.elems).enumerate() {
                    match (*state == Some(k), *op == Some(k)) {
                        (true, _) => self.narrow_state(pat, &mut inner),
                        (_, true) => self.narrow_op(pat, &mut inner),
                        _ => self.narrow_other(part, pat, &mut inner),
                    }
                }
            }
            (_, pat) => return Err(unreadable(pat)),
        }
        if let Some(guard) = guard {
            self.guarded(guard, &mut inner)?;
        }
        Ok(inner)
    }

    /// What a guard adds to the pattern: `Write if is_mounted` is for some states only.
    fn guarded(&self, guard: &Expr, inner: &mut Context) -> Result<()> {
        for cond in conjuncts(guard) {
            let is_known = match self.part(cond, inner) {
                Part::Is(PatternTest { subject: Subject::State, pat, .. }) if inner.state.is_none() => {
                    inner.state = Some(pat);
                    true
                }
                Part::Is(PatternTest { subject: Subject::Op, pat, .. }) if inner.op.is_none() => {
                    inner.op = Some(pat);
                    true
                }
                Part::IsNot(test, _) => self.exclude(&test, inner)?,
                _ => false,
            };
            if !is_known {
                inner.guards.push(cond.clone());
            }
        }
        Ok(())
    }

    fn is_whole(&self, pat: &Pat) -> bool {
        matches!(pat, Pat::Wild(_)) || self.names.is_variable(pat)
    }

    fn narrow_state(&self, pat: &Pat, inner: &mut Context) {
        if let Pat::Ident(name) = unparen(pat)
            && !self.names.states.contains(&&name.ident)
        {
            inner.aliases.push(name.ident.clone());
        }
        self.keep(pat, &mut inner.state);
    }

    fn narrow_op(&self, pat: &Pat, inner: &mut Context) {
        self.keep(pat, &mut inner.op);
    }

    /// A pattern says more than what was known, unless it matches everything.
    fn keep(&self, pat: &Pat, known: &mut Option<Pat>) {
        let is_name = known.is_none() && matches!(unparen(pat), Pat::Ident(_));
        if is_name || !self.is_whole(unparen(pat)) {
            *known = Some(pat.clone());
        }
    }

    /// Something else in a tuple: if it is a part of the operation or the state that has a name, their pattern
    /// says so, and otherwise it may match or not.
    fn narrow_other(&self, part: &Expr, pat: &Pat, inner: &mut Context) {
        if self.names.is_irrefutable(pat) {
            return;
        }
        let is_named = named(part).is_some_and(|name| {
            let mut bind = Bind { name, pat, is_done: false };
            inner.op.iter_mut().chain(inner.state.iter_mut()).for_each(|known| bind.visit_pat_mut(known));
            bind.is_done
        });
        inner.is_partial |= !is_named;
    }
}

/// Makes the binding `x` in a pattern `x @ pat`.
struct Bind<'b> {
    name: &'b Ident,
    pat: &'b Pat,
    is_done: bool,
}

impl VisitMut for Bind<'_> {
    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        let was_done = self.is_done;
        visit_mut::visit_field_pat_mut(self, field);
        if self.is_done && !was_done {
            field.colon_token.get_or_insert_with(Default::default);
        }
    }

    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        if !self.is_done && pat.ident == *self.name && pat.subpat.is_none() {
            let inner = match self.pat {
                Pat::Or(or) => parse_quote!((#or)),
                pat => pat.clone(),
            };
            pat.subpat = Some((Default::default(), Box::new(inner)));
            self.is_done = true;
        }
    }
}

fn unreadable(pat: &Pat) -> Error {
    Error::new_spanned(pat, "write the state and the operation here: `(Ready, Insert) => ..`")
}

/// The name that an expression is.
fn named(expr: &Expr) -> Option<&Ident> {
    match bare(expr) {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}
