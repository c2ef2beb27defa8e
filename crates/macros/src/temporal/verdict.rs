//! What the compiler evaluates for a property of a machine: all states that there is room for, then random
//! traces, and the assurance of the verdict.
//!
//! A proved property is silent. One that fails, or was not checked, is an error. One that holds on everything
//! tried but is not proved is a warning: const evaluation cannot warn, so a deprecated constant is mentioned,
//! whose type depends on what was explored.

use super::expand::n_states;
use super::formula::{Atom, Atoms};
use super::random::{N_DEPTH, N_RANDOM, random};
use super::{Head, Options};
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use stairway_formula::Monitor;

pub(super) fn check(
    monitor: &Monitor<'_>,
    options: &Options,
    head: &Head,
    machine_name: &str,
    has_branches: bool,
    (atoms, machine): (&Atoms, &TokenStream),
) -> TokenStream {
    let is_needed = if options.random.is_some() { quote!(true) } else { quote!(!__G.is_complete()) };
    let random = random(monitor, options, (atoms, machine), &is_needed);
    if let (Some(_), false) = (options.random, has_branches) {
        return quote! {
            #random
            const _: () = {
                if let Some((n, length, why)) = __FAILED {
                    panic!("{}", __again(n, length, why).as_str())
                }
            };
        };
    }
    let graph = graph(options, atoms);
    let is_for_all = options.is_exhaustive && options.depth.is_none() || options.is_proved;
    let must_be_complete = is_for_all || has_branches;
    let goes_on = !options.is_exhaustive && !must_be_complete;
    let is_auto = atoms.is_auto;
    let (random, then) = match goes_on {
        true => (random, quote!(let (failed, waited) = (__FAILED, __LONGEST);)),
        false => (
            quote!(),
            quote!(let (failed, waited): (::core::option::Option<(u64, usize, &'static str)>, u32) = (None, 0);),
        ),
    };
    let again = goes_on.then(|| {
        quote!(if let Some((n, length, why)) = failed {
            return (__again(n, length, why), 0);
        })
    });
    // What is asked of states is asked once a state.
    let of_operation = atoms.all.iter().any(|atom| matches!(atom, Atom::After(_))).then(|| {
        quote!(if let Some(op) = &ops[i] {
            edges[i].letter = __letter(Some(op), &states[to as usize]);
        })
    });
    let said = goes_on.then(|| warning(options, head, machine_name));
    quote! {
        #graph
        const __N: usize = __G.states.len() * __TABLES.most_states();
        const __MOST: usize = __e::Search::longest_path(__N);
        #random
        /// What does not hold, and how many steps `within(auto, ..)` needs.
        const fn __exhaustive() -> (__e::Text, u32) {
            const N: usize = __G.states.len();
            const E: usize = __G.to.len();
            let (states, ops, to) = (__G.states, __G.ops, __G.to);
            let mut letters = [0u32; N];
            let mut i = 0;
            while i < N { letters[i] = __letter(None, &states[i]); i += 1; }
            let mut edges = [__e::Edge::BLANK; E];
            let mut i = 0;
            while i < E {
                let to = to[i];
                edges[i] = __e::Edge { to, letter: letters[to as usize] };
                #of_operation
                i += 1;
            }
            let mut path = [0; __MOST];
            let mut t = __e::Text::new();
            let verdict = __e::decide(
                &__TABLES,
                &mut __e::Explorable { edges: &mut edges, first: __G.first, is_known: __G.is_known, letters: &mut letters, is_complete: __G.is_complete() },
                &mut __e::Rooms {
                    path: &mut path,
                    search: &mut [0; __e::Search::room(__N)],
                    letters: &mut [0; __MOST + 1],
                    parts: &mut [false; (__MOST + 1) * __TABLES.parts.len()],
                    marked: &mut [false; N],
                    is_unknown: &mut [false; N],
                },
            );
            if let __e::Verdict::Fails(found, is_sure) = verdict {
                __HEAD.fails(&mut t, N, __G.is_complete(), is_sure);
                __m::__show_path(&mut t, &__G, &path, found);
                return (t, 0);
            }
            if #must_be_complete && !__G.is_complete() {
                __HEAD.is_not_decided(&mut t, N, __G.ended, !#is_for_all);
                let mut i = N.saturating_sub(3);
                while i < N { t.str("\n    "); states[i].__show(&mut t); i += 1; }
                return (t, 0);
            }
            if let (__e::Verdict::Vacuous(k), true) = (verdict, __G.is_complete()) {
                __HEAD.is_vacuous(&mut t, __CONDITION_TEXTS[k]);
                return (t, 0);
            }
            let mut longest = 0;
            if #is_auto {
                const P: usize = N * __MONITOR.standings.len();
                const PE: usize = E * __MONITOR.standings.len();
                let graph = __e::Graph { n: N, edges: &edges, first: __G.first };
                let rooms = (&mut [__e::Edge::BLANK; PE] as &mut [_], &mut [0u32; P] as &mut [_], &mut [false; P] as &mut [_], &mut [0u32; P] as &mut [_]);
                if let Some(wait) = __e::wait(&graph, &__MONITOR, letters[0], rooms) { longest = wait; }
            }
            if !__G.is_complete() {
                #then
                #again
                if waited > longest { longest = waited; }
            }
            (t, longest)
        }
        #[allow(long_running_const_eval)]
        const __VERDICT: &(__e::Text, u32) = &__exhaustive();
        /// The smallest number of steps for which `within(auto, ..)` holds; 0 where it is not asked for.
        pub const WITHIN: u32 = __VERDICT.1;
        const _: () = {
            if !__VERDICT.0.is_empty() { panic!("{}", __VERDICT.0.as_str()) }
            if #is_auto && ::core::option_env!("STAIRWAY_SHOW_WITHIN").is_some() {
                panic!("{}", __e::smallest_within(__HEAD.property, WITHIN).as_str())
            }
        };
        #said
    }
}

/// The constant `__G`: what is known of the machine.
fn graph(options: &Options, atoms: &Atoms) -> TokenStream {
    let is_own = atoms.arguments != super::scrutiny::Scrutiny::Ignored
        || options.states.is_some()
        || options.is_exhaustive
        || options.is_proved;
    if !is_own {
        return quote! {
            #[allow(long_running_const_eval)]
            const __G: __e::Known<'static, __m::State, __m::Op> = __m::__whole::<true>();
        };
    }
    let max_depth =
        if options.is_exhaustive { options.depth.unwrap_or(u64::from(u32::MAX)) as u32 } else { u32::MAX };
    // Most machines are small: room is made in steps, since to make it costs as much as to fill it.
    let most = n_states(options) as usize;
    let rooms: Vec<usize> = ROOMS.into_iter().filter(|room| *room < most).chain([most]).collect();
    let most_edges = most * 8;
    let rooms: Vec<TokenStream> = (0..rooms.len())
        .map(|k| {
            let (room, edges) = (rooms[k], rooms[k] * 8);
            let (name, own, next) =
                (format_ident!("__known_{k}"), format_ident!("__ROOM_{k}"), format_ident!("__known_{}", k + 1));
            let smaller = match k.checked_sub(1).map(|k| format_ident!("__ROOM_{k}")) {
                Some(smaller) => quote!(Some(Self::#smaller.room())),
                None => quote!(None),
            };
            let otherwise = if k + 1 < rooms.len() { quote!(#next()) } else { quote!(__Rooms::<true>::#own.known()) };
            quote! {
                impl<const IS_USED: bool> __Rooms<IS_USED> {
                    #[allow(long_running_const_eval)]
                    const #own: &'static __m::__Explored<#room, #edges> =
                        &__m::__explore(#smaller, __e::Limits::new(#most, #most_edges, #max_depth), __SCRUTINY, None);
                }
                const fn #name() -> __e::Known<'static, __m::State, __m::Op> {
                    if __Rooms::<true>::#own.progress.is_full { #otherwise } else { __Rooms::<true>::#own.known() }
                }
            }
        })
        .collect();
    quote! {
        /// Rustc computes every constant of a crate, unless it has a parameter: then only where it is used.
        struct __Rooms<const IS_USED: bool>;
        #(#rooms)*
        #[allow(long_running_const_eval)]
        const __G: __e::Known<'static, __m::State, __m::Op> = __known_0();
    }
}

/// For how many states there is room at first, and then.
const ROOMS: [usize; 3] = [64, 512, 2048];

/// Says that a property is not proved, at its name, unless that is accepted.
fn warning(options: &Options, head: &Head, machine_name: &str) -> TokenStream {
    if options.may_be_sampled {
        return quote!();
    }
    let name = &head.name;
    let (n_traces, depth) = (options.random.unwrap_or(N_RANDOM), options.depth.unwrap_or(N_DEPTH));
    let tried =
        format!("it holds on {} states and {n_traces} random traces of {depth} steps", n_states(options));
    let accept = "write `sampled` after the machine to accept this, or `proved` to make it an error";
    let bounded = format!(
        "property `{name}` of machine `{machine_name}` is not proved: {tried}, and there are more states; allow more with \
         `states(n)`, bound the machine's data, or {accept}"
    );
    let sampled = format!(
        "property `{name}` of machine `{machine_name}` is not proved: arguments of an operation are too many to try all, and \
         `next` does more than to compare them; give them a smaller type, or {accept}"
    );
    let mention = quote_spanned!(name.span()=> __Assured::<__ASSURANCE>::PROVED);
    quote! {
        // Of what does not hold, that is all there is to say.
        const __ASSURANCE: u8 = if __VERDICT.0.is_empty() { __G.assurance as u8 } else { __e::Assurance::Proved as u8 };
        // Numbers, because rustc shows the type as it is written.
        struct __Assured<const ASSURANCE: u8>;
        impl __Assured<2> { const PROVED: () = (); }
        impl __Assured<1> {
            #[deprecated(note = #bounded)]
            const PROVED: () = ();
        }
        impl __Assured<0> {
            #[deprecated(note = #sampled)]
            const PROVED: () = ();
        }
        const _: () = #mention;
    }
}
