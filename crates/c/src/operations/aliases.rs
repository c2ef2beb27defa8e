//! Uses typedefs to tell apart kinds of values that are one type to C: an `sds` is a `char *`, but not every
//! `char *` is an `sds`.
//!
//! Decides which results suit which parameter: a parameter gets values of its own kind, and others only where
//! nothing else fits.

use super::targets::{Target, Way};
use crate::ctypes::TypeId;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A kind of result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) ty: TypeId,
    alias: Option<String>,
}

impl Kind {
    /// The kind of what a function returns.
    pub(super) fn of(target: &Target) -> Kind {
        Kind { ty: target.returns, alias: target.result_alias.clone() }
    }
}

/// Finds out of which typedefs each function can be given values by others: by those that need none to give
/// one.
pub(super) fn find_given(targets: &mut [Target]) {
    let needs = |target: &Target, alias: &String| target.aliases.iter().flatten().any(|own| own == alias);
    let gives = |target: &Target| target.result_alias.clone().filter(|alias| !needs(target, alias));
    let givers: Vec<(String, &str)> =
        targets.iter().filter_map(|target| Some((gives(target)?, target.name))).collect();
    for target in targets {
        let others = givers.iter().filter(|(_, name)| *name != target.name);
        target.given_aliases = others.map(|(alias, _)| alias.clone()).collect::<BTreeSet<_>>();
    }
}

/// Whether values for a parameter come from other functions, by the typedef that it is declared with.
pub(super) fn comes_from_others(target: &Target, k: usize) -> bool {
    alias_of(target, k).is_some_and(|alias| target.given_aliases.contains(alias))
}

fn alias_of(target: &Target, k: usize) -> Option<&String> {
    target.aliases.get(k)?.as_ref()
}

/// Which results suit a parameter.
pub(super) enum SuitableResults<'t> {
    /// Those that are declared with the same typedef, or like it with none.
    Same(Option<&'t String>),
    /// All that have its type.
    All,
}

impl<'t> SuitableResults<'t> {
    /// For a parameter; `can_be_made` if memory can be made for it.
    pub(super) fn of(target: &'t Target, k: usize, can_be_made: bool, kinds: &[Kind]) -> SuitableResults<'t> {
        let is_given = |alias: Option<&String>| {
            kinds.iter().any(|kind| kind.ty == target.parameters[k] && kind.alias.as_ref() == alias)
        };
        match alias_of(target, k) {
            Some(alias) if is_given(Some(alias)) => SuitableResults::Same(Some(alias)),
            None if can_be_made || is_given(None) => SuitableResults::Same(None),
            _ => SuitableResults::All,
        }
    }

    /// Those of the ways from a result that end in something suitable. Members of it are of no kind that we
    /// know.
    pub(super) fn among(&self, from: &Kind, ways: Rc<[Way]>) -> Rc<[Way]> {
        match self {
            SuitableResults::Same(alias) if *alias != from.alias.as_ref() => {
                ways.iter().filter(|way| !way.is_itself()).cloned().collect()
            }
            _ => ways,
        }
    }
}
