//! Exploring a machine: every step from every state, as far as there is room.
//!
//! Hands on `__explore`, and two graphs made with it. `__GRAPH` is made for every machine, to see whether something is odd
//! about it; once it has seen every operation done, it looks at some states more and ends: at 32, or as many as the largest number
//! that `next` mentions. Checks that want to know it all
//! ask for `__whole` if that was not everything.

use super::super::arms::nested;
use super::super::{Machine, Op, State};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};

/// How many states are explored for every machine, and how many edges.
const N_STATES: usize = 128;
const N_EDGES: usize = 1024;
/// How many states are explored for properties that say nothing else, and how many edges.
const N_WHOLE: usize = 512;
const N_WHOLE_EDGES: usize = 8 * N_WHOLE;

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let n_ops = machine.ops.len();
    let n_words = (machine.states.len() * (n_ops + 1)).div_ceil(64);
    let n_possible: usize = machine
        .states
        .iter()
        .map(|s| machine.ops.iter().filter(|o| machine.is_possible(&s.name, &o.name)).count())
        .sum();
    let n_facts = n_possible + machine.states.len();
    let is_end = machine.ends().map(|ends| quote!(if let #ends = s { false } else));
    let (pool, propose, refused) = match machine.options {
        Some(_) => (
            quote!(),
            quote!({
                #is_end {
                    at.1 = options(s, &mut c);
                    true
                }
            }),
            quote!(else if c.halted().is_none() { __forbidden(&at) }),
        ),
        None => (
            quote!(let pool = __pool(&s, scrutiny, true);),
            quote!(__propose(&mut at, &mut c, &pool)),
            quote!(),
        ),
    };
    let (functions, next) = named_steps(machine);
    let (keys, literals) = (keys(), &machine.literals);
    let overlap = super::odd::may_overlap(machine).then(|| {
        quote! {
            if diagnoses && known.disagreement.is_none() && let Some((one, other)) = __overlap(s, at.1) {
                known.disagreement = Some((s, at.1, one, other));
            }
        }
    });
    quote! {
        #keys
        #functions
        /// What is known of the machine.
        #[doc(hidden)]
        pub type __Explored<const __S: usize, const __E: usize> =
            ::stairway::machine::core::Explored<State, Op, __S, __E, #n_words>;
        #[doc(hidden)]
        #[allow(unused_variables)]
        pub const fn __explore<const __S: usize, const __E: usize>(
            max_depth: u32, scrutiny: ::stairway::machine::core::Scrutiny<'_>, patience: usize, diagnoses: bool,
        ) -> __Explored<__S, __E> {
            let mut known = __Explored::<__S, __E>::new(START, __key_of(&START));
            let may_join = matches!(scrutiny.arguments, ::stairway::machine::core::Arguments::Ignored);
            let mut record = ::stairway::machine::core::RECORD;
            let (mut from, mut at) = (0, (START, __SOME_OP));
            while from < known.n {
                let most = if known.has_learnt_all(#n_facts, from, patience) { 0 } else { max_depth };
                if known.open(from, most) {
                    let s = known.states[from];
                    let state = s.__index();
                    known.learn(from, ::stairway::machine::core::Names::reached(#n_ops, state));
                    #pool
                    let mut c = ::stairway::machine::core::Choices::counting(&mut record);
                    let mut is_cut = false;
                    loop {
                        at.0 = s;
                        if #propose {
                            if #next {
                                #overlap
                                let to = known.reach(from, at.0, __key_of(&at.0));
                                if to != usize::MAX && !__is_known(&known, from, &at.1, to, may_join) {
                                    known.edge(from, Some(at.1), to);
                                    known.learn(from, ::stairway::machine::core::Names::done(#n_ops, state, at.1.__index()));
                                }
                            } #refused
                        }
                        is_cut |= c.halted().is_some();
                        let is_next = if known.may_go_on(from, c.first_index()) { c.advance() } else { c.advance_first() };
                        if !is_next { break; }
                    }
                    if is_cut || c.was_clipped() { known.sample(from); }
                    known.close(from);
                }
                from += 1;
            }
            known
        }
        #[doc(hidden)]
        #[allow(long_running_const_eval)]
        pub const __GRAPH: &__Explored<#N_STATES, #N_EDGES> = &__explore(
            u32::MAX, ::stairway::machine::core::Scrutiny::NONE, ::stairway::machine::core::patience(&[#(#literals),*]), true,
        );
        /// Rustc computes every constant of a crate, unless it has a parameter: then only where it is used.
        #[doc(hidden)]
        pub struct __Whole<const IS_USED: bool>;
        impl<const IS_USED: bool> __Whole<IS_USED> {
            #[allow(long_running_const_eval)]
            const GRAPH: &'static __Explored<#N_WHOLE, #N_WHOLE_EDGES> =
                &__explore(u32::MAX, ::stairway::machine::core::Scrutiny::NONE, usize::MAX, false);
        }
        /// In a function of its own: what a function mentions is computed when it is called.
        const fn __larger<const IS_USED: bool>() -> ::stairway::machine::core::Known<'static, State, Op> {
            __Whole::<IS_USED>::GRAPH.known()
        }
        /// As many states as there is room for.
        #[doc(hidden)]
        pub const fn __whole<const IS_USED: bool>() -> ::stairway::machine::core::Known<'static, State, Op> {
            if __GRAPH.is_complete() { __GRAPH.known() } else { __larger::<IS_USED>() }
        }
    }
}

fn keys() -> TokenStream {
    quote! {
        #[doc(hidden)]
        pub const fn __key_of(s: &State) -> u128 {
            let mut id = ::stairway::machine::core::Identity::new();
            s.__identify(&mut id);
            id.finish()
        }
        #[doc(hidden)]
        pub const fn __key_of_op(op: &Op) -> u128 {
            let mut id = ::stairway::machine::core::Identity::new();
            op.__identify(&mut id);
            id.finish()
        }
        /// Whether a step was drawn before. Operations are compared only where one leads to the same state; where nobody looks at
        /// arguments, one operation to one state is one step.
        const fn __is_known<const __S: usize, const __E: usize>(
            known: &__Explored<__S, __E>, from: usize, op: &Op, to: usize, may_join: bool,
        ) -> bool {
            let mut at = known.first[from] as usize;
            while let Some(edge) = known.edge_to(to, at) {
                if let Some(other) = &known.ops[edge] {
                    if may_join && other.__index() == op.__index() { return true; }
                    if __key_of_op(other) == __key_of_op(op) { return true; }
                }
                at = edge + 1;
            }
            false
        }
    }
}

/// Where `next` computes something that may fail, such as a sum that overflows, rustc names the functions that it was
/// in: so each operation in each state has one that says so. Functions, and an expression that does a step.
fn named_steps(machine: &Machine) -> (TokenStream, TokenStream) {
    let (mut functions, mut cases) = (TokenStream::new(), TokenStream::new());
    let pairs = machine.states.iter().flat_map(|state| machine.ops.iter().map(move |op| (state, op)));
    for (state, op) in pairs.filter(|(state, op)| may_fail(machine, state, op)) {
        let name = name_of_step(state, op);
        // What the note points at is the operation's declaration.
        let done = quote_spanned!(op.name.span()=> __next(at));
        functions.extend(quote! {
            #[allow(non_snake_case)]
            const fn #name(at: &mut (State, Op)) -> bool { #done }
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
    machine.arms_of(&state.name, &op.name).any(|arm| computes(nested(&arm.path, arm.body.to_token_stream())))
}

/// Whether there is arithmetic, an index or a call among tokens.
fn computes(tokens: TokenStream) -> bool {
    let mut before: Option<TokenTree> = None;
    for token in tokens {
        let is_behind_name = matches!(&before, Some(TokenTree::Ident(name)) if name.to_string().starts_with(char::is_lowercase));
        let found = match &token {
            TokenTree::Punct(punct) => "+-*/%".contains(punct.as_char()),
            TokenTree::Group(group) => {
                let is_open = group.delimiter() != proc_macro2::Delimiter::Brace;
                is_behind_name && is_open || computes(group.stream())
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
