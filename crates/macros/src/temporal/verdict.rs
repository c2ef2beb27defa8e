//! What the compiler evaluates for a property of a machine, as calls of the macros of `stairway-machine`: all
//! states that there is room for, then random traces, and the assurance of the verdict.
//!
//! A proved property is silent. One that fails, or was not checked, is an error. One that holds on everything
//! tried but is not proved is a warning.

use super::expand::{PredicateInputs, n_states, predicates};
use super::formula::{Atom, Atoms};
use super::{Head, Options};
use crate::machine::Use;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use stairway_formula::{Monitor, Standing};

/// Traces that are drawn where the states are too many, and their steps.
pub(super) const N_RANDOM: u64 = 100;
pub(super) const N_DEPTH: u64 = 20;
/// Random traces that are drawn by one constant, and how many such constants there may be.
const N_BATCH: u64 = 500;
const MAX_BATCHES: u64 = 100;
/// Set in a row of [`turns`] whose state is not open.
const MARKED: usize = 1 << 31;

pub(super) fn check(
    monitor: &Monitor<'_>,
    options: &Options,
    head: &Head,
    machine_name: &str,
    has_branches: bool,
    (atoms, machine): (&Atoms, &TokenStream),
) -> TokenStream {
    if options.random.is_some() && !has_branches {
        let traces = random(monitor, options, (atoms, machine), &quote!(true));
        return quote! {
            #traces
            const _: () = {
                if let Some((n, length, fault)) = __TRACES.0 { panic!("{}", __again(n, length, fault).as_str()) }
            };
        };
    }
    let is_for_all = options.is_exhaustive && options.depth.is_none() || options.is_proved;
    let must_be_complete = is_for_all || has_branches;
    let goes_on = !options.is_exhaustive && !must_be_complete;
    let graph = graph(options, atoms);
    let traces = goes_on.then(|| random(monitor, options, (atoms, machine), &quote!(!__G.is_complete())));
    let traced = goes_on.then(|| quote!(__TRACES));
    let of_operation = atoms.all.iter().any(|atom| matches!(atom, Atom::After(_)));
    let is_auto = atoms.is_auto;
    let shown = is_auto.then(|| {
        quote!(if ::core::option_env!("STAIRWAY_SHOW_WITHIN").is_some() {
            panic!("{}", __e::smallest_within(__HEAD.property, WITHIN).as_str())
        })
    });
    let warned = (goes_on && !options.may_be_sampled).then(|| warning(options, head, machine_name));
    quote! {
        __e::__graph! { #graph }
        #traces
        __e::__verdict! { #of_operation #must_be_complete #is_for_all #is_auto [#traced] }
        const _: () = {
            if !__VERDICT.0.is_empty() { panic!("{}", __VERDICT.0.as_str()) }
            #shown
        };
        #warned
    }
}

/// How many states only this property needs, and how far from the start; nothing if those that are explored
/// for all properties will do.
fn graph(options: &Options, atoms: &Atoms) -> TokenStream {
    let is_own = atoms.arguments != Use::Ignored
        || options.states.is_some()
        || options.is_exhaustive
        || options.is_proved;
    if !is_own {
        return TokenStream::new();
    }
    let depth = options.depth.filter(|_| options.is_exhaustive).unwrap_or(u64::from(u32::MAX));
    let (most, depth) = (n_states(options) as usize, depth as u32);
    let is_shared = atoms.arguments == Use::Ignored && options.states.is_none() && depth == u32::MAX;
    quote!(#is_shared #most #depth)
}

/// The monitor's table as random traces use it, in which nearly every step leads to an open state.
fn turns(monitor: &Monitor<'_>) -> Vec<usize> {
    let turn = |to: &u16| {
        let is_open = monitor.standing(*to) == Standing::Open;
        (*to as usize) << monitor.n_atoms | if is_open { 0 } else { MARKED }
    };
    monitor.table.iter().map(turn).collect()
}

/// Random traces, which are drawn only if `is_needed` is true in const evaluation.
fn random(
    monitor: &Monitor<'_>,
    options: &Options,
    (atoms, machine): (&Atoms, &TokenStream),
    is_needed: &TokenStream,
) -> TokenStream {
    let (n_traces, depth) = (options.random.unwrap_or(N_RANDOM), options.depth.unwrap_or(N_DEPTH) as usize);
    let (seed, may_be_open, is_auto) = (options.seed.unwrap_or(1), options.may_be_open, atoms.is_auto);
    let (n_atoms, turns) = (atoms.all.len(), turns(monitor));
    // A row of the table begins where the bits of its column are 0: they are set in place.
    let looked = PredicateInputs { state: quote!(__now.0), op: quote!(__now.1), bits: quote!(__at) };
    let (states, operations) = predicates(atoms, machine, &looked);
    let batch = (n_traces / MAX_BATCHES).max(N_BATCH);
    let batches = (0..n_traces.div_ceil(batch)).map(|k| {
        let (name, from, to) = (format_ident!("__BATCH_{k}"), k * batch, ((k + 1) * batch).min(n_traces));
        quote!(#name #from #to)
    });
    quote! {
        __e::__random_traces! {
            #seed #depth #may_be_open #is_auto #n_atoms [#(#turns),*] |__now, __at| { #states #operations }
            #is_needed, #(#batches),*
        }
    }
}

/// Says that a property is not proved, at its name.
fn warning(options: &Options, head: &Head, machine_name: &str) -> TokenStream {
    let name = &head.name;
    let (n_traces, depth) = (options.random.unwrap_or(N_RANDOM), options.depth.unwrap_or(N_DEPTH));
    let tried =
        format!("it holds on {} states and {n_traces} random traces of {depth} steps", n_states(options));
    let accept = "write `sampled` after the machine to accept this, or `proved` to make it an error";
    let bounded = format!(
        "property `{name}` of machine `{machine_name}` is not proved: {tried}, and there are more states; allow more with \
         `states(n)`, bound the machine's data, or {accept}"
    );
    // The machine names the arguments.
    let sampled = format!("property `{name}` of machine `{machine_name}` is not proved: ");
    let smaller = format!(
        " are too many to try all, and more is done with them than to compare them with numbers or with one other; give them a smaller type, or {accept}"
    );
    let mention = quote_spanned!(name.span()=> __Assured::<__ASSURANCE>::PROVED);
    quote!(__e::__assurance! { #bounded #sampled #smaller } const _: () = #mention;)
}
