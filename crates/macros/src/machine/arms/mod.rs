//! Reads the transition function into a table: one [`Arm`] for each state and operation that an arm of its
//! `match` is for.
//!
//! `form` checks the form of the function, `patterns` knows what a pattern can match, `ends` in which states
//! an arm ends, `foresight` what is known of an arm before its operation has a result.

mod ends;
mod foresight;
mod form;
mod literals;
mod patterns;

use super::names::{guess, list};
use super::syntax::{conjuncts, unparen};
use super::{Op, State};
pub(super) use ends::is_refusal;
use ends::{Ends, Finder, same};
pub(super) use foresight::may;
pub(super) use form::Next;
pub(crate) use literals::Literals;
use patterns::Names;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Error, Expr, ItemEnum, Pat, Result};

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
    /// Whether every result goes this way too.
    pub(super) takes_every_result: bool,
}

/// A state that can follow, with the expression that makes it, if there is one.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) state: Ident,
    pub(super) made: Option<Expr>,
}

impl Arm {
    /// Whether it is taken wherever its patterns match.
    pub(super) fn is_sure(&self) -> bool {
        self.guards.is_empty() && !self.may_be_none
    }

    pub(super) fn is_guarded(&self) -> bool {
        !self.guards.is_empty()
    }

    pub(super) fn target_names(&self) -> Vec<&Ident> {
        self.targets.iter().map(|target| &target.state).collect()
    }

    /// The pattern of the operation's result, if it looks at it.
    pub(super) fn result_pattern(&self, op: &Op) -> Option<&Pat> {
        self.field_pattern(op, op.ret?)
    }

    /// The pattern of a field of the operation, if it looks at it.
    pub(super) fn field_pattern(&self, op: &Op, k: usize) -> Option<&Pat> {
        foresight::field_pattern(&self.op_pattern, op, k)
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
    enums: &[ItemEnum],
) -> Result<(Vec<Arm>, Vec<Arm>)> {
    let variants = enums.iter().flat_map(|e| e.variants.iter().map(|v| v.ident.to_string())).collect();
    let (states, op_names) =
        (states.iter().map(|s| &s.name).collect(), ops.iter().map(|o| &o.name).collect());
    let reader = Reader { names: Names { states, ops: op_names, variants }, ops, next };
    let mut arms = Vec::new();
    for arm in &next.whole.arms {
        let (pat, guard) = match &arm.pat {
            Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
            pat => (pat, None),
        };
        let cases: Vec<&Pat> = match unparen(pat) {
            Pat::Or(or) => or.cases.iter().collect(),
            pat => vec![pat],
        };
        let guards: Vec<Expr> = guard.map(conjuncts).unwrap_or_default().into_iter().cloned().collect();
        for case in cases {
            reader.row(case, &guards, &arm.body, &mut arms)?;
        }
    }
    Ok(arms.into_iter().partition(|arm| !arm.targets.is_empty()))
}

struct Reader<'m> {
    names: Names<'m>,
    ops: &'m [Op],
    next: &'m Next,
}

impl Reader<'_> {
    /// The arms that one pattern of the pair stands for.
    fn row(&self, pat: &Pat, guards: &[Expr], body: &Expr, arms: &mut Vec<Arm>) -> Result<()> {
        let (state_pattern, op_pattern) = match unparen(pat) {
            Pat::Tuple(pair) if pair.elems.len() == 2 => (&pair.elems[0], &pair.elems[1]),
            pat @ Pat::Wild(_) => (pat, pat),
            pat => {
                const WRITE: &str = "write the state and the operation here: `(Ready, Insert) => ..`";
                return Err(Error::new_spanned(pat, WRITE));
            }
        };
        let ends = self.ends(state_pattern, body)?;
        let is_any_op = matches!(unparen(op_pattern), Pat::Wild(_)) || self.names.is_variable(op_pattern);
        if ends.targets.is_empty() && !ends.stays && is_any_op {
            return Ok(());
        }
        for state in self.names.heads(state_pattern, &self.names.states, "state")? {
            for op in self.names.heads(op_pattern, &self.names.ops, "operation")? {
                // What an earlier arm takes entirely is not for this one.
                let is_taken =
                    |arm: &Arm| arm.state == state && arm.op == op && arm.is_plain && arm.takes_every_result;
                if arms.iter().any(is_taken) {
                    continue;
                }
                let matches_all = |pat: &Pat, name: &Ident, except: Option<&Op>| {
                    self.names.is_irrefutable_inside(pat, name, except)
                };
                let whole = self.ops.iter().find(|o| o.name == op);
                arms.push(Arm {
                    targets: targets(&state, &ends),
                    may_be_none: ends.may_be_none,
                    is_plain: guards.is_empty()
                        && !ends.may_be_none
                        && matches_all(state_pattern, &state, None)
                        && matches_all(op_pattern, &op, whole),
                    takes_every_result: matches_all(op_pattern, &op, None),
                    state: state.clone(),
                    op,
                    state_pattern: state_pattern.clone(),
                    op_pattern: op_pattern.clone(),
                    guards: guards.to_vec(),
                    body: body.clone(),
                });
            }
        }
        Ok(())
    }

    /// The states in which an arm ends. A name for the whole state stands for the state that it is in.
    fn ends(&self, state_pattern: &Pat, body: &Expr) -> Result<Ends> {
        let alias = match unparen(state_pattern) {
            Pat::Ident(name) if !self.names.states.contains(&&name.ident) => Some(&name.ident),
            _ => None,
        };
        let is_state = |name: &Ident| *name == self.next.state || Some(name) == alias;
        let finder = Finder { names: &self.names, is_state: &is_state, op: &self.next.op };
        let mut ends = Ends::default();
        finder.find(body, &mut ends)?;
        Ok(ends)
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
fn known(name: &Ident, all: &[&Ident], what: &str) -> Result<()> {
    if all.contains(&name) {
        return Ok(());
    }
    let names: Vec<String> = all.iter().map(ToString::to_string).collect();
    let guess = guess(&name.to_string(), &names);
    let message = format!("no {what} `{name}`{guess}; there are {}", list(&names));
    Err(Error::new_spanned(name, message))
}
