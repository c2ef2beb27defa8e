//! A property of a machine as constants: the tables, the letters, the search, the message.

use super::automata::{self, Standing};
use super::formula::{Atom, Atoms, Formula, Predicate, Written};
use super::names::{Names, placed};
use super::random::{N_DEPTH, N_RANDOM, random};
use super::{Head, Options, doc_text, parts};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Error, Path, Result};

/// States that are explored where nothing else is said: those that the machine has explored itself.
const N_STATES: u64 = 128;
/// States that are explored for `exhaustive`.
const N_EXHAUSTIVE: u64 = 2048;
/// How much more a test does.
const TIMES: u64 = 100;

pub(super) fn expand(
    head: &Head,
    machine: &Path,
    options: &Options,
    written: &Written,
) -> Result<TokenStream> {
    let Head { docs, visibility, name } = head;
    let mut atoms = Atoms::default();
    let formula = atoms.normal(written, false)?;
    let negated = atoms.normal(written, true)?;
    let too_large =
        || Error::new_spanned(name, "this formula is too large to be checked: split it into several");
    let monitor = automata::monitor(&formula, atoms.all.len()).ok_or_else(too_large)?;
    let automaton = automata::automaton(&negated).ok_or_else(too_large)?;
    let n_states_of_automaton = automaton.first.len() - 1;
    let parts = parts::text(&formula);
    let (monitor_text, automaton) = (monitor_text(&monitor, atoms.all.len()), automaton_text(&automaton));
    let inner = from_inside(machine);
    let imported = placed(quote!(use #inner as __m;), machine.span());
    let letter = letter(&atoms, &inner);
    let (reaches, has_reach) = reaches(&atoms);
    let (conditions, condition_texts) = conditions(&atoms, options);
    let text = written.text();
    let doc = doc_text(docs);
    let machine_name = machine.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    let name_text = name.to_string();
    let numbers = &atoms.numbers;
    let is_thorough = atoms.has_operations && !numbers.is_empty();
    if options.is_driven && has_reach {
        return Err(Error::new_spanned(
            name,
            "what can be reached is a question about the machine: leave `driven` or `can_reach` out",
        ));
    }
    let check = match options.is_driven {
        true => quote!(),
        false => check(&monitor, options, has_reach, is_thorough, n_states_of_automaton, (&atoms, &inner)),
    };
    let (n_traces, depth) = (options.random.unwrap_or(N_RANDOM), options.depth.unwrap_or(N_DEPTH));
    let n_tests = options.tests.unwrap_or(n_traces * TIMES);
    let (times, is_auto, may_be_open) = (TIMES, atoms.is_auto, options.may_be_open);
    let is_random = options.random.is_some();
    let test_name = format_ident!("{name}", span = name.span());
    let test = (!options.is_driven).then(|| {
        quote! {
            #[cfg(test)]
            #[test]
            fn #test_name() {
                ::stairway::machine::check_formula(::core::module_path!(), &#name::FORMULA);
            }
        }
    });
    let max_states = options.states.unwrap_or(N_STATES) * TIMES;
    let bounded = if options.is_exhaustive { options.depth } else { None };
    let max_depth = bounded.unwrap_or(u64::from(u32::MAX)) as u32;
    let expanded = quote! {
        #(#docs)*
        #[allow(dead_code, unused_imports, unreachable_pub, clippy::all, clippy::pedantic, missing_docs)]
        #visibility mod #name {
            use super::*;
            #imported
            use __m::names::*;
            use ::stairway::engine::machine as __e;

            /// The formula, for runs of a real system.
            pub const FORMULA: ::stairway::machine::Formula<__m::Machine> = ::stairway::machine::Formula {
                name: #name_text,
                text: #text,
                doc: #doc,
                monitor: __MONITOR,
                automaton: __AUTOMATON,
                parts: __PARTS,
                letter: __letter,
                reaches: __REACHES,
                conditions: __CONDITIONS,
                condition_texts: &[#(#condition_texts),*],
                extra: &[#(#numbers),*],
                is_thorough: #is_thorough,
                is_auto: #is_auto,
                may_be_open: #may_be_open,
                is_random: #is_random,
                n_traces: #n_tests,
                depth: #depth,
                times: #times,
                max_states: #max_states as usize,
                max_depth: #max_depth,
            };
            #[doc(hidden)]
            pub const __MONITOR: __e::Monitor = #monitor_text;
            #[doc(hidden)]
            pub const __AUTOMATON: __e::Automaton = #automaton;
            const __PARTS: &[__e::Part] = &[#(#parts),*];
            const __REACHES: &[__e::Reach] = &[#(#reaches),*];
            const __CONDITIONS: &[__e::Condition] = &[#(#conditions),*];
            #letter
            const __HEAD: &str = concat!("property `", #name_text, "` of machine `", #machine_name, "` does not hold", #doc, "\n  formula: ", #text);
            const __NOT_DECIDED: &str = concat!("property `", #name_text, "` of machine `", #machine_name, "` is not decided", #doc, "\n  formula: ", #text);
            const __NOT_CHECKED: &str = concat!("property `", #name_text, "` of machine `", #machine_name, "` was not checked", #doc, "\n  formula: ", #text);
            #check
        }
        #test
    };
    // If the machine has a mistake, only that is said.
    Ok(quote!(#machine::__check! { #expanded }))
}

/// The path to the machine from inside of the property's module.
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

fn monitor_text(monitor: &automata::Monitor, n_atoms: usize) -> TokenStream {
    let automata::Monitor { table, standings, waits } = monitor;
    let standings = standings.iter().map(|standing| {
        let word = Ident::new(
            match standing {
                Standing::Fails => "Fails",
                Standing::Waiting => "Waiting",
                Standing::Open => "Open",
                Standing::Holds => "Holds",
            },
            Span::call_site(),
        );
        quote!(__e::Standing::#word)
    });
    let n_atoms = n_atoms as u32;
    quote!(__e::Monitor { table: &[#(#table),*], standings: &[#(#standings),*], waits: &[#(#waits),*], n_atoms: #n_atoms })
}

fn automaton_text(automaton: &automata::Automaton) -> TokenStream {
    let automata::Automaton { moves, first, promises } = automaton;
    let moves = moves.iter().map(|automata::Move { must, must_not, to, kept }| {
        let to = to.unwrap_or(u16::MAX);
        quote!(__e::Move { to: #to, must: #must, must_not: #must_not, kept: #kept })
    });
    quote!(__e::Automaton { moves: &[#(#moves),*], first: &[#(#first),*], promises: #promises })
}

/// Where predicates are looked at: the state, the operation that led to it, and the bits that are set.
pub(super) struct Looked {
    pub(super) state: TokenStream,
    pub(super) op: TokenStream,
    pub(super) bits: TokenStream,
}

/// Statements that set the bit of each predicate that holds in a state; those about the operation that led there
/// are apart.
pub(super) fn predicates(
    atoms: &Atoms,
    machine: &TokenStream,
    Looked { state, op, bits }: &Looked,
) -> (TokenStream, TokenStream) {
    let one = |k: usize, value: &TokenStream, top: &str, predicate: &Predicate| {
        let pattern = Names { machine, top }.qualified(&predicate.pattern);
        let guard = predicate.guard.as_ref().map(|guard| quote!(if #guard));
        let bit = Literal::u32_unsuffixed(1 << k);
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
            Atom::CanReach(_) => {}
        }
    }
    (states, operations)
}

/// The function that says which predicates hold after a step.
fn letter(atoms: &Atoms, machine: &TokenStream) -> TokenStream {
    let looked = Looked { state: quote!(*__state), op: quote!(*__op), bits: quote!(__letter) };
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

fn reaches(atoms: &Atoms) -> (Vec<TokenStream>, bool) {
    let mut reaches = Vec::new();
    for (k, atom) in atoms.all.iter().enumerate() {
        if let Atom::CanReach(goal) = atom {
            let (bit, goal) = (1u32 << k, condition(goal));
            reaches.push(quote!(__e::Reach { bit: #bit, goal: #goal }));
        }
    }
    let has_reach = !reaches.is_empty();
    (reaches, has_reach)
}

fn conditions(atoms: &Atoms, options: &Options) -> (Vec<TokenStream>, Vec<String>) {
    if options.may_be_vacuous {
        return (Vec::new(), Vec::new());
    }
    atoms.conditions.iter().map(|(formula, text)| (condition(formula), text.clone())).unzip()
}

/// What the compiler evaluates.
fn check(
    monitor: &automata::Monitor,
    options: &Options,
    has_reach: bool,
    is_thorough: bool,
    n_automaton: usize,
    (atoms, machine): (&Atoms, &TokenStream),
) -> TokenStream {
    let is_needed = if options.random.is_some() { quote!(true) } else { quote!(!__G.is_complete()) };
    let random = random(monitor, options, is_thorough, (atoms, machine), &is_needed);
    if let (Some(_), false) = (options.random, has_reach) {
        return quote! {
            #random
            const _: () = {
                if let Some((n, length, why)) = __FAILED {
                    panic!("{}", __again(n, length, why).as_str())
                }
            };
        };
    }
    let numbers = &atoms.numbers;
    let is_own = is_thorough || options.states.is_some() || options.is_exhaustive;
    let n_states =
        options.states.unwrap_or(if options.is_exhaustive { N_EXHAUSTIVE } else { N_STATES }) as usize;
    let n_edges = n_states * 8;
    let max_depth =
        if options.is_exhaustive { options.depth.unwrap_or(u64::from(u32::MAX)) as u32 } else { u32::MAX };
    let graph = if is_own {
        quote!(const __G: __m::__Explored<#n_states, #n_edges> = __m::__explore(#max_depth, &[#(#numbers),*], #is_thorough, usize::MAX);)
    } else {
        quote!(
            const __G: __m::__Explored<128, 1024> =
                if __m::__GRAPH.is_complete() { __m::__GRAPH } else { __m::__whole::<true>() };
        )
    };
    let must_be_complete = options.is_exhaustive && options.depth.is_none() || has_reach;
    let goes_on = !options.is_exhaustive && !has_reach;
    let is_auto = atoms.is_auto;
    let (random, then) = if goes_on {
        (
            random,
            quote!(if !__G.is_complete() {
                if let Some((n, length, why)) = __FAILED {
                    return (__again(n, length, why), 0);
                }
                if __LONGEST > longest {
                    longest = __LONGEST;
                }
            }),
        )
    } else {
        (quote!(), quote!())
    };
    quote! {
        #[allow(long_running_const_eval)]
        #graph
        const __N: usize = __G.n * #n_automaton;
        const __E: usize = __G.n_edges;
        const __MOST: usize = __e::Search::longest_path(__N);
        #random
        /// What does not hold, and how many steps `within(auto, ..)` needs.
        const fn __exhaustive() -> (__e::Text, u32) {
            let mut edges = [__e::Edge::BLANK; __E];
            let mut i = 0;
            while i < __E {
                let op = match &__G.ops[i] { Some(op) => Some(op), None => None };
                edges[i] = __e::Edge { to: __G.to[i], letter: __letter(op, &__G.states[__G.to[i] as usize]) };
                i += 1;
            }
            let mut letters = [0u32; __G.n];
            let mut i = 0;
            while i < __G.n { letters[i] = __letter(None, &__G.states[i]); i += 1; }
            let first = __G.first.split_at(__G.n).0;
            let mut t = __e::Text::new();
            let undecided = __e::mark(
                (&mut edges, first, __G.is_known.split_at(__G.n).0), &mut letters, __REACHES,
                &mut [false; __G.n], &mut [false; __G.n],
            );
            let graph = __e::Graph { n: __G.n, edges: &edges, first };
            let (mut path, mut room) = ([0; __MOST], [0; __e::Search::room(__N)]);
            let mut search = __e::Search::new(&mut path, &mut room, __N);
            if undecided.is_none() || !#has_reach {
                if let Some(found) = search.run(&graph, &__AUTOMATON, letters[0]) {
                    t.str(__HEAD);
                    let of_run = &mut [0u32; __MOST + 1] as &mut [_];
                    let room = &mut [false; (__MOST + 1) * __PARTS.len()] as &mut [_];
                    let found = __e::shorten(__PARTS, (&edges, letters[0]), search.path, found, (of_run, room));
                    let is_sure = __e::is_counterexample((&__MONITOR, __PARTS), (&edges, letters[0]), search.path, found, (of_run, room));
                    ::stairway::machine::__counted(&mut t, __G.n, __G.is_complete(), is_sure);
                    let (mut ops, mut states) = ([None; __MOST], [__m::START; __MOST]);
                    let mut i = 0;
                    while i < found.n_path && i < __MOST {
                        let e = search.path[i] as usize;
                        ops[i] = __G.ops[e];
                        states[i] = __G.states[__G.to[e] as usize];
                        i += 1;
                    }
                    __m::__show_run(&mut t, &ops, &states, found.n_path, found.circle_from);
                    return (t, 0);
                }
            }
            if #must_be_complete && !__G.is_complete() {
                ::stairway::machine::__incomplete(&mut t, __NOT_DECIDED, __G.n, __G.ended, #has_reach);
                t.str("; the last ones were:");
                let mut i = __G.n.saturating_sub(3);
                while i < __G.n { t.str("\n    "); __G.states[i].__show(&mut t); i += 1; }
                return (t, 0);
            }
            if __G.is_complete() && let Some(k) = __e::never_met(&edges, letters[0], __CONDITIONS) {
                ::stairway::machine::__vacuous(&mut t, __NOT_CHECKED, FORMULA.condition_texts[k]);
                return (t, 0);
            }
            let mut longest = 0;
            if #is_auto {
                const __P: usize = __G.n * __MONITOR.standings.len();
                const __PE: usize = __G.n_edges * __MONITOR.standings.len();
                let rooms = (&mut [__e::Edge::BLANK; __PE] as &mut [_], &mut [0u32; __P] as &mut [_], &mut [false; __P] as &mut [_], &mut [0u32; __P] as &mut [_]);
                if let Some(wait) = __e::wait(&graph, &__MONITOR, letters[0], rooms) { longest = wait; }
            }
            #then
            (t, longest)
        }
        #[allow(long_running_const_eval)]
        const __VERDICT: (__e::Text, u32) = __exhaustive();
        /// The smallest number of steps for which `within(auto, ..)` holds; 0 where it is not asked for.
        pub const WITHIN: u32 = __VERDICT.1;
        const _: () = {
            if !__VERDICT.0.is_empty() { panic!("{}", __VERDICT.0.as_str()) }
            if #is_auto && ::core::option_env!("STAIRWAY_SHOW_WITHIN").is_some() {
                panic!("{}", ::stairway::machine::__within(FORMULA.name, WITHIN).as_str())
            }
        };
    }
}
