//! A property of a machine as constants: tables, letters, search and message.

use super::formula::{Amount, Atom, Atoms, ParsedFormula, Predicate};
use super::names::{Names, placed};
use super::vacuity::strengthened;
use super::verdict::{self, N_DEPTH, N_RANDOM};
use super::{Head, Options, doc_text};
use crate::home::Home;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use stairway_formula::{Automaton, AutomatonTables, Formula, Monitor, Move, automaton, monitor, parts};
use syn::spanned::Spanned;
use syn::{Error, Path, Result};

/// States that are explored where nothing else is said: those that the machine has explored itself.
const N_STATES: u64 = 1024;
/// States that are explored for `exhaustive`.
const N_EXHAUSTIVE: u64 = 10_000;
/// How much more a test does.
const TIMES: u64 = 100;

pub(super) fn expand(
    head: &Head,
    machine: &Path,
    options: &Options,
    written: &ParsedFormula,
    home: Home,
) -> Result<TokenStream> {
    let Head { docs, visibility, name } = head;
    let mut atoms = Atoms::default();
    let formula = atoms.normal(written)?;
    let too_large =
        || Error::new_spanned(name, "this formula is too large to be checked: split it into several");
    let tables = monitor(&formula, atoms.all.len()).ok_or_else(too_large)?;
    let monitor = tables.monitor();
    let against = automaton(&formula.clone().negated(), atoms.all.len()).ok_or_else(too_large)?;
    let antecedents = if options.may_be_vacuous { Vec::new() } else { antecedents(written, &mut atoms)? };
    let parts = parts(&formula).into_iter().map(|part| named("Part", part));
    let (monitor_text, automaton) = (monitor_text(&monitor), automaton_text(&against));
    let inner = from_inside(machine);
    let imported = placed(quote!(use #inner as __m;), machine.span());
    let (letter, asked) = (letter(&atoms, &inner), numbers(&atoms, &inner));
    let branches = branches(&atoms);
    let (conditions, mut condition_texts) = conditions(&atoms, options);
    condition_texts.extend(antecedents.iter().map(|(text, _)| text.clone()));
    let antecedents = antecedents.iter().map(|(_, tables)| automaton_text(tables));
    let text = written.text();
    let doc = doc_text(docs);
    let machine_name = machine.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    let name_text = name.to_string();
    let (numbers, arguments) = (&atoms.numbers, named("Arguments", atoms.arguments));
    let has_branches = !branches.is_empty();
    if options.is_driven && has_branches {
        return Err(Error::new_spanned(
            name,
            "what can be done is a question about the machine: leave `driven` out, or `can_reach`, `can_always`, `inevitably` and fairness",
        ));
    }
    let check = match options.is_driven {
        true => quote!(),
        false => verdict::check(&monitor, options, head, &machine_name, has_branches, (&atoms, &inner)),
    };
    let (n_traces, depth) = (options.random.unwrap_or(N_RANDOM), options.depth.unwrap_or(N_DEPTH));
    let n_tests = options.tests.unwrap_or(n_traces * TIMES);
    let (times, is_auto, may_be_open) = (TIMES, atoms.is_auto, options.may_be_open);
    let is_random = options.random.is_some();
    let test_name = format_ident!("{name}", span = name.span());
    let is_tested = home == Home::Stairway;
    let test = (is_tested && !options.is_driven).then(|| {
        quote! {
            #[cfg(test)]
            #[test]
            fn #test_name() {
                ::stairway::machine::check_formula(::core::module_path!(), &#name::FORMULA);
            }
        }
    });
    let max_states = n_states(options) * TIMES;
    let bounded = if options.is_exhaustive { options.depth } else { None };
    let max_depth = bounded.unwrap_or(u64::from(u32::MAX)) as u32;
    let formula = is_tested.then(|| {
        quote! {
            /// The formula, for runs of a real system.
            pub const FORMULA: ::stairway::machine::Formula<__m::Machine> = ::stairway::machine::Formula {
                name: #name_text,
                text: #text,
                doc: #doc,
                tables: __TABLES,
                letter: __letter,
                condition_texts: __CONDITION_TEXTS,
                scrutiny: __SCRUTINY,
                is_auto: #is_auto,
                may_be_open: #may_be_open,
                is_random: #is_random,
                n_traces: #n_tests,
                depth: #depth,
                times: #times,
                max_states: #max_states as usize,
                max_depth: #max_depth,
            };
        }
    });
    let expanded = quote! {
        #(#docs)*
        #[allow(dead_code, unused_imports, unreachable_pub, clippy::all, clippy::pedantic, missing_docs)]
        #visibility mod #name {
            use super::*;
            #imported
            use __m::names::*;
            use ::stairway::machine::core as __e;

            #formula
            const __SCRUTINY: __e::Scrutiny<'static> = __e::Scrutiny { numbers: &[#(#numbers),*], arguments: #arguments };
            const __TABLES: __e::Tables = __e::Tables {
                monitor: __MONITOR,
                automaton: #automaton,
                parts: &[#(#parts),*],
                branches: &[#(#branches),*],
                conditions: &[#(#conditions),*],
                antecedents: &[#(#antecedents),*],
            };
            const __MONITOR: __e::Monitor = #monitor_text;
            const __CONDITION_TEXTS: &[&str] = &[#(#condition_texts),*];
            #letter
            #asked
            const __HEAD: __e::Head<'static> = __e::Head { property: #name_text, machine: #machine_name, doc: #doc, formula: #text };
            #check
        }
        #test
    };
    // If the machine has a mistake, only that is reported.
    Ok(quote!(#machine::__check! { #expanded }))
}

/// How many states the compiler explores.
pub(super) fn n_states(options: &Options) -> u64 {
    options.states.unwrap_or(if options.is_exhaustive || options.is_proved { N_EXHAUSTIVE } else { N_STATES })
}

/// Automata that have to accept a run, with the text of the condition that is never met if one does not.
/// Conditions on one moment that stand for all moments are only looked for.
fn antecedents(written: &ParsedFormula, atoms: &mut Atoms) -> Result<Vec<(String, AutomatonTables)>> {
    let mut all = Vec::new();
    for found in strengthened(written) {
        let condition = atoms.normal(&found.condition)?;
        if found.is_everywhere && condition.is_momentary(&|_| true) {
            atoms.require(condition, &found.condition.text());
        } else if let Some(automaton) = automaton(&atoms.normal(&found.formula)?.negated(), atoms.all.len()) {
            all.push((found.condition.text(), automaton));
        }
    }
    Ok(all)
}

/// The path to the machine from inside the property's module.
fn from_inside(machine: &Path) -> TokenStream {
    let first = machine.segments.first().map(|first| first.ident.to_string());
    match first.as_deref() {
        Some("self") => {
            let rest = machine.segments.iter().skip(1);
            quote!(super::#(#rest)::*)
        }
        Some("super") => quote!(super::#machine),
        _ => quote!(#machine),
    }
}

/// A value of one of the enums of tables as it is written.
fn named(ty: &str, value: impl std::fmt::Debug) -> TokenStream {
    format!("__e::{ty}::{value:?}").parse().expect("a name and numbers are tokens")
}

fn monitor_text(Monitor { table, standings, waits, n_atoms }: &Monitor<'_>) -> TokenStream {
    let standings = standings.iter().map(|standing| named("Standing", standing));
    quote!(__e::Monitor { table: &[#(#table),*], standings: &[#(#standings),*], waits: &[#(#waits),*], n_atoms: #n_atoms })
}

fn automaton_text(tables: &AutomatonTables) -> TokenStream {
    let Automaton { rows, first, moves, is_cyclic, n_states, n_atoms, width, promises } = tables.automaton();
    let moves = moves.iter().map(|Move { to, kept }| quote!(__e::Move { to: #to, kept: #kept }));
    quote! {
        __e::Automaton {
            rows: &[#(#rows),*], first: &[#(#first),*], moves: &[#(#moves),*],
            is_cyclic: &[#(#is_cyclic),*], n_states: #n_states, n_atoms: #n_atoms, width: #width, promises: #promises,
        }
    }
}

/// Where predicates are looked at: the state, the operation that led to it, and the bits that are set.
pub(super) struct PredicateInputs {
    pub(super) state: TokenStream,
    pub(super) op: TokenStream,
    pub(super) bits: TokenStream,
}

/// Statements that set the bit of each predicate that holds in a state; those about the operation that led
/// there are apart.
pub(super) fn predicates(
    atoms: &Atoms,
    machine: &TokenStream,
    PredicateInputs { state, op, bits }: &PredicateInputs,
) -> (TokenStream, TokenStream) {
    let one = |k: usize, value: &TokenStream, top: &str, predicate: &Predicate| {
        let bit = Literal::u32_unsuffixed(1 << k);
        let guard = predicate.guard.as_ref().map(|guard| quote!(if #guard));
        if let Some((part, amount)) = &predicate.part {
            return of_part(predicate, (part, *amount), machine, (value, &quote!(#bits |= #bit)));
        }
        let pattern = Names { machine, top }.qualified(&predicate.pattern);
        quote! {
            #[allow(unreachable_patterns)]
            match #value { #pattern #guard => #bits |= #bit, _ => {} }
        }
    };
    let (mut states, mut operations) = (TokenStream::new(), TokenStream::new());
    for (k, atom) in atoms.all.iter().enumerate() {
        match atom {
            Atom::At(predicate) => {
                states.extend(one(k, state, "State", predicate));
            }
            Atom::After(predicate) => {
                operations.extend(one(k, op, "Op", predicate));
            }
            Atom::Branching(..) => {}
        }
    }
    (states, operations)
}

/// A statement that sets a bit if a predicate holds of a part of the state.
fn of_part(
    predicate: &Predicate,
    (part, amount): (&Ident, Amount),
    machine: &TokenStream,
    (state, set): (&TokenStream, &TokenStream),
) -> TokenStream {
    // Where the part's name was written, so that a wrong one is an error there.
    let module = placed(quote!(#machine::), part.span());
    let module = quote!(#module #part);
    let pattern = Names { machine: &module, top: "State" }.qualified(&predicate.pattern);
    let guard = predicate.guard.as_ref().map(|guard| quote!(if #guard));
    let matched = |value: TokenStream, then: &TokenStream| quote!(#[allow(unreachable_patterns)] match #value { #pattern #guard => #then, _ => {} });
    let number = |n| Literal::u32_unsuffixed(n);
    let of_several = |is_met: TokenStream| {
        let several = placed(quote!(__e::copies(__part)), part.span());
        let counted = matched(quote!(__part.__get(__k)), &quote!(__n += 1));
        quote! {
            let __part = #several;
            let (mut __n, mut __k) = (0u32, 0usize);
            while __k < __part.__len() { #counted __k += 1; }
            if #is_met { #set }
        }
    };
    let asked = match amount {
        Amount::Itself => matched(quote!(__part), set),
        Amount::Number(n) => {
            let (n, one) = (number(n), placed(quote!(__e::numbered), part.span()));
            matched(quote!(#one(__part, #n)), set)
        }
        Amount::AtLeast(n) => {
            let n = number(n);
            of_several(quote!(__n >= #n))
        }
        Amount::Every => of_several(quote!(__n as usize == __part.__len())),
    };
    quote!({ let #machine::State::System { #part: __part, .. } = #state; #asked })
}

/// Checks that the copies exist that predicates ask about by their numbers.
fn numbers(atoms: &Atoms, machine: &TokenStream) -> TokenStream {
    let number = |atom: &Atom| match atom {
        Atom::At(Predicate { part: Some((part, Amount::Number(n))), .. }) => Some((part.clone(), *n)),
        _ => None,
    };
    let checks = atoms.all.iter().filter_map(number).map(|(part, n)| {
        let wrong = format!("there is no `{part}[{n}]`: the first copy has the number 0");
        let n = Literal::u32_unsuffixed(n);
        quote_spanned! {part.span()=>
            const _: () = {
                let #machine::State::System { #part: __part, .. } = #machine::START;
                assert!(__e::has_number(__part, #n), #wrong);
            };
        }
    });
    checks.collect()
}

/// The function that says which predicates hold after a step.
fn letter(atoms: &Atoms, machine: &TokenStream) -> TokenStream {
    let looked = PredicateInputs { state: quote!(*__state), op: quote!(*__op), bits: quote!(__letter) };
    let (states, operations) = predicates(atoms, machine, &looked);
    quote! {
        #[doc(hidden)]
        #[allow(unused_variables, unused_mut)]
        pub const fn __letter(__op: ::core::option::Option<&__m::Op>, __state: &__m::State) -> u32 {
            let mut __letter = 0;
            #states
            if let Some(__op) = __op { #operations }
            __letter
        }
    }
}

fn condition(formula: &Formula) -> TokenStream {
    let alternatives = formula.alternatives();
    let pairs = alternatives.iter().map(|(must, must_not)| quote!((#must, #must_not)));
    quote!(&[#(#pairs),*])
}

fn branches(atoms: &Atoms) -> Vec<TokenStream> {
    let mut branches = Vec::new();
    for (k, atom) in atoms.all.iter().enumerate() {
        if let Atom::Branching(asks, goal) = atom {
            let (bit, goal) = (1u32 << k, condition(goal));
            let asks = named("Branching", asks);
            branches.push(quote!(__e::Branch { bit: #bit, asks: #asks, goal: #goal }));
        }
    }
    branches
}

fn conditions(atoms: &Atoms, options: &Options) -> (Vec<TokenStream>, Vec<String>) {
    if options.may_be_vacuous {
        return (Vec::new(), Vec::new());
    }
    atoms.conditions.iter().map(|(formula, text)| (condition(formula), text.clone())).unzip()
}
