//! Reads the transition function into a table: one [`Arm`] for each state and operation that an arm of its
//! `match` is for.
//!
//! `form` checks the form of the function, `ends` finds the states in which an arm ends, `foresight` what is
//! known of an arm before its operation has a result.

mod ends;
mod foresight;
mod form;
mod literals;

use super::kinds::{Kind, Types};
use super::names::{guess, list};
use super::patterns::{Pattern, Variant, left_over};
use super::syntax::{conjuncts, head, is_variable, unparen};
use super::{Op, State, tidy};
use ends::{Ends, Finder, same};
pub(super) use ends::{is_refusal, made_by};
pub(super) use foresight::may;
pub(super) use form::Next;
pub(crate) use literals::Literals;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Error, Expr, Fields, Pat, Result};

/// One way from a state by an operation.
#[derive(Clone)]
pub(super) struct Arm {
    pub(super) state: Ident,
    pub(super) op: Ident,
    pub(super) state_pattern: Pat,
    pub(super) op_pattern: Pat,
    /// Conditions that all have to hold.
    pub(super) guards: Vec<Expr>,
    /// What follows.
    pub(super) body: Expr,
    /// The states that can follow; none if it leads nowhere.
    pub(super) targets: Vec<Target>,
    /// Whether what follows may be that the operation is not possible.
    pub(super) may_be_none: bool,
    /// Whether every state of this name and every argument that is not the result goes this way.
    pub(super) is_plain: bool,
    /// Which data of the state and of the operation it takes.
    pub(super) row: Vec<Pattern>,
}

/// A state that can follow, with the expression that makes it, if there is one.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) state: Ident,
    pub(super) made: Option<Expr>,
}

impl Arm {
    /// Whether it says what follows wherever its patterns match.
    fn is_decided(&self) -> bool {
        self.guards.is_empty() && (self.targets.is_empty() || !self.may_be_none)
    }

    pub(super) fn is_guarded(&self) -> bool {
        !self.guards.is_empty()
    }

    /// Its guards as they would be written.
    pub(super) fn condition(&self) -> String {
        self.guards.iter().map(|guard| tidy(guard)).collect::<Vec<_>>().join(" && ")
    }

    /// The pattern of state and operation.
    pub(super) fn pair(&self) -> TokenStream {
        let (state, op) = (&self.state_pattern, &self.op_pattern);
        quote!((#state, #op))
    }
}

impl Next {
    /// What an arm asks of the state and the operation around an optional value, which is `None` where the
    /// arm is not taken.
    pub(super) fn around(&self, arm: &Arm, inner: impl ToTokens) -> TokenStream {
        let (state, op, pair) = (&self.state, &self.op, arm.pair());
        let guards = &arm.guards;
        let guard = (!guards.is_empty()).then(|| quote!(if #(#guards)&&*));
        quote!(match (#state, #op) { #pair #guard => { #inner } _ => None })
    }
}

/// The arms that lead somewhere, and those that say that an operation, or one of its results, is not possible.
pub(super) fn read(
    next: &Next,
    states: &[State],
    ops: &[Op],
    types: &Types<'_>,
) -> Result<(Vec<Arm>, Vec<Arm>)> {
    let reader = Reader {
        states: states.iter().map(|state| (&state.name, &state.fields)).collect(),
        ops: ops.iter().map(|op| (&op.name, &op.fields)).collect(),
        results: ops.iter().map(|op| op.ret).collect(),
        types,
        next,
    };
    let mut arms = Vec::new();
    for arm in &next.whole.arms {
        let (pat, guard) = match &arm.pat {
            Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
            pat => (pat, None),
        };
        let guards: Vec<Expr> = guard.map(conjuncts).unwrap_or_default().into_iter().cloned().collect();
        for case in cases(pat) {
            let (state, op) = match case {
                Pat::Tuple(pair) if pair.elems.len() == 2 => (&pair.elems[0], &pair.elems[1]),
                Pat::Wild(_) => (case, case),
                pat => {
                    const WRITE: &str = "write the state and the operation here: `(Ready, Insert) => ..`";
                    return Err(Error::new_spanned(pat, WRITE));
                }
            };
            for state in cases(state) {
                for op in cases(op) {
                    reader.read(state, op, &guards, &arm.body, &mut arms)?;
                }
            }
        }
    }
    Ok(arms.into_iter().partition(|arm| !arm.targets.is_empty()))
}

/// The patterns of which a pattern is made by `|`.
fn cases(pat: &Pat) -> Vec<&Pat> {
    match unparen(pat) {
        Pat::Or(or) => or.cases.iter().flat_map(cases).collect(),
        pat => vec![pat],
    }
}

/// Whether a pattern takes every state or operation.
fn is_any(pat: &Pat) -> bool {
    matches!(pat, Pat::Wild(_))
        || matches!(pat, Pat::Ident(name) if name.subpat.is_none() && is_variable(&name.ident))
}

struct Reader<'m> {
    states: Vec<(&'m Ident, &'m Fields)>,
    ops: Vec<(&'m Ident, &'m Fields)>,
    /// Which field of each operation is its result.
    results: Vec<Option<usize>>,
    types: &'m Types<'m>,
    next: &'m Next,
}

impl Reader<'_> {
    /// The arms that one pattern of a state and one of an operation stand for.
    fn read(
        &self,
        state_pat: &Pat,
        op_pat: &Pat,
        guards: &[Expr],
        body: &Expr,
        arms: &mut Vec<Arm>,
    ) -> Result<()> {
        let states = self.matched(state_pat, &self.states, "state")?;
        let ops = self.matched(op_pat, &self.ops, "operation")?;
        let ends = self.ends(state_pat, body)?;
        if ends.targets.is_empty() && !ends.stays && is_any(op_pat) {
            return Ok(());
        }
        for (s, state) in states {
            for (o, op) in &ops {
                let (of_state, of_op) =
                    (self.columns(state_pat, self.states[s].1), self.columns(op_pat, self.ops[*o].1));
                let n = of_state.0.len();
                let (kinds, row) = ([of_state.0, of_op.0].concat(), [of_state.1, of_op.1].concat());
                let before: Vec<Vec<&Pattern>> = arms
                    .iter()
                    .filter(|arm| arm.state == *state && arm.op == **op && arm.is_decided())
                    .map(|arm| arm.row.iter().collect())
                    .collect();
                // What earlier arms take entirely is not for this one.
                if left_over(&kinds, &before, &row.iter().collect::<Vec<_>>(), self.types).is_none() {
                    continue;
                }
                let all = vec![&Pattern::All; row.len()];
                let mut whatever: Vec<&Pattern> = row.iter().collect();
                self.results[*o].into_iter().for_each(|ret| whatever[n + ret] = &Pattern::All);
                let takes_all = left_over(&kinds, &[whatever], &all, self.types).is_none();
                arms.push(Arm {
                    targets: targets(state, &ends),
                    may_be_none: ends.may_be_none,
                    is_plain: guards.is_empty() && !ends.may_be_none && takes_all,
                    state: state.clone(),
                    op: (*op).clone(),
                    state_pattern: state_pat.clone(),
                    op_pattern: op_pat.clone(),
                    guards: guards.to_vec(),
                    body: body.clone(),
                    row,
                });
            }
        }
        Ok(())
    }

    /// The states or operations that a pattern can take, with their positions.
    fn matched<'n>(
        &self,
        pat: &Pat,
        all: &[(&'n Ident, &Fields)],
        what: &str,
    ) -> Result<Vec<(usize, &'n Ident)>> {
        let names: Vec<&Ident> = all.iter().map(|(name, _)| *name).collect();
        if is_any(pat) {
            return Ok(names.into_iter().enumerate().collect());
        }
        match (pat, head(pat)) {
            (Pat::Ident(whole), _) if whole.subpat.is_some() => {
                let (name, state) = (&whole.ident, &self.next.state);
                let message = format!(
                    "leave `{name} @` out: the state is called `{state}` in every arm, the operation `{}`",
                    self.next.op
                );
                Err(Error::new_spanned(pat, message))
            }
            (_, Some(name)) => known(name, &names, what).map(|k| vec![(k, names[k])]),
            _ => Err(Error::new_spanned(
                pat,
                format!("write this {what} as a pattern such as `Waiting {{ n }}`"),
            )),
        }
    }

    /// The kinds of a variant's fields, and the patterns of them.
    fn columns(&self, pat: &Pat, fields: &Fields) -> (Vec<Kind>, Vec<Pattern>) {
        let variant = Variant::of(String::new(), fields, self.types);
        // What is written wrongly is reported by rustc.
        let patterns = if is_any(pat) { None } else { variant.patterns(pat, self.types) };
        let patterns = patterns.unwrap_or_else(|| vec![Pattern::All; fields.len()]);
        (variant.kinds, patterns)
    }

    /// The states in which an arm ends. A name for the whole state stands for the state that it is in.
    fn ends(&self, state_pattern: &Pat, body: &Expr) -> Result<Ends> {
        let alias = match state_pattern {
            Pat::Ident(name) if is_any(state_pattern) => Some(&name.ident),
            _ => None,
        };
        let is_state = |name: &Ident| *name == self.next.state || Some(name) == alias;
        let states = self.states.iter().map(|(name, _)| *name).collect();
        Finder { states, is_state: &is_state }.find(body)
    }
}

/// The states that follow, each once.
fn targets(state: &Ident, ends: &Ends) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    for target in &ends.targets {
        if !targets.iter().any(|t| t.state == target.state && same(t, target)) {
            targets.push(target.clone());
        }
    }
    if ends.stays && !targets.iter().any(|t| t.state == *state) {
        targets.push(Target { state: state.clone(), made: None });
    }
    targets
}

/// The state that an expression makes, for `start`.
pub(super) fn state_of(start: &Expr, states: &[&Ident]) -> Result<Ident> {
    const WRITE: &str = "the start is written as a state: `start = Ready { n: 0 }`";
    let name = made_by(start).ok_or_else(|| Error::new_spanned(start, WRITE))?;
    known(name, states, "state").map(|_| name.clone())
}

/// The position of a name; refuses one that does not exist.
fn known(name: &Ident, all: &[&Ident], what: &str) -> Result<usize> {
    if let Some(k) = all.iter().position(|known| *known == name) {
        return Ok(k);
    }
    let names: Vec<String> = all.iter().map(ToString::to_string).collect();
    let guess = guess(&name.to_string(), &names);
    let there = if names.len() == 1 { "there is" } else { "there are" };
    let message = format!("no {what} `{name}`{guess}; {there} {}", list(&names));
    Err(Error::new_spanned(name, message))
}
