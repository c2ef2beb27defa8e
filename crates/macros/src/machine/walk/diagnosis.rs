//! Reports what is odd about a machine as a compile error, unless it is allowed.
//!
//! Dead ends and arms that disagree are reported wherever exploration has found them. States never reached
//! and operations never done are reported only if exploration is complete.

use super::super::names::snake;
use super::super::{ALLOWED, Machine, lift};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let name = machine.name.to_string();
    let states = machine.states.iter().map(|s| s.name.to_string());
    let ops = machine.ops.iter().map(|o| o.name.to_string());
    let possible =
        machine.states.iter().flat_map(|s| machine.ops.iter().map(|o| machine.is_possible(&s.name, &o.name)));
    let [unreachable, never_done, _, _, hidden] = ALLOWED.map(|word| machine.allows(word));
    let has_options = machine.options.is_some();
    let allows_never = if has_options { hidden } else { never_done };
    let (dead_ends, may_end) = (dead_ends(machine), may_end(machine));
    let (functions, disagreements) = overlaps(machine);
    quote! {
        #functions
        #may_end
        #[doc(hidden)]
        const fn __diagnose() -> ::stairway::machine::core::Text {
            let g = __GRAPH;
            let mut t = ::stairway::machine::core::Text::new();
            #dead_ends
            #disagreements
            if g.is_complete() {
                let names = ::stairway::machine::core::Names {
                    states: &[#(#states),*],
                    ops: &[#(#ops),*],
                    possible: &[#(#possible),*],
                    has_options: #has_options,
                    allows_unreachable: #unreachable,
                    allows_never: #allows_never,
                };
                names.say_never(g, &mut t);
            }
            t
        }
        #[allow(long_running_const_eval)]
        const _: () = {
            let t = __diagnose();
            if !t.is_empty() {
                panic!("{}", ::stairway::machine::core::headed(concat!("something is odd about the machine `", #name, "`"), &t).as_str())
            }
        };
    }
}

/// Statements that name the states in which nothing is possible and which are not marked as ends.
fn dead_ends(machine: &Machine) -> TokenStream {
    if machine.allows("dead_ends") {
        return quote!();
    }
    let mend = match machine.system {
        Some(_) => {
            "`: the parts wait for each other; where the whole may end, all its parts are in states with #[terminal]"
        }
        None => "`: give it an operation, or mark it with #[terminal] if the machine may end there",
    };
    quote! {
        let (known, mut i) = (g.known(), 0);
        while g.progress.n_ends > 0 && i < known.states.len() {
            let s = known.states[i];
            if known.is_end(i) && !__may_end(&s) {
                t.str("\n  nothing is possible in the state `");
                s.__show(&mut t);
                t.str("");
                t.str(#mend);
            }
            i += 1;
        }
    }
}

/// A function that says whether the machine may end in a state.
fn may_end(machine: &Machine) -> TokenStream {
    if let Some(system) = &machine.system {
        return system.may_end();
    }
    let terminal = machine.states.iter().map(|s| s.is_terminal);
    quote! {
        #[doc(hidden)]
        pub const fn __may_end(s: &State) -> bool { [#(#terminal),*][s.__index()] }
    }
}

/// For each operation with several guarded arms in a state: do two of them want different things? Functions
/// that ask, and statements that say it.
fn overlaps(machine: &Machine) -> (TokenStream, TokenStream) {
    let uses = machine.uses();
    let (s_name, op_name) = (&machine.next.state, &machine.next.op);
    let (mut functions, mut cases) = (TokenStream::new(), TokenStream::new());
    for state in &machine.states {
        for op in &machine.ops {
            let guarded: Vec<_> =
                machine.arms_of(&state.name, &op.name).filter(|arm| arm.is_guarded()).collect();
            if guarded.len() < 2 || machine.allows("overlaps") {
                continue;
            }
            let mut ways = Vec::new();
            for (k, arm) in guarded.iter().enumerate() {
                let name = format_ident!(
                    "__way_{k}_of_{}_in_{}",
                    snake(&op.name.to_string()),
                    snake(&state.name.to_string())
                );
                let way = lift::comparable(machine.next.around(arm, lift::lifted(arm)), &machine.enums);
                functions.extend(quote! {
                    #[doc(hidden)]
                    #[allow(unused_variables, unused_mut, unreachable_patterns, unreachable_code)]
                    const fn #name(#s_name: State, #op_name: Op) -> ::core::option::Option<State> {
                        #uses
                        #way
                    }
                });
                ways.push(name);
            }
            let (s, o) = (&state.name, &op.name);
            let n = ways.len();
            cases.extend(quote! {
                (State::#s { .. }, Op::#o { .. }) => {
                    let ways: [::core::option::Option<State>; #n] = [#(#ways(s, op)),*];
                    let (mut first, mut i) = (None, 0);
                    while i < #n {
                        if let Some(to) = ways[i] {
                            match first {
                                None => first = Some(to),
                                Some(other) => if __key_of(&to) != __key_of(&other) { return Some((other, to)); },
                            }
                        }
                        i += 1;
                    }
                    None
                }
            });
        }
    }
    if cases.is_empty() {
        return (quote!(), quote!());
    }
    let functions = quote! {
        #functions
        #[doc(hidden)]
        #[allow(unreachable_patterns)]
        const fn __overlap(s: State, op: Op) -> ::core::option::Option<(State, State)> {
            match (s, op) { #cases _ => None }
        }
    };
    (functions, disagreements())
}

/// Whether an operation has several guarded arms in a state, which may disagree.
pub(super) fn may_overlap(machine: &Machine) -> bool {
    !machine.allows("overlaps") && !overlaps(machine).1.is_empty()
}

/// Statements that name the first pair of arms that disagree.
fn disagreements() -> TokenStream {
    quote! {
        if let Some((s, op, one, other)) = g.progress.disagreement {
            t.str("\n  two arms of `next` disagree on `");
            op.__show(&mut t);
            t.str("` in state `");
            s.__show(&mut t);
            t.str("`: one leads to `");
            one.__show(&mut t);
            t.str("`, the other to `");
            other.__show(&mut t);
            t.str("`; let their guards exclude each other, or write allow(overlaps)");
            return t;
        }
    }
}
