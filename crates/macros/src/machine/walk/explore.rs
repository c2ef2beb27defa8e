//! Explores a machine: every step from every state, as far as there is room.
//!
//! Writes `__explore` and two graphs that it makes. `__GRAPH` exists for every machine and is used to
//! diagnose it. It ends 32 states after every operation has been done (or as many states as the largest
//! number in `next`). Checks that need all states use `__whole` if `__GRAPH` is not complete.

use super::super::{Machine, Op, State};
use super::draw::weights;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

/// How many states are explored for every machine, and how many edges.
const N_STATES: usize = 128;
const N_EDGES: usize = 1024;
/// How many states are explored for properties that say nothing else, and how many edges.
const N_WHOLE: usize = 1024;
const N_WHOLE_EDGES: usize = 8 * N_WHOLE;
/// Room for so many is tried first: to make room costs as much as to fill it.
const N_SMALL: usize = 256;
const N_SMALL_EDGES: usize = 8 * N_SMALL;

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let n_ops = machine.ops.len();
    let n_words = (machine.states.len() * (n_ops + 1)).div_ceil(64);
    let n_possible: usize = machine
        .states
        .iter()
        .map(|s| machine.ops.iter().filter(|o| machine.is_possible(&s.name, &o.name)).count())
        .sum();
    let n_facts = n_possible + machine.states.len();
    let (functions, next) = named_steps(machine);
    let overlap = super::diagnosis::may_overlap(machine).then(|| {
        quote! {
            if diagnoses && e.progress.disagreement.is_none() && let Some((one, other)) = __overlap(s, at.1) {
                e.progress.disagreement = Some((s, at.1, one, other));
            }
        }
    });
    let next = match overlap {
        Some(overlap) => quote!({ let done = #next; if done { #overlap } done }),
        None => next,
    };
    let steps = match machine.options {
        Some(_) => proposed_steps(machine, &next),
        None => counted_steps(machine, &next),
    };
    let (keys, literals) = (keys(machine), &machine.literals);
    quote! {
        #keys
        #functions
        /// What is known of the machine.
        #[doc(hidden)]
        pub type __Explored<const __S: usize, const __E: usize> =
            ::stairway::machine::core::Explored<State, Op, __S, __E, #n_words>;
        /// Makes all steps from the state at hand.
        #[doc(hidden)]
        #[allow(unused_variables, unused_mut)]
        pub const fn __expand(
            e: &mut ::stairway::machine::core::Exploration<'_, State, Op>, c: &mut ::stairway::machine::core::Choices<'_>,
            scrutiny: ::stairway::machine::core::Scrutiny<'_>, diagnoses: bool,
        ) {
            let s = e.states[e.progress.from];
            let mut at = (s, __SOME_OP);
            if diagnoses { e.learn(::stairway::machine::core::Names::reached(#n_ops, s.__index())); }
            #steps
        }
        /// Explores in a room of its own, after what was explored in a smaller one.
        #[doc(hidden)]
        pub const fn __explore<const __S: usize, const __E: usize>(
            smaller: ::core::option::Option<::stairway::machine::core::Room<'_, State, Op>>,
            limits: ::stairway::machine::core::Limits, scrutiny: ::stairway::machine::core::Scrutiny<'_>,
            patience: ::core::option::Option<usize>,
        ) -> __Explored<__S, __E> {
            let mut room = __Explored::<__S, __E>::new(START, smaller);
            let mut record = ::stairway::machine::core::RECORD;
            let mut c = ::stairway::machine::core::Choices::counting(&mut record);
            let mut e = room.exploration(limits);
            if smaller.is_none() { e.start(START, __key_of(&START)); }
            while e.open() {
                __expand(&mut e, &mut c, scrutiny, patience.is_some());
                e.close();
                if let Some(patience) = patience && e.has_learnt_all(#n_facts, patience) { e.end(); }
            }
            let progress = e.progress;
            room.progress = progress;
            room
        }
        #[doc(hidden)]
        #[allow(long_running_const_eval)]
        pub const __GRAPH: &__Explored<#N_STATES, #N_EDGES> = &__explore(
            None, ::stairway::machine::core::Limits::new(#N_STATES, #N_EDGES, u32::MAX), ::stairway::machine::core::Scrutiny::NONE,
            Some(::stairway::machine::core::patience(&[#(#literals),*])),
        );
        /// Rustc computes every constant of a crate, unless it has a parameter: then only where it is used.
        #[doc(hidden)]
        pub struct __Whole<const IS_USED: bool>;
        impl<const IS_USED: bool> __Whole<IS_USED> {
            const LIMITS: ::stairway::machine::core::Limits =
                ::stairway::machine::core::Limits::new(#N_WHOLE, #N_WHOLE_EDGES, u32::MAX);
            #[allow(long_running_const_eval)]
            const SMALL: &'static __Explored<#N_SMALL, #N_SMALL_EDGES> =
                &__explore(None, Self::LIMITS, ::stairway::machine::core::Scrutiny::NONE, None);
            #[allow(long_running_const_eval)]
            const GRAPH: &'static __Explored<#N_WHOLE, #N_WHOLE_EDGES> =
                &__explore(Some(Self::SMALL.room()), Self::LIMITS, ::stairway::machine::core::Scrutiny::NONE, None);
        }
        /// In functions of their own: what a function mentions is computed when it is called.
        const fn __larger<const IS_USED: bool>() -> ::stairway::machine::core::Known<'static, State, Op> {
            if __Whole::<IS_USED>::SMALL.progress.is_full { __largest::<IS_USED>() } else { __Whole::<IS_USED>::SMALL.known() }
        }
        const fn __largest<const IS_USED: bool>() -> ::stairway::machine::core::Known<'static, State, Op> {
            __Whole::<IS_USED>::GRAPH.known()
        }
        /// As many states as there is room for.
        #[doc(hidden)]
        pub const fn __whole<const IS_USED: bool>() -> ::stairway::machine::core::Known<'static, State, Op> {
            if __GRAPH.is_complete() { __GRAPH.known() } else { __larger::<IS_USED>() }
        }
    }
}

/// Statements that make the steps that `options` proposes.
fn proposed_steps(machine: &Machine, next: &TokenStream) -> TokenStream {
    let n_ops = machine.ops.len();
    // Where nothing is possible, nothing need be proposed.
    let end = machine.ends().map(|ends| quote!(if let #ends = s { return; }));
    quote! {
        #end
        let may_join = matches!(scrutiny.arguments, ::stairway::machine::core::Arguments::Ignored);
        let (mut first, mut is_cut) = (0, false);
        c.recount();
        e.begin();
        loop {
            at.0 = s;
            at.1 = options(s, c);
            if #next {
                let to = e.reach(at.0, __key_of(&at.0));
                if to != usize::MAX && !__is_known(e, &at.1, to, may_join) {
                    e.edge(Some(at.1), to);
                    if diagnoses { e.learn(::stairway::machine::core::Names::done(#n_ops, s.__index(), at.1.__index())); }
                }
            } else if c.halted().is_none() { __forbidden(&at) }
            is_cut |= c.halted().is_some();
            if c.first_index() != first {
                first = c.first_index();
                e.begin();
            }
            if !(if e.may_go_on() { c.advance() } else { c.advance_first() }) { break; }
        }
        if is_cut || c.was_clipped() { e.sample(); }
    }
}

/// Statements that make the steps of every operation with every combination of arguments that is worth trying.
fn counted_steps(machine: &Machine, next: &TokenStream) -> TokenStream {
    let n_ops = machine.ops.len();
    let draws: Vec<bool> = machine.ops.iter().map(|op| !op.fields.is_empty()).collect();
    let possible = machine.states.iter().map(|state| {
        let (name, weights) = (&state.name, weights(machine, &state.name));
        let is_drawn = weights.iter().zip(&draws).any(|(weight, draws)| *weight > 0 && *draws);
        let possible = weights.iter().map(|weight| *weight > 0);
        quote!(State::#name { .. } => (&[#(#possible),*], #is_drawn),)
    });
    let draws_any = draws.iter().any(|draws| *draws);
    let pool = match draws_any {
        true => quote!(let pool = if is_drawn { &__pool(&s, scrutiny, true) } else { &__POINTS };),
        false => quote!(let pool = &__POINTS;),
    };
    quote! {
        let (possible, is_drawn): (&[bool; #n_ops], bool) = match s { #(#possible)* };
        let may_join = matches!(scrutiny.arguments, ::stairway::machine::core::Arguments::Ignored);
        #pool
        let (mut which, mut is_cut, draws) = (0, false, &[#(#draws),*]);
        if is_drawn { c.recount(); }
        while which < #n_ops {
            if possible[which] {
                let is_drawn = draws[which];
                if is_drawn { e.begin(); }
                loop {
                    at.0 = s;
                    at.1 = __arguments(which, c, pool);
                    if #next {
                        e.step(at.1, at.0, __key_of(&at.0), may_join && is_drawn);
                        if diagnoses { e.learn(::stairway::machine::core::Names::done(#n_ops, s.__index(), which)); }
                    }
                    if !is_drawn { break; }
                    is_cut |= c.halted().is_some();
                    if !e.may_go_on() { is_cut |= c.was_clipped(); c.recount(); break; }
                    if !c.advance() { break; }
                }
            }
            which += 1;
        }
        if is_drawn && (is_cut || c.was_clipped()) { e.sample(); }
    }
}

fn keys(machine: &Machine) -> TokenStream {
    let known = machine.options.is_some().then(is_known);
    quote! {
        #[doc(hidden)]
        pub const fn __key_of(s: &State) -> u128 {
            let mut id = ::stairway::machine::core::Identity::EMPTY;
            s.__identify(&mut id);
            id.finish()
        }
        #[doc(hidden)]
        pub const fn __key_of_op(op: &Op) -> u128 {
            let mut id = ::stairway::machine::core::Identity::EMPTY;
            op.__identify(&mut id);
            id.finish()
        }
        #known
    }
}

/// `options` may propose a step twice.
fn is_known() -> TokenStream {
    quote! {
        /// Whether a step was drawn before. Operations are compared only where one leads to the same state;
        /// where nobody looks at arguments, one operation to one state is one step.
        const fn __is_known(
            e: &::stairway::machine::core::Exploration<'_, State, Op>, op: &Op, to: usize, may_join: bool,
        ) -> bool {
            let mut at = e.first[e.progress.from] as usize;
            while let Some(edge) = e.edge_to(to, at) {
                if let Some(other) = &e.ops[edge] {
                    if may_join && other.__index() == op.__index() { return true; }
                    if __key_of_op(other) == __key_of_op(op) { return true; }
                }
                at = edge + 1;
            }
            false
        }
    }
}

/// Where `next` computes something that may fail, such as a sum that overflows, rustc names the functions
/// that it was in: so each operation in each state has one that says so. Functions, and an expression that
/// does a step.
fn named_steps(machine: &Machine) -> (TokenStream, TokenStream) {
    let (mut functions, mut cases) = (TokenStream::new(), TokenStream::new());
    let pairs = machine.states.iter().flat_map(|state| machine.ops.iter().map(move |op| (state, op)));
    for (state, op) in pairs.filter(|(state, op)| may_fail(machine, state, op)) {
        let name = name_of_step(state, op);
        // The note points at the operation's declaration, and a variable belongs to the macro that wrote it.
        let at = Ident::new("at", op.name.span());
        let done = quote_spanned!(op.name.span()=> __next(#at));
        functions.extend(quote! {
            #[allow(non_snake_case)]
            const fn #name(#at: &mut (State, Op)) -> bool { #done }
        });
        let (state, op) = (&state.name, &op.name);
        cases.extend(quote!((State::#state { .. }, Op::#op { .. }) => #name(&mut at),));
    }
    if cases.is_empty() {
        return (functions, quote!(__next(&mut at)));
    }
    (functions, quote!(match at { #cases _ => __next(&mut at) }))
}

fn name_of_step(state: &State, op: &Op) -> Ident {
    format_ident!("{}_in_state_{}", op.name, state.name)
}

/// Whether `next` does more for an operation in a state than to take apart and put together.
fn may_fail(machine: &Machine, state: &State, op: &Op) -> bool {
    machine.arms_of(&state.name, &op.name).any(|arm| computes(machine.next.around(arm, &arm.body)))
}

/// Whether there is arithmetic, an index or a call among tokens.
fn computes(tokens: TokenStream) -> bool {
    let mut before: Option<TokenTree> = None;
    for token in tokens {
        let is_after_function = match &before {
            Some(TokenTree::Ident(name)) => {
                let name = name.to_string();
                name.starts_with(char::is_lowercase) && syn::parse_str::<Ident>(&name).is_ok()
            }
            _ => false,
        };
        let found = match &token {
            TokenTree::Punct(punct) => "+-*/%".contains(punct.as_char()),
            TokenTree::Group(group) => {
                let is_open = group.delimiter() != proc_macro2::Delimiter::Brace;
                is_after_function && is_open || computes(group.stream())
            }
            _ => false,
        };
        if found {
            return true;
        }
        before = Some(token);
    }
    false
}
