//! Calls the macros of `stairway-machine` that draw steps, explore, diagnose and print runs, with what differs
//! from machine to machine. All that they write works on a pair of state and operation.

use super::arms::made_by;
use super::compose::System;
use super::names::snake;
use super::syntax::{is_comparison, is_variable};
use super::{ALLOWED, Machine, Op, State, docs, lift, values};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::visit::{self, Visit};
use syn::{BinOp, Expr};

/// How many states are explored for every machine.
const N_STATES: usize = 128;

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let (overlaps, overlap) = overlaps(machine);
    let draw = draw(machine);
    let explore = explore(machine, &overlap);
    let diagnosis = diagnosis(machine);
    let system = machine.system.as_ref().filter(|system| system.has_copies());
    let (follow, follows) = (system.map(System::follow), system.map(|_| quote!(__follow __SAME_PLACES)));
    quote! {
        #draw
        #overlaps
        #explore
        #diagnosis
        #follow
        ::stairway::machine::core::__showing! { #follows }
    }
}

/// Makes one step.
fn draw(machine: &Machine) -> TokenStream {
    let mut simplest = machine.ops.iter().filter_map(|op| simplest(machine, op));
    let some_op = simplest.next().unwrap_or_else(|| quote!(::core::unreachable!()));
    let (literals, uses) = (&machine.literals, &machine.uses);
    let offsets = &uses.offsets;
    // What tells the arguments of parts apart is known to them only.
    let near_state = if machine.system.is_some() { u64::MAX } else { uses.near_state() };
    // Where not all values are tried, those that stand anywhere are the best ones.
    let points: Vec<TokenStream> = match values::computed_arguments(machine).is_empty() {
        true => uses.points(),
        false => literals.iter().map(|number| quote!((#number, u64::MAX))).collect(),
    };
    let parts = machine.system.iter().flat_map(|system| &system.parts);
    let (function, way) = match &machine.options {
        Some(options) => with_options(machine, options),
        None => (TokenStream::new(), by_weight(machine)),
    };
    quote! {
        #function
        ::stairway::machine::core::__drawing! {
            points [#(#points),*] [#(#literals),*] [#(#offsets),*] #near_state [#(#parts),*], #some_op, #way
        }
    }
}

/// An operation with the simplest arguments.
fn simplest(machine: &Machine, op: &Op) -> Option<TokenStream> {
    let name = &op.name;
    values::simplest_fields(machine, quote!(Op::#name), &op.fields)
}

/// The machine says itself what it would do.
fn with_options(machine: &Machine, options: &syn::ItemFn) -> (TokenStream, TokenStream) {
    let uses = machine.uses();
    let (inputs, body, docs) = (&options.sig.inputs, &options.block.stmts, docs(&options.attrs));
    let possible = machine.ops.iter().map(|op| machine.where_possible(&op.name));
    let (name, end) = (machine.name.to_string(), machine.ends());
    let function = quote! {
        #(#docs)*
        #[allow(unused_variables, unused_mut)]
        pub const fn options(#inputs) -> Op { #uses #(#body)* }
    };
    (function, quote!(options #name [#(#possible),*] [#end]))
}

/// Operations are drawn by their weights.
fn by_weight(machine: &Machine) -> TokenStream {
    let weights = machine.states.iter().map(|state| {
        let (name, weights) = (&state.name, weights(machine, &state.name));
        match weights.iter().any(|weight| *weight > 0) {
            true => quote!(State::#name { .. } => Some(&[#(#weights),*]),),
            false => quote!(State::#name { .. } => None,),
        }
    });
    let names = machine.ops.iter().map(|op| op.method().to_string().trim_start_matches("r#").to_string());
    let draws = machine.ops.iter().map(|op| values::draw_op(machine, op, false)).enumerate();
    let draws = draws.map(|(k, draw)| quote!(#k => #draw,));
    quote!(weighted [#(#names),*] { #(#weights)* } |c, pool| { #(#draws)* })
}

/// How likely each operation is in a state; 0 where it is not possible.
pub(super) fn weights(machine: &Machine, state: &Ident) -> Vec<u32> {
    let weight = |op: &Op| if machine.is_possible(state, &op.name) { op.weight } else { 0 };
    machine.ops.iter().map(weight).collect()
}

/// Makes all steps from all states.
fn explore(machine: &Machine, overlap: &TokenStream) -> TokenStream {
    let n_ops = machine.ops.len();
    let n_words = (machine.states.len() * (n_ops + 1)).div_ceil(64);
    let n_facts = machine.states.len() + possible(machine).filter(|is_possible| *is_possible).count();
    let (functions, next) = named_steps(machine);
    let literals = &machine.literals;
    let steps = match machine.options {
        Some(_) => {
            let end = machine.ends();
            quote!(options [#end])
        }
        None => counted_steps(machine),
    };
    quote! {
        #functions
        ::stairway::machine::core::__exploring! {
            __GRAPH #n_ops #n_words #n_facts |__at| #next, [#overlap], #steps
        }
        /// What the machine is diagnosed by. It ends 32 states after every operation has been done, or as many
        /// states as the largest number in `next`.
        #[doc(hidden)]
        #[allow(long_running_const_eval)]
        pub const __GRAPH: &__StateSpace<#N_STATES, { 8 * #N_STATES }> = &__explore(
            None, ::stairway::machine::core::Limits::new(#N_STATES, 8 * #N_STATES, u32::MAX),
            ::stairway::machine::core::Scrutiny::NONE, Some(::stairway::machine::core::patience(&[#(#literals),*])),
        );
    }
}

/// State by state, whether `next` has an arm for each operation.
fn possible(machine: &Machine) -> impl Iterator<Item = bool> {
    machine.states.iter().flat_map(|s| machine.ops.iter().map(|o| machine.is_possible(&s.name, &o.name)))
}

/// Every operation with every combination of arguments that is worth trying.
fn counted_steps(machine: &Machine) -> TokenStream {
    let draws: Vec<bool> = machine.ops.iter().map(|op| !op.fields.is_empty()).collect();
    let possible = machine.states.iter().map(|state| {
        let (name, weights) = (&state.name, weights(machine, &state.name));
        let is_drawn = weights.iter().zip(&draws).any(|(weight, draws)| *weight > 0 && *draws);
        let possible = weights.iter().map(|weight| *weight > 0);
        quote!(State::#name { .. } => (&[#(#possible),*], #is_drawn),)
    });
    let bare = machine.ops.iter().map(|op| match op.fields.is_empty() {
        true => simplest(machine, op).unwrap_or_else(|| quote!(__SOME_OP)),
        false => quote!(__SOME_OP),
    });
    quote!(counted { #(#possible)* } draws [#(#draws),*] bare [#(#bare),*])
}

/// Where `next` computes something that may fail, such as a sum that overflows, rustc names the functions
/// that it was in: so each operation in each state has one that says so. Functions, and an expression that
/// does a step.
fn named_steps(machine: &Machine) -> (TokenStream, TokenStream) {
    let (mut functions, mut cases) = (TokenStream::new(), TokenStream::new());
    let pairs = machine.states.iter().flat_map(|state| machine.ops.iter().map(move |op| (state, op)));
    for (state, op) in pairs.filter(|(state, op)| may_fail(machine, state, op)) {
        let name = format_ident!("{}_in_state_{}", op.name, state.name);
        // The note points at the operation's declaration, and a variable belongs to the macro that wrote it.
        let at = Ident::new("at", op.name.span());
        let done = quote_spanned!(op.name.span()=> __next(#at));
        functions.extend(quote! {
            #[allow(non_snake_case)]
            const fn #name(#at: &mut (State, Op)) -> bool { #done }
        });
        let (state, op) = (&state.name, &op.name);
        cases.extend(quote!((State::#state { .. }, Op::#op { .. }) => #name(&mut __at),));
    }
    if cases.is_empty() {
        return (functions, quote!(__next(&mut __at)));
    }
    (functions, quote!(match __at { #cases _ => __next(&mut __at) }))
}

/// Whether `next` does more for an operation in a state than to take apart and put together.
fn may_fail(machine: &Machine, state: &State, op: &Op) -> bool {
    machine.arms_of(&state.name, &op.name).any(|arm| {
        let mut computes = Computes(false);
        arm.guards.iter().chain([&arm.body]).for_each(|expr| computes.visit_expr(expr));
        computes.0
    })
}

/// Whether there is arithmetic, an index or a call of a function.
struct Computes(bool);

impl<'a> Visit<'a> for Computes {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.0 |= match expr {
            Expr::Binary(both) => {
                !is_comparison(&both.op) && !matches!(both.op, BinOp::And(_) | BinOp::Or(_))
            }
            // A variant is none.
            Expr::Call(_) => made_by(expr).is_none_or(is_variable),
            Expr::Index(_) | Expr::MethodCall(_) | Expr::Unary(_) => true,
            _ => false,
        };
        visit::visit_expr(self, expr);
    }
}

/// For each operation with several guarded arms in a state: do two of them want different things? Functions
/// that ask, and the name of the one that asks them all, if there are any.
fn overlaps(machine: &Machine) -> (TokenStream, TokenStream) {
    let (uses, s_name, op_name) = (machine.uses(), &machine.next.state, &machine.next.op);
    let (mut functions, mut cases) = (TokenStream::new(), TokenStream::new());
    let pairs = machine.states.iter().flat_map(|state| machine.ops.iter().map(move |op| (state, op)));
    for (state, op) in pairs.filter(|_| !machine.allows("overlaps")) {
        let (s, o) = (&state.name, &op.name);
        let guarded: Vec<_> = machine.arms_of(s, o).filter(|arm| arm.is_guarded()).collect();
        if guarded.len() < 2 {
            continue;
        }
        let (op_text, state_text) = (snake(&o.to_string()), snake(&s.to_string()));
        let ways: Vec<Ident> =
            (0..guarded.len()).map(|k| format_ident!("__way_{k}_of_{op_text}_in_{state_text}")).collect();
        for (name, arm) in ways.iter().zip(guarded) {
            let way = lift::comparable(machine.next.around(arm, lift::lifted(arm)), &machine.enums);
            functions.extend(quote! {
                #[doc(hidden)]
                #[allow(unused_variables, unused_mut, unreachable_patterns, unreachable_code)]
                const fn #name(#s_name: State, #op_name: Op) -> ::core::option::Option<State> { #uses #way }
            });
        }
        cases.extend(quote! {
            (State::#s { .. }, Op::#o { .. }) => ::stairway::machine::core::__disagreement!(#(#ways(s, op)),*),
        });
    }
    if cases.is_empty() {
        return (functions, cases);
    }
    let functions = quote! {
        #functions
        #[doc(hidden)]
        #[allow(unreachable_patterns)]
        const fn __overlap(s: State, op: Op) -> ::core::option::Option<(State, State)> {
            match (s, op) { #cases _ => None }
        }
    };
    (functions, quote!(__overlap))
}

/// Reports what is odd about a machine as a compile error, unless it is allowed.
fn diagnosis(machine: &Machine) -> TokenStream {
    let head = format!("something is odd about the machine `{}`", machine.name);
    let states = machine.states.iter().map(|s| s.name.to_string());
    let ops = machine.ops.iter().map(|o| o.name.to_string());
    let possible = possible(machine);
    let [unreachable, never_done, dead_ends, _, hidden] = ALLOWED.map(|word| machine.allows(word));
    let has_options = machine.options.is_some();
    let allows_never = if has_options { hidden } else { never_done };
    let mend = (!dead_ends).then_some(match machine.system {
        Some(_) => {
            "`: the parts wait for each other; where the whole may end, all its parts are in states with #[terminal]"
        }
        None => "`: give it an operation, or mark it with #[terminal] if the machine may end there",
    });
    let may_end = match &machine.system {
        Some(system) => system.may_end(),
        None => {
            let terminal = machine.states.iter().map(|s| s.is_terminal);
            quote! {
                #[doc(hidden)]
                pub const fn __may_end(s: &State) -> bool { [#(#terminal),*][s.__index()] }
            }
        }
    };
    quote! {
        #may_end
        ::stairway::machine::core::__diagnosis! {
            __GRAPH [#mend]
            ::stairway::machine::core::Names {
                states: &[#(#states),*],
                ops: &[#(#ops),*],
                possible: &[#(#possible),*],
                has_options: #has_options,
                allows_unreachable: #unreachable,
                allows_never: #allows_never,
            }
        }
        #[allow(long_running_const_eval)]
        const _: () = {
            let t = __diagnose();
            if !t.is_empty() { panic!("{}", ::stairway::machine::core::headed(#head, &t).as_str()) }
        };
    }
}
