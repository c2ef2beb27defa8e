//! Goes through the transition function from its first line to each of its ends, and makes an arm for each.
//!
//! Reads matches on the pair, on the state or on the operation, nested in any order, `if`, early returns, and
//! statements between them, which are kept in the arm's path.

use super::conditions::{Context, PatternTest, Reader};
use super::ends::{Ends, Finder, Returns, same};
use super::patterns::Names;
use super::{Arm, Layer, Parameters, Subject, Target, is_optional};
use crate::machine::syntax::unparen;
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
    reader.block(&next.block, Context::everything(next.sig.ident.span()), &mut arms)?;
    Ok(arms)
}

impl Reader<'_> {
    fn block(&self, block: &Block, mut context: Context, arms: &mut Vec<Arm>) -> Result<()> {
        let Some((last, before)) = block.stmts.split_last() else {
            return Err(Error::new(block.span(), "a state belongs at the end of this block"));
        };
        // Before a `match` on state and operation, early returns are arms like any other.
        if let Stmt::Expr(expr, _) = last
            && self.is_structural(expr, &context)
        {
            for statement in before {
                self.early(statement, &mut context, arms)?;
            }
            return self.expression(expr, &context, arms);
        }
        // So is what follows `let On { n } = s else { .. };`
        if let Some(k) = before.iter().rposition(|statement| self.let_else(statement).is_some()) {
            for statement in &before[..=k] {
                self.early(statement, &mut context, arms)?;
            }
            let rest = &block.stmts[k + 1..];
            return self.leaf(&syn::parse_quote!({ #(#rest)* }), &context, arms);
        }
        self.leaf(&syn::parse_quote!(#block), &context, arms)
    }

    /// Whether an expression decides by the state or the operation.
    fn is_structural(&self, expr: &Expr, context: &Context) -> bool {
        match expr {
            Expr::Match(m) => self.subject(&m.expr).is_some(),
            Expr::Paren(inner) => self.is_structural(&inner.expr, context),
            Expr::Block(inner) => match inner.block.stmts.last() {
                Some(Stmt::Expr(last, _)) => self.is_structural(last, context),
                _ => false,
            },
            Expr::Return(inner) => {
                inner.expr.as_ref().is_some_and(|inner| self.is_structural(inner, context))
            }
            Expr::If(i) => self.condition(&i.cond, context).is_some(),
            Expr::Call(call) => {
                self.inside_some(call).is_some_and(|inner| self.is_structural(inner, context))
            }
            _ => false,
        }
    }

    /// A statement before the match: one that can return is an arm, and any other is on the way.
    fn early(&self, statement: &Stmt, context: &mut Context, arms: &mut Vec<Arm>) -> Result<()> {
        if let Some((test, otherwise)) = self.let_else(statement) {
            let ends = self.ends(otherwise, context)?;
            if ends.targets.is_empty() && !ends.stays {
                *context = self.narrow(context, &test, None)?;
                return Ok(());
            }
        }
        let mut returns = Returns::default();
        returns.visit_stmt(statement);
        if returns.0.is_empty() {
            context.flags.extend(self.flag(statement));
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
        let (inner, otherwise) = match self.condition(&i.cond, context) {
            Some(parts) => {
                (self.where_it_holds(context, &parts)?, self.where_it_fails(context, &i.cond, &parts)?)
            }
            // Which state and operation this is for is known already.
            None if context.is_read => {
                let mut inner = context.clone();
                inner.guards.push((*i.cond).clone());
                inner.path.push(Layer::If((*i.cond).clone()));
                (inner, self.where_it_fails(context, &i.cond, &[])?)
            }
            None => return Err(Error::new_spanned(statement, WRITE)),
        };
        *context = otherwise;
        self.block(&i.then_branch, Context { is_early: true, ..inner }, arms)
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
                None => Err(Error::new_spanned(inner, "a state belongs after this `return`")),
            },
            Expr::Block(inner) if inner.label.is_none() => self.block(&inner.block, context.clone(), arms),
            Expr::If(i) => match self.condition(&i.cond, context) {
                Some(parts) => {
                    self.block(&i.then_branch, self.where_it_holds(context, &parts)?, arms)?;
                    let Some((_, other)) = &i.else_branch else { return Ok(()) };
                    self.expression(other, &self.where_it_fails(context, &i.cond, &parts)?, arms)
                }
                None => self.leaf(expr, context, arms),
            },
            Expr::Call(call) if self.is_structural(expr, context) => match self.inside_some(call) {
                Some(inner) => self.expression(inner, &Context { is_in_some: true, ..context.clone() }, arms),
                None => Ok(()),
            },
            expr => self.leaf(expr, context, arms),
        }
    }

    /// What is inside `Some(..)`, where `next` says so.
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
        let mut context = context.clone();
        // After a guard, a later arm does not get what an earlier one takes: these do not overlap.
        let is_ordered = !context.guards.is_empty();
        for arm in &m.arms {
            let (pat, guard) = match &arm.pat {
                Pat::Guard(guarded) => ((*guarded.pat).clone(), Some(&*guarded.guard)),
                pat => (pat.clone(), None),
            };
            let alternatives: Vec<Pat> = match (subject, unparen(&pat)) {
                (Subject::Tuple { .. }, Pat::Or(or)) => or.cases.iter().cloned().collect(),
                (_, pat) => vec![pat.clone()],
            };
            for pat in alternatives {
                let test = PatternTest { expr: (*m.expr).clone(), subject, pat };
                let mut inner = self.narrow(&context, &test, guard)?;
                inner.place = m.expr.span();
                self.expression(&arm.body, &inner, arms)?;
            }
            if is_ordered && guard.is_none() {
                let expr = &m.expr;
                context.path.push(Layer::Unless(syn::parse_quote!(matches!(#expr, #pat))));
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
        for state in states.iter().filter(|name| !context.not_states.contains(name)) {
            for op in ops.iter().filter(|name| !context.not_ops.contains(name)) {
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
                && !context.is_partial
                && matches_all(&context.state, state, None)
                && matches_all(&context.op, op, whole),
            is_partial: context.is_partial,
            takes_every_result: matches_all(&context.op, op, None),
            is_early: context.is_early,
            is_in_some: context.is_in_some,
            place: context.place,
        }
    }
}

fn is_tail(body: &Expr, returned: &Expr) -> bool {
    matches!(body, Expr::Return(inner) if inner.expr.as_ref().is_some_and(|inner| **inner == *returned))
}
