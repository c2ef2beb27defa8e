//! Reads the transition function into a table: one [`Arm`] for each state, operation and place where the
//! function ends.
//!
//! `reader` goes through the function, `conditions` knows what its patterns and conditions say, `patterns`
//! what a pattern can match, `ends` in which states an expression ends, `path` how an arm is reached. Forms
//! that cannot be read are errors that show what to write instead.

mod conditions;
mod ends;
mod literals;
mod path;
mod patterns;
mod reader;
mod signature;

use super::names::{list, nearest};
use super::{Op, State};
pub(super) use ends::is_refusal;
pub(crate) use literals::Literals;
pub(super) use path::{Layer, Subject, may, nested};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
pub(super) use signature::{Parameters, is_optional};
use syn::{Error, Expr, ItemEnum, ItemFn, Pat, Result};

/// One way from a state by an operation.
#[derive(Clone)]
pub(super) struct Arm {
    pub(super) state: Ident,
    pub(super) op: Ident,
    /// The patterns as written; none where everything matches.
    pub(super) state_pattern: Option<Pat>,
    pub(super) op_pattern: Option<Pat>,
    pub(super) guards: Vec<Expr>,
    /// How it is reached, from the first line of `next` on.
    pub(super) path: Vec<Layer>,
    /// What follows.
    pub(super) body: Expr,
    /// The states that can follow; none if it leads nowhere.
    pub(super) targets: Vec<Target>,
    /// Whether what follows may be that the operation is not possible.
    pub(super) may_be_none: bool,
    /// Whether every state of this name and every argument that is not the result goes this way.
    pub(super) is_plain: bool,
    /// Whether something other than the state and the operation was matched, which may or may not match.
    pub(super) is_partial: bool,
    /// Whether every result goes this way too.
    pub(super) takes_every_result: bool,
    /// Whether it is an early return: what follows in the function is for what is left.
    pub(super) is_early: bool,
    /// Whether its body is a state, though `next` returns an option.
    pub(super) is_in_some: bool,
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
    /// Whether it is taken wherever its patterns match.
    pub(super) fn is_sure(&self) -> bool {
        self.guards.is_empty() && !self.may_be_none && !self.is_partial
    }

    pub(super) fn is_guarded(&self) -> bool {
        !self.guards.is_empty()
    }

    pub(super) fn target_names(&self) -> Vec<&Ident> {
        self.targets.iter().map(|target| &target.state).collect()
    }

    /// The pattern of the operation's result, if it looks at it.
    pub(super) fn result_pattern(&self, op: &Op) -> Option<&Pat> {
        path::result_pattern(self.op_pattern.as_ref()?, op)
    }
}

/// What was read.
pub(super) struct Read {
    pub(super) arms: Vec<Arm>,
    /// Arms that say that an operation, or one of its results, is not possible.
    pub(super) refused: Vec<Arm>,
}

pub(super) fn read(next: &ItemFn, states: &[State], ops: &[Op], enums: &[ItemEnum]) -> Result<Read> {
    let arms = reader::arms(next, states, ops, enums)?;
    let (refused, arms) = arms.into_iter().partition(|arm| arm.targets.is_empty());
    Ok(Read { arms, refused })
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
    let guess = nearest(&name.to_string(), &names).map(|guess| format!(" (did you mean `{guess}`?)"));
    let message = format!("no {what} `{name}`{}; there are {}", guess.unwrap_or_default(), list(&names));
    Err(Error::new_spanned(name, message))
}

/// A pattern of a pair, where one was left out.
pub(super) fn pair(arm: &Arm) -> TokenStream {
    let any = || quote!(_);
    let state = arm.state_pattern.as_ref().map_or_else(any, ToTokens::to_token_stream);
    let op = arm.op_pattern.as_ref().map_or_else(any, ToTokens::to_token_stream);
    quote!((#state, #op))
}
