//! Makes one step: an operation is proposed, and done if `next` allows it.
//!
//! A step changes a pair of state and operation in place, because const evaluation pays for every copy.
//! Without `options`, an operation is drawn among all, so that it keeps its meaning in another state, and its
//! arguments from a pool of numbers. It is drawn up to 16 times, each in a span of its own, so that shrinking
//! can remove refused proposals.

use super::super::{Machine, Op, docs, values};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let steps = match &machine.options {
        Some(options) => with_options(machine, options),
        None => without_options(machine),
    };
    let (some_op, points) = (some_op(machine), points(machine));
    quote! {
        #some_op
        #points
        #steps
        /// A step from a state; of choices that are counted through, only what they are drawn for.
        #[doc(hidden)]
        pub const fn __draw(
            s: State, c: &mut ::stairway::machine::core::Choices<'_>, scrutiny: ::stairway::machine::core::Scrutiny<'_>,
        ) -> ::core::option::Option<(Op, State)> {
            let mut at = (s, __SOME_OP);
            if __advance(&mut at, c, scrutiny) { Some((at.1, at.0)) } else { None }
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

/// What the machine itself compares arguments with, and its parts.
fn points(machine: &Machine) -> TokenStream {
    let (literals, offsets, limits) = (&machine.literals, &machine.uses.offsets, &machine.uses.limits);
    let parts = parts(machine);
    quote! {
        #[doc(hidden)]
        pub const __POINTS: ::stairway::machine::core::Pool = {
            let mut pool = ::stairway::machine::core::Pool::counting(&[#(#offsets),*]);
            pool.all(&[#(#literals),*]);
            #(pool.below(#limits);)*
            #parts
            pool
        };
    }
}

/// Statements that add what the parts of a machine compare arguments with.
fn parts(machine: &Machine) -> TokenStream {
    let parts = machine.system.iter().flat_map(|system| &system.parts);
    quote!(#(pool.join(&#parts::__POINTS);)*)
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
        pub const fn __advance(__at: &mut (State, Op), c: &mut ::stairway::machine::core::Choices<'_>, _: ::stairway::machine::core::Scrutiny<'_>) -> bool {
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
            let mut t = ::stairway::machine::core::Text::new();
            t.str(concat!("`options` of the machine `", #name, "` proposes what `next` does not allow: `"));
            op.__show(&mut t);
            t.str("` in state `");
            s.__show(&mut t);
            t.str("`; the operation is possible in: ");
            t.str(POSSIBLE[op.__index()]);
            panic!("{}", t.as_str())
        }
    }
}

/// Operations are drawn by their weights.
fn without_options(machine: &Machine) -> TokenStream {
    let (literals, parts) = (&machine.literals, parts(machine));
    let (propose, arguments) = (propose(machine), arguments(machine));
    let below_state = machine.uses.is_below_state.then(|| {
        quote!(if is_counting {
            pool.below_state();
        })
    });
    quote! {
        /// Numbers that are worth trying in a state.
        const fn __pool(
            s: &State, scrutiny: ::stairway::machine::core::Scrutiny<'_>, is_counting: bool,
        ) -> ::stairway::machine::core::Pool {
            let mut pool = if is_counting { __POINTS } else { ::stairway::machine::core::Pool::at_random() };
            s.__mention(&mut pool);
            if !is_counting { pool.all(&[#(#literals),*]); #parts }
            pool.scrutinise(scrutiny);
            #below_state
            pool
        }
        /// The operation at a position, with arguments that are drawn.
        #[allow(unused_variables)]
        const fn __arguments(
            which: usize, c: &mut ::stairway::machine::core::Choices<'_>, pool: &::stairway::machine::core::Pool,
        ) -> Op { #arguments }
        /// Draws an operation; false if there is none.
        const fn __propose(
            __at: &mut (State, Op), c: &mut ::stairway::machine::core::Choices<'_>, pool: &::stairway::machine::core::Pool,
        ) -> bool { #propose }
        /// One step, in place: proposes until `next` allows it, up to 16 times. Where guards are hard to
        /// meet, the first step that is possible is taken.
        #[doc(hidden)]
        pub const fn __advance(
            __at: &mut (State, Op), c: &mut ::stairway::machine::core::Choices<'_>, scrutiny: ::stairway::machine::core::Scrutiny<'_>,
        ) -> bool {
            let pool = __pool(&__at.0, scrutiny, c.is_counting());
            if c.is_counting() {
                return __propose(__at, c, &pool) && __next(__at);
            }
            let mut n_tries = 0;
            while n_tries < 16 {
                c.open(::stairway::machine::core::Label::Try);
                if !__propose(__at, c, &pool) { return false; }
                if __next(__at) {
                    c.close();
                    return true;
                }
                c.close_rejected();
                n_tries += 1;
            }
            let mut record = ::stairway::machine::core::RECORD;
            let c = &mut ::stairway::machine::core::Choices::counting(&mut record);
            let pool = __pool(&__at.0, scrutiny, true);
            let mut n_tries = 0;
            loop {
                if __propose(__at, c, &pool) && __next(__at) { return true; }
                n_tries += 1;
                if n_tries > 10_000 || !c.advance() { return false; }
            }
        }
    }
}

/// How likely each operation is in a state; 0 where it is not possible.
pub(in super::super) fn weights(machine: &Machine, state: &Ident) -> Vec<u32> {
    let weight = |op: &Op| if machine.is_possible(state, &op.name) { op.weight } else { 0 };
    machine.ops.iter().map(weight).collect()
}

/// The body of a function that draws an operation and its arguments.
fn propose(machine: &Machine) -> TokenStream {
    let which = machine.states.iter().map(|state| {
        let name = &state.name;
        let weights = weights(machine, name);
        if weights.iter().all(|weight| *weight == 0) {
            return quote!(State::#name { .. } => return false,);
        }
        quote!(State::#name { .. } => c.weighted(&[#(#weights),*], NAMES),)
    });
    let names = machine.ops.iter().map(|op| op.method().to_string().trim_start_matches("r#").to_string());
    quote! {
        const NAMES: &[&str] = &[#(#names),*];
        let which = match __at.0 { #(#which)* };
        __at.1 = __arguments(which, c, pool);
        c.halted().is_none()
    }
}

/// The body of a function that draws the arguments of an operation.
fn arguments(machine: &Machine) -> TokenStream {
    let draws = machine.ops.iter().map(|op| values::draw_op(machine, op, false));
    let draws = draws.enumerate().map(|(k, draw)| quote!(#k => #draw));
    quote!(match which { #(#draws,)* _ => __SOME_OP })
}
