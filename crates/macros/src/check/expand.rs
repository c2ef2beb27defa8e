//! A property of a machine as constants: the tables, the letters, the search, the message.

use super::automata::{self, Standing};
use super::formula::{Atom, Atoms, Formula, Predicate, Written};
use super::names::{Names, placed};
use super::{Head, Options, doc_text, parts};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Error, Path, Result};

/// Traces that are drawn where the states are too many, and their steps.
const N_RANDOM: u64 = 100;
const N_DEPTH: u64 = 20;
/// States that are explored where nothing else is said: those that the machine has explored itself.
const N_STATES: u64 = 128;
/// States that are explored for `exhaustive`.
const N_EXHAUSTIVE: u64 = 2048;
/// Random traces that are drawn by one constant, and how many such constants there may be.
const N_BATCH: u64 = 500;
const MAX_BATCHES: u64 = 100;
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

/// Statements that set the bit in `__letter` of each predicate that holds in `__state`; those about the
/// operation `__op` that led there are apart.
fn predicates(atoms: &Atoms, machine: &TokenStream) -> (TokenStream, TokenStream) {
    let one = |k: usize, value: TokenStream, top: &str, predicate: &Predicate| {
        let pattern = Names { machine, top }.qualified(&predicate.pattern);
        let guard = predicate.guard.as_ref().map(|guard| quote!(if #guard));
        let bit = Literal::u32_unsuffixed(1 << k);
        quote! {
            #[allow(unreachable_patterns)]
            match #value { #pattern #guard => __letter |= #bit, _ => {} }
        }
    };
    let (mut states, mut operations) = (TokenStream::new(), TokenStream::new());
    for (k, atom) in atoms.all.iter().enumerate() {
        match atom {
            Atom::At(predicate) => {
                states.extend(one(k, quote!(*__state), "State", predicate));
            }
            Atom::After(predicate) => {
                operations.extend(one(k, quote!(*__op), "Op", predicate));
            }
            Atom::CanReach(_) => {}
        }
    }
    (states, operations)
}

/// The function that says which predicates hold after a step.
fn letter(atoms: &Atoms, machine: &TokenStream) -> TokenStream {
    let (states, operations) = predicates(atoms, machine);
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
    let seed = options.seed.unwrap_or(1);
    let (n_traces, depth) = (options.random.unwrap_or(N_RANDOM), options.depth.unwrap_or(N_DEPTH));
    let may_be_open = options.may_be_open;
    let random = random(monitor, n_traces, depth as usize, seed, may_be_open, is_thorough, (atoms, machine));
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
        quote!(const __G: __e::Explored<__m::State, __m::Op, #n_states, #n_edges> = __m::__explore(#max_depth, &[#(#numbers),*], #is_thorough);)
    } else {
        quote!(
            const __G: __e::Explored<__m::State, __m::Op, 128, 1024> = __m::__GRAPH;
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
                    let rooms = (&mut [0u32; __MOST + 1] as &mut [_], &mut [false; (__MOST + 1) * __PARTS.len()] as &mut [_]);
                    let is_sure = __e::is_counterexample((&__MONITOR, __PARTS), (&edges, letters[0]), search.path, found, rooms);
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
                ::stairway::machine::__incomplete(&mut t, __NOT_DECIDED, __G.n, #has_reach);
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

/// Stands beside a row of [`turns`] whose state is not open.
const MARKED: u32 = 1 << 31;

/// The monitor's table as random traces use it, in which nearly every step leads to an open state.
fn turns(monitor: &automata::Monitor, n_atoms: usize) -> Vec<usize> {
    let turn = |to: &u16| {
        let is_open = monitor.standings[*to as usize] == Standing::Open;
        (*to as usize) << n_atoms | if is_open { 0 } else { MARKED as usize }
    };
    monitor.table.iter().map(turn).collect()
}

/// Random traces, without a record; a failing one is drawn again.
fn random(
    monitor: &automata::Monitor,
    n_traces: u64,
    depth: usize,
    seed: u64,
    may_be_open: bool,
    is_thorough: bool,
    (atoms, machine): (&Atoms, &TokenStream),
) -> TokenStream {
    let most = depth * 10 + 1;
    let (numbers, n_atoms) = (&atoms.numbers, atoms.all.len());
    let (turns, marked) = (turns(monitor, n_atoms), MARKED as usize);
    let n_turns = turns.len();
    let (states, operations) = predicates(atoms, machine);
    let step = match operations.is_empty() {
        true => quote!(if !__m::__advance(&mut __s, &mut __c, __extra, #is_thorough)),
        false => quote! {
            let __drawn = __m::__draw(__s, &mut __c, __extra, #is_thorough);
            if let Some((_, to)) = __drawn { __s = to; } else
        },
    };
    let operations = match operations.is_empty() {
        true => operations,
        false => quote!(if let Some((__op, _)) = &__drawn { #operations }),
    };
    let waited = atoms.is_auto.then(|| {
        quote! {
            __wait = if __waits[__at >> #n_atoms] { __wait + 1 } else { 0 };
            if __wait > __longest { __longest = __wait; }
        }
    });
    let batch = (n_traces / MAX_BATCHES).max(N_BATCH);
    let n_batches = n_traces.div_ceil(batch);
    let batches: Vec<Ident> = (0..n_batches).map(|k| format_ident!("__BATCH_{k}")).collect();
    let bounds = (0..n_batches).map(|k| {
        let (from, to) = (k * batch, ((k + 1) * batch).min(n_traces));
        quote!(#from, #to)
    });
    quote! {
        const __SEED: u64 = ::stairway::machine::__seed(::core::option_env!("STAIRWAY_CHECK_SEED"), #seed);
        type __Failed = ::core::option::Option<(u64, usize, &'static str)>;
        const __WAITED: &str = "it is still waited for what must happen; say how long that may take with `within(n, ..)`, or write the option `open`";
        const __ENDED: &str = "nothing is possible any more";
        /// As the monitor's table, but each state is the position of its row, and marked unless it is open.
        const __TURNS: [usize; #n_turns] = [#(#turns),*];
        /// Draws traces `from..to`: the number, length and fault of one that fails, and the longest wait.
        /// The inner loop is run for every step of every trace: it mentions no constant, makes no tuples and
        /// calls as little as it can.
        #[allow(unused_variables, unused_mut)]
        const fn __random(from: u64, to: u64) -> (__Failed, u32) {
            let (__turns, __standings, __waits) = (&__TURNS, __MONITOR.standings, __MONITOR.waits);
            let __start = __turns[__letter(None, &__m::START) as usize];
            let __extra: &[i128] = &[#(#numbers),*];
            let (mut __n, mut __longest) = (from, 0);
            let mut __c = ::stairway::Choices::new(::stairway::Source::Random(::stairway::Prng::new(0)), ::stairway::FULL_SIZE);
            while __n < to {
                __c.restart(::stairway::Prng::for_case(__SEED, __n));
                let mut __s = __m::START;
                let mut __at = __start;
                let mut __k = 0;
                let mut __wait = 0;
                loop {
                    if __at < #marked {
                        if __k >= #depth { break; }
                    } else {
                        __at -= #marked;
                        match __standings[__at >> #n_atoms] {
                            __e::Standing::Open => {}
                            __e::Standing::Holds => break,
                            __e::Standing::Fails => return (Some((__n, __k, "")), 0),
                            __e::Standing::Waiting => if __k + 1 >= #most {
                                if #may_be_open { break; }
                                return (Some((__n, __k, __WAITED)), 0);
                            },
                        }
                    }
                    #waited
                    #step {
                        let at = (__at >> #n_atoms) as u16;
                        if let __e::Standing::Fails = __MONITOR.at_the_end(at, __letter(None, &__s)) {
                            return (Some((__n, __k, __ENDED)), 0);
                        }
                        break;
                    }
                    let __state = &__s;
                    let mut __letter = 0;
                    #states
                    #operations
                    __at = __turns[__at | __letter];
                    __k += 1;
                }
                __n += 1;
            }
            (None, __longest)
        }
        // Const evaluation keeps a few bytes for everything that it has ever allocated: a new constant
        // begins with nothing.
        #(
            #[allow(long_running_const_eval)]
            const #batches: (__Failed, u32) = __random(#bounds);
        )*
        const __FAILED: __Failed = {
            #(if let Some(failed) = #batches.0 { Some(failed) } else)* { None }
        };
        const __LONGEST: u32 = {
            let mut longest = 0;
            #(if #batches.1 > longest { longest = #batches.1; })*
            longest
        };
        /// Draws a trace again, leaves out its detours, and shows it.
        const fn __again(n: u64, length: usize, why: &str) -> __e::Text {
            let prng = ::stairway::Prng::for_case(__SEED, n);
            let mut c = ::stairway::Choices::new(::stairway::Source::Random(prng), ::stairway::FULL_SIZE);
            let (mut ops, mut states, mut judged) = ([None; #most], [__m::START; #most], [0u16; #most]);
            let mut s = __m::START;
            let start = __MONITOR.after(__e::Monitor::START, __letter(None, &s));
            let (mut at, mut k, mut m) = (start, 0, 0);
            while k < length {
                if let Some((op, to)) = __m::__draw(s, &mut c, FORMULA.extra, FORMULA.is_thorough) {
                    at = __MONITOR.after(at, __letter(Some(&op), &to));
                    s = to;
                    // A place where the run has been before, judged as it was: what is between is a detour.
                    let mut before = 0;
                    let is_start = at == start && __m::__key_of(&s) == __m::__key_of(&__m::START);
                    let mut back = if is_start { 0 } else { usize::MAX };
                    while before < m && back == usize::MAX {
                        if judged[before] == at && __m::__key_of(&states[before]) == __m::__key_of(&s) { back = before + 1; }
                        before += 1;
                    }
                    if back != usize::MAX && why.is_empty() { m = back; } else { ops[m] = Some(op); states[m] = s; judged[m] = at; m += 1; }
                }
                k += 1;
            }
            let (mut again, mut i) = (start, 0);
            while i < m {
                again = __MONITOR.after(again, __letter(match &ops[i] { Some(op) => Some(op), None => None }, &states[i]));
                i += 1;
            }
            let is_sure = !why.is_empty() || matches!(__MONITOR.standing(again), __e::Standing::Fails);
            let mut t = __e::Text::new();
            t.str(__HEAD);
            ::stairway::machine::__drawn(&mut t, n + 1, __SEED, is_sure);
            __m::__show_run(&mut t, &ops, &states, m, None);
            if !why.is_empty() { t.str("\n         "); t.str(why); }
            t
        }
    }
}
