//! Every name that the expansion uses may be one of the user's.
//!
//! The test here collects the identifiers of expansions and compares them with two files. The test `hygiene` of
//! `stairway` is compiled with these files and uses each identifier as the name of fields and of an operation.
//! So a new identifier in an expansion is tried, or the test here fails. `declared.in` has the names that the
//! expansion declares, which are the ones that could meet the user's; `mentioned.in` has all others. Both are
//! compiled by `cargo xtask test --full` only, because that takes rustc more than a minute. Names that begin with `_` are
//! reserved for the macros. Variables in the macros of `stairway-machine` that an expansion calls are not in
//! these files: `macro_rules!` keeps them apart from the user's.

use super::*;
use proc_macro2::TokenTree;
use std::collections::BTreeSet;
use syn::visit::{self, Visit};

/// Where the files are.
const FOLDER: &str = "../stairway/tests/hygiene";
/// Fields in one machine: what rustc needs grows faster than the number of fields.
const N_FIELDS: usize = 4;
/// Operations in one machine.
const N_OPERATIONS: usize = 30;

fn collect(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                names.insert(name.to_string());
            }
            TokenTree::Group(group) => collect(group.stream(), names),
            _ => {}
        }
    }
}

/// Variables, parameters, functions and types that an expansion declares.
#[derive(Default)]
struct DeclaredNames(BTreeSet<String>);

impl<'a> Visit<'a> for DeclaredNames {
    fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
        self.0.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }

    fn visit_signature(&mut self, signature: &'a syn::Signature) {
        self.0.insert(signature.ident.to_string());
        visit::visit_signature(self, signature);
    }

    fn visit_item(&mut self, item: &'a Item) {
        let name = match item {
            Item::Const(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Mod(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            _ => None,
        };
        self.0.extend(name.map(ToString::to_string));
        visit::visit_item(self, item);
    }

    fn visit_generic_param(&mut self, parameter: &'a syn::GenericParam) {
        match parameter {
            syn::GenericParam::Type(of) => drop(self.0.insert(of.ident.to_string())),
            syn::GenericParam::Const(of) => drop(self.0.insert(of.ident.to_string())),
            syn::GenericParam::Lifetime(_) => {}
        }
        visit::visit_generic_param(self, parameter);
    }
}

/// Machines and properties that use everything there is to expand.
fn expansions() -> Vec<TokenStream> {
    let plain = quote! {
        pub mod door {
            pub enum State { Shut { n: u8 }, Open { held: Hold, at: [bool; 2] }, #[terminal] Gone }
            pub enum Op { Push { hard: u8, ret: Hold }, Pull { code: char }, Leave, Wait { ret: u8 } }
            pub enum Hold { Loose, Firm { by: (u8, i64), how: Option<u32> } }
            pub struct Weight { pub kilos: f64 }
            const fn is_hard(n: u8) -> bool { n > 3 }
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (Shut { n }, Push { hard, ret }) if is_hard(hard) && n < 4 => Open { held: ret, at: [true; 2] },
                    (Shut { n }, Push { hard: 1, .. }) if n > 2 => Shut { n: n - 1 },
                    (Open { .. }, Pull { code: 'a' }) => Shut { n: 0 },
                    (Open { .. }, Leave) => Gone,
                    (Shut { n: 0 }, Wait { ret }) => Shut { n: ret },
                }
            }
        }
    };
    let proposed = quote! {
        pub mod lamp {
            pub enum State { Off { #[tracked(0..=2)] n: u8 }, On { k: u32 } }
            pub enum Op { Press, Wait { ret: bool } }
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (Off { .. }, Press) => On { k: 0 },
                    (On { k }, Wait { ret: true }) => On { k: k + 1 },
                    (On { k }, Wait { ret: false }) => On { k },
                    (On { .. }, Press) => Off { n: 1 },
                }
            }
            fn options(s: State, c: &mut Choices) -> Op {
                match s { Off { .. } => Press, On { .. } => if c.chance(1, 2) { Press } else { Wait { ret: true } } }
            }
        }
    };
    let counting = quote! {
        pub mod pages {
            pub enum State { Open { #[tracked] n: u32 } }
            pub enum Op { Turn, Back }
            fn next(s: State, op: Op) -> State {
                match (s, op) { (Open { n }, Turn) => Open { n: n + 1 }, (Open { .. }, Back) => Open { n: 0 } }
            }
        }
    };
    let given = quote!(pub mod house = door * 2 lamp; channel hard: Push -> Press, lossy, duplicating; broadcast Wait);
    let part = |options: TokenStream, module: &TokenStream| quote!({ { #options } #module });
    let (first, second) =
        (part(quote!(start = Shut { n: 0 }), &plain), part(quote!(start = Off { n: 0 }), &proposed));
    let composed = composed(quote!({ #given } #first #second), Home::Stairway);
    let formula = |text: TokenStream| crate::temporal::temporal(text, Home::Stairway);
    vec![
        machine(quote!(start = Shut { n: 0 }), plain, Home::Stairway),
        machine(quote!(start = Off { n: 0 }), proposed, Home::Stairway),
        machine(quote!(start = Open { n: 0 }), counting, Home::Stairway),
        composed,
        formula(
            quote!(comes_back in door, proved: always(implies(at(Shut { n: 0 }), within(auto, after(Push { hard: 3.., .. }))))),
        ),
        formula(
            quote!(fairly in house, random(3), depth(4): implies(strongly_fair(Press), eventually(some(lamp: On)))),
        ),
        formula(quote!(branches in door, exhaustive, depth(3): always(can_reach(inevitably(at(Gone)))))),
    ]
}

fn camel(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default() + letters.as_str()
    };
    name.split('_').map(word).collect()
}

/// Names for the methods of operations: a keyword is written as a raw identifier, and some cannot be.
fn method(operation: &str) -> Option<String> {
    let name = snake(operation);
    let is_identifier = |name: &str| syn::parse_str::<Ident>(name).is_ok();
    if is_identifier(&name) {
        return Some(name);
    }
    let is_path_word = ["self", "super", "crate", "_"].contains(&name.as_str());
    (!is_path_word).then(|| format!("r#{name}"))
}

/// The file as it should be: machines with a few fields each, and machines with some operations each.
fn text(names: &BTreeSet<String>) -> String {
    let is_identifier = |name: &str| syn::parse_str::<Ident>(name).is_ok() && !name.starts_with('_');
    let usable: Vec<&str> = names.iter().map(String::as_str).filter(|name| is_identifier(name)).collect();
    // A field called `ret` is the result.
    let is_field = |name: &&str| name.starts_with(char::is_lowercase) && *name != "ret";
    let fields: Vec<&str> = usable.iter().copied().filter(is_field).collect();
    // Variants cannot have Rust's own names; the macro refuses them with a message about it.
    let is_operation =
        |name: &String| is_identifier(name) && !["Some", "None", "Ok", "Err"].contains(&&**name);
    let variants: BTreeSet<String> = usable.iter().map(|name| camel(name)).filter(is_operation).collect();
    // Two operations cannot share a method.
    let operations: BTreeMap<String, &String> =
        variants.iter().filter_map(|name| method(name).map(|method| (method, name))).collect();
    let operations: Vec<String> =
        operations.iter().map(|(method, name)| format!("{name} {method}")).collect();
    let group = |(k, names): (usize, String)| format!("    group_{k}: {names};\n");
    let fields = fields.chunks(N_FIELDS).map(|names| names.join(" ")).enumerate().map(group);
    let operations = operations.chunks(N_OPERATIONS).map(|names| names.join(", ")).enumerate().map(group);
    format!(
        "fields! {{\n{}}}\noperations! {{\n{}}}\n",
        fields.collect::<String>(),
        operations.collect::<String>()
    )
}

#[test]
fn every_name_of_the_expansion_is_tried() {
    let (mut declared, mut mentioned) = (DeclaredNames::default(), BTreeSet::new());
    for expansion in expansions() {
        assert!(!expansion.to_string().contains("compile_error"), "{expansion}");
        declared.visit_file(&syn::parse2(expansion.clone()).expect("expansions are items"));
        collect(expansion, &mut mentioned);
    }
    assert!(declared.0.len() > 50 && mentioned.len() > 200, "{} of {}", declared.0.len(), mentioned.len());
    let others = mentioned.difference(&declared.0).cloned().collect();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    for (file, text) in [("declared.in", text(&declared.0)), ("mentioned.in", text(&others))] {
        let file = folder.join(file);
        if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
            std::fs::write(&file, &text).expect("the file can be written");
        }
        let known = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            known == text,
            "the expansion has other names: run this test with INSTA_UPDATE=always, then the test `hygiene` of `stairway`"
        );
    }
}
