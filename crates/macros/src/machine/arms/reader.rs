//! Going through the transition function, from its first line to each of its ends.
//!
//! Receives the body of `next`, hands on arms. It reads matches on the pair, on the state or on the
//! operation, nested in any order, `if`, early returns, and statements between them, which it keeps
//! for whoever wants to come to an arm again.

use super::ends::{Ends, Finder, Returns, same};
use super::path::conjuncts;
use super::patterns::{Names, unparen};
use super::{Arm, Layer, Parameters, Subject, Target, is_optional};
use crate::machine::{Op, State};
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Block, Error, Expr, ItemEnum, ItemFn, Pat, Result, Stmt};

pub(super) fn arms(next: &ItemFn, states: &[State], ops: &[Op], enums: &[ItemEnum]) -> Result<Vec<Arm>> {
    let reader = Reader {
        names: Names {
            states: states.iter().map(|state| &state.name).collect(),
            ops: ops.iter().map(|op| &op.name).collect(),
            variants: enums.iter().flat_map(|e| e.variants.iter().map(|v| v.ident.to_string())).collect(),
        },
        ops,
        is_optional: is_optional(next)?,
        parameters: Parameters::of(next)?,
    };
    let mut arms = Vec::new();
    let everything = Context {
        state: None,
        op: None,
        guards: Vec::new(),
        path: Vec::new(),
        place: next.sig.ident.span(),
        aliases: Vec::new(),
        is_early: false,
        is_read: false,
        is_in_some: false,
    };
    reader.block(&next.block, everything, &mut arms)?;
    Ok(arms)
}

/// What is known where an expression stands.
#[derive(Clone)]
struct Context {
    state: Option<Pat>,
    op: Option<Pat>,
    guards: Vec<Expr>,
    path: Vec<Layer>,
    place: proc_macro2::Span,
    /// Names for the state as it was.
    aliases: Vec<Ident>,
    /// Whether the last guard is the condition of an early return.
    is_early: bool,
    /// Whether a `match` on the state or the operation was seen.
    is_read: bool,
    /// Whether all this stands inside of `Some(..)`.
    is_in_some: bool,
}

/// A pattern, and what it is the pattern of.
struct Looked {
    expr: Expr,
    subject: Subject,
    pat: Pat,
}

struct Reader<'m> {
    names: Names<'m>,
    ops: &'m [Op],
    is_optional: bool,
    parameters: Parameters,
}

impl Reader<'_> {
    fn subject(&self, expr: &Expr) -> Option<Subject> {
        let is = |expr: &Expr, name: &Ident| match bare(expr) {
            Expr::Path(path) => path.path.is_ident(name),
            _ => false,
        };
        let Parameters { state, op, .. } = &self.parameters;
        match bare(expr) {
            Expr::Tuple(tuple) if tuple.elems.len() == 2 => {
                let [first, second] = [&tuple.elems[0], &tuple.elems[1]];
                if is(first, state) && is(second, op) {
                    Some(Subject::Both)
                } else {
                    (is(first, op) && is(second, state)).then_some(Subject::BothSwapped)
                }
            }
            expr if is(expr, state) => Some(Subject::State),
            expr if is(expr, op) => Some(Subject::Op),
            _ => None,
        }
    }

    fn block(&self, block: &Block, mut context: Context, arms: &mut Vec<Arm>) -> Result<()> {
        let Some((last, before)) = block.stmts.split_last() else {
            return Err(Error::new(block.span(), "a state belongs at the end of this block"));
        };
        // Before a `match` on state and operation, early returns are arms like any other.
        if let Stmt::Expr(expr, _) = last
            && self.is_structural(expr)
        {
            for statement in before {
                self.early(statement, &mut context, arms)?;
            }
            return self.expression(expr, &context, arms);
        }
        self.leaf(&syn::parse_quote!(#block), &context, arms)
    }

    /// Whether an expression decides by the state or the operation.
    fn is_structural(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Match(m) => self.subject(&m.expr).is_some(),
            Expr::Paren(inner) => self.is_structural(&inner.expr),
            Expr::Block(inner) => {
                matches!(inner.block.stmts.last(), Some(Stmt::Expr(last, _)) if self.is_structural(last))
            }
            Expr::Return(inner) => inner.expr.as_ref().is_some_and(|inner| self.is_structural(inner)),
            Expr::If(i) => self.condition(&i.cond).is_some(),
            Expr::Call(call) => self.inside_some(call).is_some_and(|inner| self.is_structural(inner)),
            _ => false,
        }
    }

    /// The parts of a condition, if one of them looks at the state or the operation.
    fn condition<'e>(&self, cond: &'e Expr) -> Option<Vec<(&'e Expr, Option<Looked>)>> {
        let parts = conjuncts(cond);
        let looked: Vec<_> = parts.into_iter().map(|part| (part, self.looked(part))).collect();
        looked.iter().any(|(_, looked)| looked.is_some()).then_some(looked)
    }

    /// What `let P = op`, `let P = s` and `matches!(op, P)` look at, and the pattern.
    fn looked(&self, cond: &Expr) -> Option<Looked> {
        let (pat, expr) = match bare(cond) {
            Expr::Let(l) => ((*l.pat).clone(), (*l.expr).clone()),
            Expr::Macro(m) if m.mac.path.segments.last()?.ident == "matches" => {
                let parser = |input: syn::parse::ParseStream<'_>| {
                    let expr: Expr = input.parse()?;
                    input.parse::<syn::Token![,]>()?;
                    let pat = Pat::parse_multi_with_leading_vert(input)?;
                    input.parse::<Option<syn::Token![,]>>()?;
                    Ok((pat, expr))
                };
                m.mac.parse_body_with(parser).ok()?
            }
            _ => return None,
        };
        let subject = self.subject(&expr)?;
        Some(Looked { expr, subject, pat })
    }

    /// The context behind a condition.
    fn behind(&self, context: &Context, parts: Vec<(&Expr, Option<Looked>)>) -> Result<Context> {
        let mut inner = context.clone();
        for (part, looked) in parts {
            match looked {
                Some(looked) => inner = self.narrow(&inner, &looked, None)?,
                None => {
                    inner.guards.push(part.clone());
                    inner.path.push(Layer::If(part.clone()));
                }
            }
        }
        Ok(inner)
    }

    /// A statement before the match: one that can return is an arm, and any other is on the way.
    fn early(&self, statement: &Stmt, context: &mut Context, arms: &mut Vec<Arm>) -> Result<()> {
        let mut returns = Returns::default();
        returns.visit_stmt(statement);
        if returns.0.is_empty() {
            context.path.push(Layer::Statement(statement.clone()));
            return Ok(());
        }
        const WRITE: &str = "it cannot be read off which states this return is for: write \
                             `if let Pattern = op { return State; }`, or make it an arm of the `match`";
        let Stmt::Expr(Expr::If(i), _) = statement else {
            return Err(Error::new_spanned(statement, WRITE));
        };
        if i.else_branch.is_some() {
            return Err(Error::new_spanned(statement, WRITE));
        }
        let inner = match self.condition(&i.cond) {
            Some(parts) => {
                let mut inner = self.behind(context, parts)?;
                inner.is_early = true;
                inner
            }
            // Which state and operation this is for is known already.
            None if context.is_read => {
                let mut inner = context.clone();
                inner.guards.push((*i.cond).clone());
                inner.path.push(Layer::If((*i.cond).clone()));
                inner.is_early = true;
                inner
            }
            None => return Err(Error::new_spanned(statement, WRITE)),
        };
        context.path.push(Layer::Unless((*i.cond).clone()));
        self.block(&i.then_branch, inner, arms)
    }

    /// The context behind a pattern.
    fn narrow(&self, context: &Context, looked: &Looked, guard: Option<&Expr>) -> Result<Context> {
        let Looked { expr, subject, pat } = looked;
        let subject = *subject;
        let mut inner = context.clone();
        inner.is_read = true;
        inner.guards.extend(guard.cloned());
        let layer = Layer::Match { expr: expr.clone(), subject, pat: pat.clone(), guard: guard.cloned() };
        inner.path.push(layer);
        let pat = unparen(pat);
        let whole = |pat: &Pat| matches!(pat, Pat::Wild(_)) || self.names.is_variable(pat);
        let state_pattern = match (subject, pat) {
            (Subject::State, pat) => Some(pat),
            (Subject::Both, Pat::Tuple(tuple)) => tuple.elems.first(),
            (Subject::BothSwapped, Pat::Tuple(tuple)) => tuple.elems.last(),
            _ => None,
        };
        if let Some(Pat::Ident(name)) = state_pattern.map(unparen)
            && !self.names.states.contains(&&name.ident)
        {
            inner.aliases.push(name.ident.clone());
        }
        match (subject, pat) {
            (Subject::State, pat) => inner.state = Some(pat.clone()).filter(|p| !whole(p)).or(inner.state),
            (Subject::Op, pat) => inner.op = Some(pat.clone()).filter(|p| !whole(p)).or(inner.op),
            (_, pat) if whole(pat) => {}
            (Subject::Both | Subject::BothSwapped, Pat::Tuple(tuple)) if tuple.elems.len() == 2 => {
                let (s, o) = if subject == Subject::Both { (0, 1) } else { (1, 0) };
                let keep = |pat: &Pat, old: Option<Pat>| {
                    if whole(unparen(pat)) { old.or_else(|| bound(pat)) } else { Some(pat.clone()) }
                };
                inner.state = keep(&tuple.elems[s], inner.state);
                inner.op = keep(&tuple.elems[o], inner.op);
            }
            (_, pat) => {
                return Err(Error::new_spanned(
                    pat,
                    "write the state and the operation here: `(Ready, Insert) => ..`",
                ));
            }
        }
        Ok(inner)
    }

    fn expression(&self, expr: &Expr, context: &Context, arms: &mut Vec<Arm>) -> Result<()> {
        match expr {
            Expr::Match(m) => match self.subject(&m.expr) {
                Some(subject) => self.arms_of_match(m, subject, context, arms),
                None => self.leaf(expr, context, arms),
            },
            Expr::Paren(inner) => self.expression(&inner.expr, context, arms),
            Expr::Return(inner) => match &inner.expr {
                Some(inner) => self.expression(inner, context, arms),
                None => Err(Error::new_spanned(inner, "a state belongs behind this `return`")),
            },
            Expr::Block(inner) if inner.label.is_none() => self.block(&inner.block, context.clone(), arms),
            Expr::If(i) => match self.condition(&i.cond) {
                Some(parts) => {
                    let inner = self.behind(context, parts)?;
                    self.block(&i.then_branch, inner, arms)?;
                    let Some((_, other)) = &i.else_branch else { return Ok(()) };
                    let mut otherwise = context.clone();
                    otherwise.path.push(Layer::Unless((*i.cond).clone()));
                    self.expression(other, &otherwise, arms)
                }
                None => self.leaf(expr, context, arms),
            },
            Expr::Call(call) if self.is_structural(expr) => match self.inside_some(call) {
                Some(inner) => self.expression(inner, &Context { is_in_some: true, ..context.clone() }, arms),
                None => Ok(()),
            },
            expr => self.leaf(expr, context, arms),
        }
    }

    /// What is inside of `Some(..)`, where `next` says so.
    fn inside_some<'e>(&self, call: &'e syn::ExprCall) -> Option<&'e Expr> {
        let is_some = matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Some"));
        if self.is_optional && is_some { call.args.first() } else { None }
    }

    fn arms_of_match(
        &self,
        m: &syn::ExprMatch,
        subject: Subject,
        context: &Context,
        arms: &mut Vec<Arm>,
    ) -> Result<()> {
        for arm in &m.arms {
            let (pat, guard) = match &arm.pat {
                Pat::Guard(guarded) => ((*guarded.pat).clone(), Some(&*guarded.guard)),
                pat => (pat.clone(), None),
            };
            let alternatives: Vec<Pat> = match (subject, unparen(&pat)) {
                (Subject::Both | Subject::BothSwapped, Pat::Or(or)) => or.cases.iter().cloned().collect(),
                (_, pat) => vec![pat.clone()],
            };
            for pat in alternatives {
                let looked = Looked { expr: (*m.expr).clone(), subject, pat };
                let mut inner = self.narrow(context, &looked, guard)?;
                inner.place = m.expr.span();
                self.expression(&arm.body, &inner, arms)?;
            }
        }
        Ok(())
    }

    /// The states at the ends of an expression, and whether it has any.
    fn ends(&self, body: &Expr, context: &Context) -> Result<Ends> {
        let whole = |name: &Ident| *name == self.parameters.state || context.aliases.contains(name);
        let finder = Finder { names: &self.names, is_optional: self.is_optional, whole: &whole };
        let mut ends = Ends::default();
        finder.find(body, &mut ends)?;
        let mut returns = Returns::default();
        returns.visit_expr(body);
        for returned in returns.0.iter().filter(|returned| !is_tail(body, returned)) {
            finder.find(returned, &mut ends)?;
        }
        Ok(ends)
    }

    /// An expression that says where the machine goes, or that it goes nowhere with an operation that is named.
    fn leaf(&self, body: &Expr, context: &Context, arms: &mut Vec<Arm>) -> Result<()> {
        let ends = self.ends(body, context)?;
        let leads_nowhere = ends.targets.is_empty() && !ends.stays;
        let is_named = context.op.as_ref().is_some_and(|pat| !self.names.is_variable(pat));
        if leads_nowhere && !is_named {
            return Ok(());
        }
        if !context.is_read {
            return Err(Error::new_spanned(
                body,
                "`next` is a `match (s, op) { (State, Op) => State, .. }`: it cannot be \
                 read off here which states and operations this is for",
            ));
        }
        let states = self.names.heads(context.state.as_ref(), &self.names.states, "state")?;
        let ops = self.names.heads(context.op.as_ref(), &self.names.ops, "operation")?;
        for state in &states {
            for op in &ops {
                // What an earlier arm takes entirely is not for this one.
                let is_taken = |arm: &Arm| {
                    arm.state == *state && arm.op == *op && arm.is_plain && arm.takes_every_result
                };
                if !arms.iter().any(is_taken) {
                    let arm = self.arm(state, op, body, context, &ends);
                    arms.push(arm);
                }
            }
        }
        Ok(())
    }

    fn arm(&self, state: &Ident, op: &Ident, body: &Expr, context: &Context, ends: &Ends) -> Arm {
        let mut targets: Vec<Target> = Vec::new();
        for target in &ends.targets {
            if !targets.iter().any(|t| t.state == target.state && same(t, target)) {
                targets.push(target.clone());
            }
        }
        if ends.stays && !targets.iter().any(|t| t.state == *state) {
            targets.push(Target { state: state.clone(), made: None });
        }
        let matches_all = |pat: &Option<Pat>, name: &Ident, except: Option<&Op>| {
            pat.as_ref().is_none_or(|pat| self.names.is_irrefutable_inside(pat, name, except))
        };
        let whole = self.ops.iter().find(|o| o.name == *op);
        Arm {
            state: state.clone(),
            op: op.clone(),
            state_pattern: context.state.clone(),
            op_pattern: context.op.clone(),
            guards: context.guards.clone(),
            path: context.path.clone(),
            body: body.clone(),
            targets,
            may_be_none: ends.may_be_none,
            is_plain: context.guards.is_empty()
                && !ends.may_be_none
                && matches_all(&context.state, state, None)
                && matches_all(&context.op, op, whole),
            takes_every_result: matches_all(&context.op, op, None),
            is_early: context.is_early,
            is_in_some: context.is_in_some,
            place: context.place,
        }
    }
}

/// A variable that stands for a whole pattern.
fn bound(pat: &Pat) -> Option<Pat> {
    matches!(unparen(pat), Pat::Ident(_)).then(|| pat.clone())
}

fn is_tail(body: &Expr, returned: &Expr) -> bool {
    matches!(body, Expr::Return(inner) if inner.expr.as_ref().is_some_and(|inner| **inner == *returned))
}

/// An expression without parentheses and references around it.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        Expr::Reference(inner) => bare(&inner.expr),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => bare(&unary.expr),
        expr => expr,
    }
}
