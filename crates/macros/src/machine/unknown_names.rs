//! Reports names in patterns that exist nowhere: Rust takes them for variables, which match everything.

use super::arms::Next;
use super::names::guess;
use crate::attributes::Problems;
use syn::visit::{self, Visit};
use syn::{Fields, Item, ItemEnum, ItemFn, ItemStruct, UseTree};

/// Looks for names that begin with a capital letter and mean nothing.
pub(super) fn diagnose(
    next: &Next,
    options: Option<&ItemFn>,
    (enums, structs, rest): (&[ItemEnum], &[ItemStruct], &[Item]),
    problems: &mut Problems,
) {
    let mut known: Vec<String> =
        enums.iter().flat_map(|e| e.variants.iter().map(|v| v.ident.to_string())).collect();
    let values = known.clone();
    known.extend(structs.iter().filter(|s| matches!(s.fields, Fields::Unit)).map(|s| s.ident.to_string()));
    for item in rest {
        match item {
            Item::Const(item) => known.push(item.ident.to_string()),
            // What comes from elsewhere without a name may be anything.
            Item::Use(item) if !imported(&item.tree, &mut known) => return,
            _ => {}
        }
    }
    known.push("None".to_string());
    let mut finder = Finder { known, values, problems };
    finder.visit_expr_match(&next.whole);
    options.into_iter().for_each(|options| finder.visit_block(&options.block));
}

/// The path under which a name is imported into the module.
pub(super) fn path_of(wanted: &str, rest: &[Item]) -> Option<String> {
    fn find(tree: &UseTree, wanted: &str) -> Option<String> {
        match tree {
            UseTree::Path(path) => Some(format!("{}::{}", path.ident, find(&path.tree, wanted)?)),
            UseTree::Name(name) => (name.ident == wanted).then(|| wanted.to_string()),
            UseTree::Rename(name) => (name.rename == wanted).then(|| name.ident.to_string()),
            UseTree::Glob(_) => None,
            UseTree::Group(group) => group.items.iter().find_map(|tree| find(tree, wanted)),
        }
    }
    rest.iter().find_map(|item| match item {
        Item::Use(item) => find(&item.tree, wanted),
        _ => None,
    })
}

/// Adds the names that are imported; whether all of them can be known.
fn imported(tree: &UseTree, known: &mut Vec<String>) -> bool {
    match tree {
        UseTree::Path(path) => imported(&path.tree, known),
        UseTree::Name(name) => {
            known.push(name.ident.to_string());
            true
        }
        UseTree::Rename(name) => {
            known.push(name.rename.to_string());
            true
        }
        UseTree::Glob(_) => false,
        UseTree::Group(group) => group.items.iter().all(|tree| imported(tree, known)),
    }
}

struct Finder<'p> {
    known: Vec<String>,
    /// What may have been meant.
    values: Vec<String>,
    problems: &'p mut Problems,
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
        let name = pat.ident.to_string();
        let is_capital = name.starts_with(char::is_uppercase);
        if is_capital && pat.subpat.is_none() && !self.known.contains(&name) {
            let guess = guess(&name, &self.values);
            let message = format!(
                "no state, operation or value `{name}`{guess}: Rust takes it for a variable, which matches everything"
            );
            self.problems.at(&pat.ident, message);
        }
        visit::visit_pat_ident(self, pat);
    }
}
