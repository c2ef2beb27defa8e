//! Making one step: an operation is proposed, and done if `next` allows it.
//!
//! A step changes a pair of state and operation in place, because const evaluation pays for every copy. Without
//! `options` an operation is drawn among all, so that it keeps its meaning in another state, and its arguments from a
//! pool of numbers; it is drawn up to 16 times, each in a span of its own, so that what was refused can be left out of a
//! record.

use super::super::arms::may;
use super::super::names::snake;
use super::super::{Machine, Op, docs, values};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let may = may_be_called(machine);
    let steps = match &machine.options {
        Some(options) => with_options(machine, options),
        None => without_options(machine),
    };
    let some_op = some_op(machine);
    quote! {
        #some_op
        #steps
        #may
        /// A step from a state; of choices that are counted through, only what they are drawn for.
        #[doc(hidden)]
        pub const fn __draw(
            s: State, c: &mut ::stairway::Choices<'_>, extra: &[i128], is_thorough: bool,
        ) -> ::core::option::Option<(Op, State)> {
            let mut at = (s, __SOME_OP);
            if __advance(&mut at, c, extra, is_thorough) { Some((at.1, at.0)) } else { None }
        }
    }
}

/// An operation to stand in a pair before the first one is drawn.
fn some_op(machine: &Machine) -> TokenStream {
    let mut simplest = machine.ops.iter().filter_map(|op| {
        let name = &op.name;
        values::simplest_fields(machine, quote!(Op::#name), &op.fields)
    });
    let op = simplest.next().unwrap_or_else(|| quote!(::core::unreachable!()));
    quote!(#[doc(hidden)] pub const __SOME_OP: Op = #op;)
}

/// The machine says itself what it would do.
fn with_options(machine: &Machine, options: &syn::ItemFn) -> TokenStream {
    let uses = machine.uses();
    let (inputs, body, docs) = (&options.sig.inputs, &options.block.stmts, docs(&options.attrs));
    let possible = machine.ops.iter().map(|op| machine.where_possible(&op.name));
    let name = machine.name.to_string();
    // Where nothing is possible, nothing need be proposed.
    let end = machine.ends().map(|ends| quote!(if let #ends = __at.0 { return false; }));
    quote! {
        #(#docs)*
        #[allow(unused_variables, unused_mut)]
        pub const fn options(#inputs) -> Op { #uses #(#body)* }
        /// One step, in place: what const evaluation does most.
        #[doc(hidden)]
        pub const fn __advance(__at: &mut (State, Op), c: &mut ::stairway::Choices<'_>, _: &[i128], _: bool) -> bool {
            #end
            __at.1 = options(__at.0, c);
            if __next(__at) { return true; }
            if c.halted().is_none() { __forbidden(__at) }
            false
        }
        /// On its own, so that const evaluation need not prepare for it at every step.
        #[doc(hidden)]
        const fn __forbidden((s, op): &(State, Op)) -> ! {
            const POSSIBLE: &[&str] = &[#(#possible),*];
            let mut t = ::stairway::engine::machine::Text::new();
            t.str(concat!("`options` of the machine `", #name, "` proposes what `next` does not allow: `"));
            op.__show(&mut t);
            t.str("` in state `");
            s.__show(&mut t);
            t.str("`; the operation is possible in: ");
            t.str(POSSIBLE[op.__index()]);
            panic!("{}", t.as_str())
        }
        #[doc(hidden)]
        pub fn __draw_call(s: State, c: &mut ::stairway::Choices<'_>) -> ::core::option::Option<Op> {
            match __draw(s, c, &[], true) { Some((op, _)) => Some(op), None => None }
        }
    }
}

/// Operations are drawn by their weights.
fn without_options(machine: &Machine) -> TokenStream {
    let literals = &machine.literals;
    let (told, called) = (propose(machine, false), propose(machine, true));
    let advance = tries(quote!(__propose(__at, c, &pool)), quote!(__next(__at)));
    let call = tries(quote!(__propose_call(__at, c, &pool)), quote!(__may(__at.0, __at.1)));
    quote! {
        /// Numbers that are worth trying in a state.
        const fn __pool(s: &State, extra: &[i128], is_thorough: bool) -> ::stairway::engine::machine::Pool {
            let mut pool = ::stairway::engine::machine::Pool::new();
            s.__mention(&mut pool);
            pool.all(&[#(#literals),*]);
            pool.all(extra);
            if is_thorough { pool.be_thorough(); }
            pool
        }
        /// Draws an operation; false if there is none.
        const fn __propose(
            __at: &mut (State, Op), c: &mut ::stairway::Choices<'_>, pool: &::stairway::engine::machine::Pool,
        ) -> bool { #told }
        /// Draws an operation whose result somebody else gives.
        fn __propose_call(
            __at: &mut (State, Op), c: &mut ::stairway::Choices<'_>, pool: &::stairway::engine::machine::Pool,
        ) -> bool { #called }
        /// One step, in place.
        #[doc(hidden)]
        pub const fn __advance(
            __at: &mut (State, Op), c: &mut ::stairway::Choices<'_>, extra: &[i128], is_thorough: bool,
        ) -> bool {
            let pool = __pool(&__at.0, extra, is_thorough);
            #advance
        }
        fn __call_in(__at: &mut (State, Op), c: &mut ::stairway::Choices<'_>) -> bool {
            let pool = __pool(&__at.0, &[], true);
            #call
        }
        #[doc(hidden)]
        pub fn __draw_call(s: State, c: &mut ::stairway::Choices<'_>) -> ::core::option::Option<Op> {
            let mut at = (s, __SOME_OP);
            if __call_in(&mut at, c) { Some(at.1) } else { None }
        }
    }
}

/// The body of a function that draws an operation and its arguments.
fn propose(machine: &Machine, is_called: bool) -> TokenStream {
    let which = machine.states.iter().map(|state| {
        let name = &state.name;
        let weight = |op: &Op| if machine.is_possible(name, &op.name) { op.weight } else { 0 };
        let weights: Vec<u32> = machine.ops.iter().map(weight).collect();
        if weights.iter().all(|weight| *weight == 0) {
            return quote!(State::#name { .. } => return false,);
        }
        quote!(State::#name { .. } => c.weighted(&[#(#weights),*], NAMES),)
    });
    let names = machine.ops.iter().map(|op| op.method().to_string().trim_start_matches("r#").to_string());
    let draws = machine.ops.iter().map(|op| values::draw_op(machine, op, is_called));
    let draws = draws.enumerate().map(|(k, draw)| quote!(#k => #draw));
    quote! {
        const NAMES: &[&str] = &[#(#names),*];
        let which = match __at.0 { #(#which)* };
        __at.1 = match which { #(#draws,)* _ => return false };
        c.halted().is_none()
    }
}

/// Proposes up to 16 times until an operation is accepted. Where guards are hard to meet, the first step that is
/// possible is taken.
fn tries(propose: TokenStream, accept: TokenStream) -> TokenStream {
    quote! {
        if c.is_counting() {
            return #propose && #accept;
        }
        let mut n_tries = 0;
        while n_tries < 16 {
            c.open("try");
            if !#propose { return false; }
            if #accept {
                c.close();
                return true;
            }
            c.close_rejected();
            n_tries += 1;
        }
        let mut record = ::stairway::engine::machine::RECORD;
        let c = &mut ::stairway::Choices::counting(&mut record);
        let mut n_tries = 0;
        loop {
            if #propose && #accept { return true; }
            n_tries += 1;
            if n_tries > 10_000 || !c.advance() { return false; }
        }
    }
}

/// The function that says whether an operation may be possible before it has its result.
fn may_be_called(machine: &Machine) -> TokenStream {
    let uses = machine.uses();
    let parameters = &machine.next.parameters;
    let (s, o) = (&parameters.state, &parameters.op);
    let lent = machine.next.lent();
    let (mut functions, mut cases) = (TokenStream::new(), TokenStream::new());
    for state in &machine.states {
        for op in machine.ops.iter().filter(|op| op.ret.is_some()) {
            let (state_name, op_name) = (&state.name, &op.name);
            if machine.is_total(state_name, op) {
                cases.extend(quote!((State::#state_name { .. }, Op::#op_name { .. }) => true,));
                continue;
            }
            let mut ways = Vec::new();
            for (k, arm) in machine.arms_of(state_name, op_name).enumerate() {
                let (op_text, state_text) = (snake(&op_name.to_string()), snake(&state_name.to_string()));
                let name = format_ident!("__may_{op_text}_in_{state_text}_{k}");
                let may = may(arm, op, o, &machine.next.lifted(arm));
                functions.extend(quote! {
                    #[allow(unused_variables, unused_mut, unreachable_patterns, unreachable_code)]
                    fn #name(#s: State, #o: Op) -> ::core::option::Option<()> { #uses #lent #may }
                });
                ways.push(name);
            }
            if !ways.is_empty() {
                cases.extend(quote! {
                    (State::#state_name { .. }, Op::#op_name { .. }) => #(#ways(s, op).is_some())||*,
                });
            }
        }
    }
    quote! {
        #functions
        /// Whether an operation may be possible, whatever its result.
        #[doc(hidden)]
        #[allow(unreachable_patterns)]
        fn __may(s: State, op: Op) -> bool {
            match (s, op) { #cases _ => next(s, op).is_some() }
        }
    }
}
