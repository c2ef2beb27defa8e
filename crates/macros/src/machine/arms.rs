//! Reading the transition function: which operation leads from which state to which.
//!
//! Receives `next` as it was written, hands on one [`Arm`] for each state, operation and place at
//! which the function says where it goes. It reads matches on the pair, on the state or on the
//! operation, nested in any order, `if` and early returns. What cannot be read off is an error that
//! says what to write; what an expression computes is left to rustc.

use super::names::{list, nearest};
use super::{Op, State};
use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Block, Error, Expr, FnArg, ItemEnum, ItemFn, Pat, Result, Stmt};

/// One way from a state by an operation.
#[derive(Clone)]
pub(super) struct Arm {
    pub(super) state: Ident,
    pub(super) op: Ident,
    /// The patterns as written; none where everything matches.
    pub(super) state_pattern: Option<Pat>,
    pub(super) op_pattern: Option<Pat>,
    pub(super) guards: Vec<Expr>,
    /// What follows.
    pub(super) body: Expr,
    /// The states that can follow; none if it leads nowhere.
    pub(super) targets: Vec<Target>,
    /// Whether every state of this name and every argument that is not the result goes this way.
    pub(super) is_plain: bool,
    /// Whether its condition may use names that are bound before it.
    pub(super) is_early: bool,
    /// Where its `match` stands.
    pub(super) place: proc_macro2::Span,
}

/// A state that can follow, with the expression that makes it, if there is one.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) state: Ident,
    pub(super) made: Option<Expr>,
}

impl Arm {
    pub(super) fn is_guarded(&self) -> bool {
        !self.guards.is_empty()
    }

    pub(super) fn target_names(&self) -> Vec<&Ident> {
        self.targets.iter().map(|target| &target.state).collect()
    }
}

/// What was read.
pub(super) struct Read {
    pub(super) arms: Vec<Arm>,
    pub(super) literals: Vec<i128>,
}

/// The names of the parameters of `next`.
pub(super) struct Parameters {
    pub(super) state: Ident,
    pub(super) op: Ident,
    pub(super) is_state_lent: bool,
    pub(super) is_op_lent: bool,
}

const SIGNATURE: &str =
    "write `fn next(s: State, op: Op) -> State`, or `-> Option<State>` to say `None` yourself";

impl Parameters {
    pub(super) fn of(next: &ItemFn) -> Result<Self> {
        let wrong = || Error::new_spanned(&next.sig, SIGNATURE);
        let (mut state, mut op) = (None, None);
        for input in &next.sig.inputs {
            let FnArg::Typed(typed) = input else { return Err(wrong()) };
            let name = match &*typed.pat {
                Pat::Ident(name) => name.ident.clone(),
                pat => {
                    return Err(Error::new_spanned(
                        pat,
                        "give this parameter a name, and take it apart in the `match`",
                    ));
                }
            };
            let ty = typed.ty.to_token_stream().to_string();
            let is_lent = ty.starts_with('&');
            match ty.trim_start_matches(['&', ' ']) {
                "State" => state = Some((name, is_lent)),
                "Op" => op = Some((name, is_lent)),
                _ => return Err(wrong()),
            }
        }
        let ((state, is_state_lent), (op, is_op_lent)) = state.zip(op).ok_or_else(wrong)?;
        Ok(Parameters { state, op, is_state_lent, is_op_lent })
    }
}

/// Whether `next` returns an option.
pub(super) fn is_optional(next: &ItemFn) -> Result<bool> {
    let syn::ReturnType::Type(_, ty) = &next.sig.output else {
        return Err(Error::new_spanned(&next.sig, SIGNATURE));
    };
    match ty.to_token_stream().to_string().replace(' ', "").as_str() {
        "State" => Ok(false),
        "Option<State>" => Ok(true),
        _ => Err(Error::new_spanned(ty, SIGNATURE)),
    }
}

pub(super) fn read(next: &ItemFn, states: &[State], ops: &[Op], enums: &[ItemEnum]) -> Result<Read> {
    let parameters = Parameters::of(next)?;
    let reader = Reader {
        states: states.iter().map(|state| &state.name).collect(),
        ops: ops.iter().map(|op| &op.name).collect(),
        rets: ops
            .iter()
            .map(|op| {
                (&op.name, op.ret.map(|k| super::binding(op.fields.iter().nth(k).expect("a field"), k)))
            })
            .collect(),
        is_optional: is_optional(next)?,
        all: enums.iter().flat_map(|e| e.variants.iter().map(|v| v.ident.to_string())).collect(),
        parameters,
    };
    let mut arms = Vec::new();
    let everything = Context {
        state: None,
        op: None,
        aliases: Vec::new(),
        is_early: false,
        guards: Vec::new(),
        place: next.sig.ident.span(),
        is_read: false,
    };
    reader.block(&next.block, &everything, &mut arms)?;
    let mut literals = Literals::default();
    literals.visit_block(&next.block);
    literals.0.sort_unstable();
    literals.0.dedup();
    Ok(Read { arms, literals: literals.0 })
}

/// The state that an expression makes, for `start`.
pub(super) fn state_of(start: &Expr, states: &[&Ident]) -> Result<Ident> {
    let head = match start {
        Expr::Path(path) => path.path.segments.last(),
        Expr::Struct(made) => made.path.segments.last(),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => path.path.segments.last(),
            _ => None,
        },
        _ => None,
    };
    let head = head.map(|segment| segment.ident.clone());
    let Some(head) = head else {
        return Err(Error::new_spanned(start, "the start is written as a state: `start = Ready { n: 0 }`"));
    };
    known(&head, states, "state")?;
    Ok(head)
}

/// Refuses a name that does not exist.
pub(super) fn known(name: &Ident, all: &[&Ident], what: &str) -> Result<()> {
    if all.contains(&name) {
        return Ok(());
    }
    let names: Vec<String> = all.iter().map(ToString::to_string).collect();
    let guess = nearest(&name.to_string(), &names).map(|guess| format!(" (did you mean `{guess}`?)"));
    let message = format!("no {what} `{name}`{}; there are {}", guess.unwrap_or_default(), list(&names));
    Err(Error::new_spanned(name, message))
}

/// What is known where an expression stands.
#[derive(Clone)]
struct Context {
    state: Option<Pat>,
    op: Option<Pat>,
    guards: Vec<Expr>,
    place: proc_macro2::Span,
    /// Names for the state as it was.
    aliases: Vec<Ident>,
    /// Whether the last guard is the condition of an early return.
    is_early: bool,
    /// Whether a `match` on the state or the operation was seen.
    is_read: bool,
}

struct Reader<'m> {
    states: Vec<&'m Ident>,
    ops: Vec<&'m Ident>,
    rets: Vec<(&'m Ident, Option<Ident>)>,
    is_optional: bool,
    /// All variants of all enums.
    all: Vec<String>,
    parameters: Parameters,
}

/// What a `match` looks at.
#[derive(Clone, Copy, PartialEq)]
enum Subject {
    Both,
    BothSwapped,
    State,
    Op,
    Other,
}

impl Reader<'_> {
    fn subject(&self, expr: &Expr) -> Subject {
        let is = |expr: &Expr, name: &Ident| match bare(expr) {
            Expr::Path(path) => path.path.is_ident(name),
            _ => false,
        };
        let Parameters { state, op, .. } = &self.parameters;
        match bare(expr) {
            Expr::Tuple(tuple) if tuple.elems.len() == 2 => {
                match (is(&tuple.elems[0], state), is(&tuple.elems[1], op)) {
                    (true, true) => Subject::Both,
                    _ if is(&tuple.elems[0], op) && is(&tuple.elems[1], state) => Subject::BothSwapped,
                    _ => Subject::Other,
                }
            }
            expr if is(expr, state) => Subject::State,
            expr if is(expr, op) => Subject::Op,
            _ => Subject::Other,
        }
    }

    fn block(&self, block: &Block, context: &Context, arms: &mut Vec<Arm>) -> Result<()> {
        let Some((last, before)) = block.stmts.split_last() else {
            return Err(Error::new(block.span(), "a state belongs at the end of this block"));
        };
        // Before a `match` on state and operation, early returns are arms like any other.
        let leads_on = matches!(last, Stmt::Expr(expr, _) if self.is_structural(expr));
        if leads_on {
            for statement in before {
                self.early(statement, context, arms)?;
            }
            let Stmt::Expr(expr, _) = last else { return Ok(()) };
            return self.expression(expr, context, arms);
        }
        self.leaf(&block_of(block), context, arms)
    }

    /// Whether an expression decides by the state or the operation.
    fn is_structural(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Match(m) => self.subject(&m.expr) != Subject::Other,
            Expr::Paren(inner) => self.is_structural(&inner.expr),
            Expr::Block(inner) => {
                matches!(inner.block.stmts.last(), Some(Stmt::Expr(last, _)) if self.is_structural(last))
            }
            Expr::Return(inner) => inner.expr.as_ref().is_some_and(|inner| self.is_structural(inner)),
            Expr::If(i) => self.condition(&i.cond).is_some(),
            _ => false,
        }
    }

    /// The pattern of `if let P = op`, `if let P = s`, `if matches!(op, P)`.
    fn condition(&self, cond: &Expr) -> Option<(Subject, Pat)> {
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
        let subject = self.subject(&expr);
        (subject != Subject::Other).then_some((subject, pat))
    }

    /// A statement before the match: one that can return is an arm.
    fn early(&self, statement: &Stmt, context: &Context, arms: &mut Vec<Arm>) -> Result<()> {
        let mut returns = Returns::default();
        returns.visit_stmt(statement);
        if returns.0.is_empty() {
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
            Some((subject, pat)) => self.narrow(context, subject, &pat)?,
            // Which state and operation this is for is known already.
            None if context.is_read => {
                let mut inner = context.clone();
                inner.guards.push((*i.cond).clone());
                inner.is_early = true;
                inner
            }
            None => return Err(Error::new_spanned(statement, WRITE)),
        };
        self.block(&i.then_branch, &inner, arms)
    }

    /// The context behind a pattern.
    fn narrow(&self, context: &Context, subject: Subject, pat: &Pat) -> Result<Context> {
        let mut inner = context.clone();
        inner.is_read = true;
        let pat = unparen(pat);
        let whole = |pat: &Pat| matches!(pat, Pat::Wild(_)) || self.is_variable(pat);
        let state_pattern = match (subject, pat) {
            (Subject::State, pat) => Some(pat),
            (Subject::Both, Pat::Tuple(tuple)) => tuple.elems.first(),
            (Subject::BothSwapped, Pat::Tuple(tuple)) => tuple.elems.last(),
            _ => None,
        };
        if let Some(Pat::Ident(name)) = state_pattern.map(unparen)
            && !self.states.contains(&&name.ident)
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

    /// Whether a pattern is a name for anything.
    fn is_variable(&self, pat: &Pat) -> bool {
        match pat {
            Pat::Ident(name) => {
                let text = name.ident.to_string();
                name.subpat.is_none()
                    && !self.all.contains(&text)
                    && text.starts_with(|c: char| c.is_lowercase() || c == '_')
            }
            _ => false,
        }
    }

    fn expression(&self, expr: &Expr, context: &Context, arms: &mut Vec<Arm>) -> Result<()> {
        match expr {
            Expr::Match(m) if self.subject(&m.expr) != Subject::Other => {
                let subject = self.subject(&m.expr);
                for arm in &m.arms {
                    let (pat, guard) = match &arm.pat {
                        Pat::Guard(guarded) => ((*guarded.pat).clone(), Some((*guarded.guard).clone())),
                        pat => (pat.clone(), None),
                    };
                    let alternatives: Vec<Pat> = match (subject, unparen(&pat)) {
                        (Subject::Both | Subject::BothSwapped, Pat::Or(or)) => {
                            or.cases.iter().cloned().collect()
                        }
                        (_, pat) => vec![pat.clone()],
                    };
                    for pat in &alternatives {
                        let mut inner = self.narrow(context, subject, pat)?;
                        inner.place = m.expr.span();
                        inner.guards.extend(guard.clone());
                        self.expression(&arm.body, &inner, arms)?;
                    }
                }
                Ok(())
            }
            Expr::Paren(inner) => self.expression(&inner.expr, context, arms),
            Expr::Return(inner) => match &inner.expr {
                Some(inner) => self.expression(inner, context, arms),
                None => Err(Error::new_spanned(inner, "a state belongs behind this `return`")),
            },
            Expr::Block(inner) if inner.label.is_none() => self.block(&inner.block, context, arms),
            Expr::If(i) if self.condition(&i.cond).is_some() => {
                let Some((subject, pat)) = self.condition(&i.cond) else { return Ok(()) };
                let inner = self.narrow(context, subject, &pat)?;
                self.block(&i.then_branch, &inner, arms)?;
                match &i.else_branch {
                    Some((_, other)) => self.expression(other, context, arms),
                    None => Ok(()),
                }
            }
            expr => self.leaf(expr, context, arms),
        }
    }

    /// An expression that says where the machine goes.
    fn leaf(&self, body: &Expr, context: &Context, arms: &mut Vec<Arm>) -> Result<()> {
        let mut ends = Ends::default();
        self.ends(body, context, &mut ends)?;
        let mut returns = Returns::default();
        returns.visit_expr(body);
        for returned in &returns.0 {
            if !is_tail(body, returned) {
                self.ends(returned, context, &mut ends)?;
            }
        }
        if ends.targets.is_empty() && !ends.stays {
            return Ok(());
        }
        if !context.is_read {
            return Err(Error::new_spanned(
                body,
                "`next` is a `match (s, op) { (State, Op) => State, .. }`: it cannot be \
                 read off here which states and operations this is for",
            ));
        }
        let states = self.heads(context.state.as_ref(), &self.states, "state")?;
        let ops = self.heads(context.op.as_ref(), &self.ops, "operation")?;
        for state in &states {
            for op in &ops {
                // What an earlier arm takes entirely is not for this one.
                if arms.iter().any(|arm| arm.state == *state && arm.op == *op && self.takes_all(arm)) {
                    continue;
                }
                let mut targets: Vec<Target> = Vec::new();
                for target in &ends.targets {
                    if !targets.iter().any(|t| t.state == target.state && same(t, target)) {
                        targets.push(target.clone());
                    }
                }
                if ends.stays && !targets.iter().any(|t| t.state == *state) {
                    targets.push(Target { state: state.clone(), made: None });
                }
                let is_plain = context.guards.is_empty()
                    && !ends.may_be_none
                    && context.state.as_ref().is_none_or(|pat| self.is_irrefutable_inside(pat, state, None))
                    && context
                        .op
                        .as_ref()
                        .is_none_or(|pat| self.is_irrefutable_inside(pat, op, self.ret(op)));
                arms.push(Arm {
                    state: state.clone(),
                    op: op.clone(),
                    state_pattern: context.state.clone(),
                    op_pattern: context.op.clone(),
                    guards: context.guards.clone(),
                    body: body.clone(),
                    targets,
                    is_plain,
                    is_early: context.is_early,
                    place: context.place,
                });
            }
        }
        Ok(())
    }

    fn ret(&self, op: &Ident) -> Option<&Ident> {
        self.rets.iter().find(|(name, _)| *name == op).and_then(|(_, ret)| ret.as_ref())
    }

    fn takes_all(&self, arm: &Arm) -> bool {
        arm.is_plain
            && arm.state_pattern.as_ref().is_none_or(|pat| self.is_irrefutable_inside(pat, &arm.state, None))
            && arm.op_pattern.as_ref().is_none_or(|pat| self.is_irrefutable_inside(pat, &arm.op, None))
    }

    /// The names that a pattern can match at its top.
    fn heads(&self, pat: Option<&Pat>, all: &[&Ident], what: &str) -> Result<Vec<Ident>> {
        let Some(pat) = pat else { return Ok(all.iter().map(|name| (*name).clone()).collect()) };
        let one = |name: &Ident| known(name, all, what).map(|()| vec![name.clone()]);
        match unparen(pat) {
            Pat::Wild(_) => self.heads(None, all, what),
            Pat::Ident(name) if name.subpat.is_some() => {
                self.heads(name.subpat.as_ref().map(|(_, pat)| &**pat), all, what)
            }
            pat if self.is_variable(pat) => self.heads(None, all, what),
            Pat::Ident(name) => one(&name.ident),
            Pat::Path(path) => path.path.segments.last().map_or(Ok(Vec::new()), |last| one(&last.ident)),
            Pat::Struct(pat) => pat.path.segments.last().map_or(Ok(Vec::new()), |last| one(&last.ident)),
            Pat::TupleStruct(pat) => pat.path.segments.last().map_or(Ok(Vec::new()), |last| one(&last.ident)),
            Pat::Reference(pat) => self.heads(Some(&pat.pat), all, what),
            Pat::Or(or) => {
                let mut names = Vec::new();
                for case in &or.cases {
                    for name in self.heads(Some(case), all, what)? {
                        if !names.contains(&name) {
                            names.push(name);
                        }
                    }
                }
                Ok(names)
            }
            pat => Err(Error::new_spanned(
                pat,
                format!("write this {what} as a pattern such as `Waiting {{ n }}`"),
            )),
        }
    }

    /// Whether every value of this name matches, whatever `except` is.
    fn is_irrefutable_inside(&self, pat: &Pat, name: &Ident, except: Option<&Ident>) -> bool {
        match unparen(pat) {
            Pat::Or(or) => or.cases.iter().any(|case| {
                self.heads(Some(case), &[name], "").is_ok() && self.is_irrefutable_inside(case, name, except)
            }),
            Pat::Ident(inner) => {
                inner.subpat.as_ref().is_none_or(|(_, pat)| self.is_irrefutable_inside(pat, name, except))
            }
            Pat::Struct(inner) => inner.fields.iter().all(|field| {
                let is_ret = matches!(&field.member, syn::Member::Named(member) if Some(member) == except);
                is_ret || self.is_irrefutable(&field.pat)
            }),
            Pat::TupleStruct(inner) => inner.elems.iter().enumerate().all(|(k, pat)| {
                let is_ret = except.is_some_and(|ret| *ret == format!("f{k}"));
                is_ret || self.is_irrefutable(pat)
            }),
            Pat::Reference(inner) => self.is_irrefutable_inside(&inner.pat, name, except),
            _ => true,
        }
    }

    fn is_irrefutable(&self, pat: &Pat) -> bool {
        match unparen(pat) {
            Pat::Wild(_) | Pat::Rest(_) => true,
            Pat::Ident(name) => match &name.subpat {
                Some((_, pat)) => self.is_irrefutable(pat),
                None => !self.all.contains(&name.ident.to_string()) && self.is_variable(pat),
            },
            Pat::Tuple(tuple) => tuple.elems.iter().all(|pat| self.is_irrefutable(pat)),
            Pat::Struct(inner) => {
                let last = inner.path.segments.last().map(|last| last.ident.to_string());
                last.is_some_and(|name| !self.all.contains(&name))
                    && inner.fields.iter().all(|f| self.is_irrefutable(&f.pat))
            }
            _ => false,
        }
    }

    /// The states at the ends of an expression.
    fn ends(&self, expr: &Expr, context: &Context, ends: &mut Ends) -> Result<()> {
        const WRITE: &str = "the next state is written as a state, such as `Ready { n: n + 1 }`, or as an `if` or `match` that \
                             ends in states, so that its type is known";
        let head = |path: &syn::Path| path.segments.last().map(|last| last.ident.clone());
        match expr {
            Expr::Paren(inner) => self.ends(&inner.expr, context, ends),
            Expr::Group(inner) => self.ends(&inner.expr, context, ends),
            Expr::Return(inner) => {
                inner.expr.as_ref().map_or(Ok(()), |inner| self.ends(inner, context, ends))
            }
            Expr::Block(inner) => self.block_ends(&inner.block, context, ends),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                self.ends(&unary.expr, context, ends)
            }
            Expr::If(i) => {
                self.block_ends(&i.then_branch, context, ends)?;
                match &i.else_branch {
                    Some((_, other)) => self.ends(other, context, ends),
                    None => {
                        ends.may_be_none = true;
                        Ok(())
                    }
                }
            }
            Expr::Match(m) => m.arms.iter().try_for_each(|arm| self.ends(&arm.body, context, ends)),
            Expr::Call(call) if self.is_optional && call.func.to_token_stream().to_string() == "Some" => {
                call.args.iter().try_for_each(|inner| self.ends(inner, context, ends))
            }
            Expr::Path(path) if self.is_optional && path.path.is_ident("None") => {
                ends.may_be_none = true;
                Ok(())
            }
            Expr::Macro(m) if is_refusal(&m.mac) => {
                ends.may_be_none = true;
                Ok(())
            }
            Expr::Path(path)
                if path.path.get_ident().is_some_and(|name| self.is_whole_state(name, context)) =>
            {
                ends.stays = true;
                Ok(())
            }
            Expr::Path(path) => self.target(head(&path.path), expr, ends),
            Expr::Struct(made) => self.target(head(&made.path), expr, ends),
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) if head(&path.path).is_some_and(|name| self.states.contains(&&name)) => {
                    self.target(head(&path.path), expr, ends)
                }
                _ => Err(Error::new_spanned(expr, WRITE)),
            },
            expr => Err(Error::new_spanned(expr, WRITE)),
        }
    }

    fn block_ends(&self, block: &Block, context: &Context, ends: &mut Ends) -> Result<()> {
        match block.stmts.last() {
            Some(Stmt::Expr(last, None)) => self.ends(last, context, ends),
            Some(Stmt::Expr(last @ Expr::Return(_), Some(_))) => self.ends(last, context, ends),
            Some(Stmt::Macro(m)) if is_refusal(&m.mac) => {
                ends.may_be_none = true;
                Ok(())
            }
            _ => Err(Error::new(block.span(), "a state belongs at the end of this block")),
        }
    }

    fn target(&self, name: Option<Ident>, made: &Expr, ends: &mut Ends) -> Result<()> {
        if let Some(name) = name {
            known(&name, &self.states, "state")?;
            ends.targets.push(Target { state: name, made: Some(made.clone()) });
        }
        Ok(())
    }

    /// Whether a name stands for the state as it was.
    fn is_whole_state(&self, name: &Ident, context: &Context) -> bool {
        *name == self.parameters.state || context.aliases.contains(name)
    }
}

/// Where an expression ends.
#[derive(Default)]
struct Ends {
    targets: Vec<Target>,
    /// Whether the state may stay what it is.
    stays: bool,
    may_be_none: bool,
}

fn same(one: &Target, other: &Target) -> bool {
    one.made.as_ref().map(|made| made.to_token_stream().to_string())
        == other.made.as_ref().map(|made| made.to_token_stream().to_string())
}

/// Whether a macro says that something cannot be.
pub(super) fn is_refusal(mac: &syn::Macro) -> bool {
    let last = mac.path.segments.last().map(|last| last.ident.to_string());
    last.is_some_and(|name| ["unreachable", "panic", "todo", "unimplemented"].contains(&name.as_str()))
}

/// A variable that stands for a whole pattern.
fn bound(pat: &Pat) -> Option<Pat> {
    matches!(unparen(pat), Pat::Ident(_)).then(|| pat.clone())
}

fn is_tail(body: &Expr, returned: &Expr) -> bool {
    matches!(body, Expr::Return(inner) if inner.expr.as_ref().is_some_and(|inner| **inner == *returned))
}

fn block_of(block: &Block) -> Expr {
    syn::parse_quote!(#block)
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

fn unparen(pat: &Pat) -> &Pat {
    match pat {
        Pat::Paren(inner) => unparen(&inner.pat),
        pat => pat,
    }
}

/// What is returned early.
#[derive(Default)]
struct Returns(Vec<Expr>);

impl<'a> Visit<'a> for Returns {
    fn visit_expr_return(&mut self, node: &'a syn::ExprReturn) {
        if let Some(expr) = &node.expr {
            self.0.push((**expr).clone());
        }
    }

    fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

/// The whole numbers in a piece of code.
#[derive(Default)]
pub(crate) struct Literals(pub(crate) Vec<i128>);

impl<'a> Visit<'a> for Literals {
    fn visit_lit_int(&mut self, literal: &'a syn::LitInt) {
        if let Ok(value) = literal.base10_parse::<i128>() {
            self.0.push(value);
        }
    }

    fn visit_macro(&mut self, node: &'a syn::Macro) {
        // Inside of `matches!` and the like.
        for token in node.tokens.clone() {
            if let proc_macro2::TokenTree::Literal(literal) = token
                && let Ok(literal) = syn::parse_str::<syn::LitInt>(&literal.to_string())
            {
                self.visit_lit_int(&literal);
            }
        }
    }
}

/// A pattern of a pair, where one was left out.
pub(super) fn pair(arm: &Arm) -> proc_macro2::TokenStream {
    let any = || quote!(_);
    let state = arm.state_pattern.as_ref().map_or_else(any, ToTokens::to_token_stream);
    let op = arm.op_pattern.as_ref().map_or_else(any, ToTokens::to_token_stream);
    quote!((#state, #op))
}
