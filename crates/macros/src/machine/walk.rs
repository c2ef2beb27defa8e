//! Drawing steps, exploring states, and saying what is odd about a machine: functions that call the
//! machine's `next` in const evaluation, because no function of the library can.

use super::arms::{may, nested};
use super::names::snake;
use super::{Machine, lift, values};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

/// How many states are explored for every machine, and how many edges.
const N_STATES: usize = 128;
const N_EDGES: usize = 1024;

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let draw = draw(machine);
    let called = draw_call(machine);
    let may = may_be_called(machine);
    let explore = explore();
    let (overlaps, has_overlaps) = overlaps(machine);
    let diagnosis = diagnosis(machine, has_overlaps);
    let show = show();
    quote!(#draw #may #called #explore #overlaps #diagnosis #show)
}

/// The function that draws one step.
fn draw(machine: &Machine) -> TokenStream {
    let uses = machine.uses();
    if let Some(options) = &machine.options {
        let (inputs, body, docs) = (&options.sig.inputs, &options.block.stmts, super::docs(&options.attrs));
        let possible = machine.ops.iter().map(|op| machine.where_possible(&op.name));
        let name = machine.name.to_string();
        // Where nothing is possible, nothing need be proposed.
        let has_end =
            |state: &&super::State| !machine.ops.iter().any(|op| machine.is_possible(&state.name, &op.name));
        let ends: Vec<_> = machine.states.iter().filter(has_end).map(|state| &state.name).collect();
        let end = |s: TokenStream, over: TokenStream| {
            (!ends.is_empty()).then(|| quote!(if let #(State::#ends { .. })|* = #s { return #over; }))
        };
        let (end, end_in_place) = (end(quote!(s), quote!(None)), end(quote!(*s), quote!(false)));
        return quote! {
            #(#docs)*
            #[allow(unused_variables, unused_mut)]
            pub const fn options(#inputs) -> Op { #uses #(#body)* }
            #[doc(hidden)]
            pub const fn __draw(
                s: State, c: &mut ::stairway::Choices<'_>, _: &[i128], _: bool,
            ) -> ::core::option::Option<(Op, State)> {
                #end
                let op = options(s, c);
                match next(s, op) {
                    Some(to) => Some((op, to)),
                    None => if c.halted().is_some() { None } else { __forbidden(s, op) },
                }
            }
            /// One step of a random trace, in place: what const evaluation does most.
            #[doc(hidden)]
            pub const fn __advance(s: &mut State, c: &mut ::stairway::Choices<'_>, _: &[i128], _: bool) -> bool {
                #end_in_place
                let op = options(*s, c);
                match next(*s, op) {
                    Some(to) => *s = to,
                    None => return if c.halted().is_some() { false } else { __forbidden(*s, op) },
                }
                true
            }
            /// On its own, so that const evaluation need not prepare for it at every step.
            #[doc(hidden)]
            const fn __forbidden(s: State, op: Op) -> ! {
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
        };
    }
    let accept = quote!(if let Some(to) = next(s, op) {
        if !is_counting {
            c.close();
        }
        return Some((op, to));
    });
    let tries = tries(machine, false, &accept);
    quote! {
        #[doc(hidden)]
        #[allow(unused_variables)]
        pub const fn __draw(
            s: State, c: &mut ::stairway::Choices<'_>, extra: &[i128], is_thorough: bool,
        ) -> ::core::option::Option<(Op, State)> {
            let mut pool = ::stairway::engine::machine::Pool::new();
            s.__mention(&mut pool);
            #tries
            // Guards that are hard to meet: the first step that is possible.
            let mut record = ::stairway::engine::machine::RECORD;
            let mut c = ::stairway::Choices::counting(&mut record);
            let mut n_tries = 0;
            loop {
                let drawn = __draw(s, &mut c, extra, is_thorough);
                n_tries += 1;
                if drawn.is_some() { return drawn; }
                if !c.advance() || n_tries > 10_000 { return None; }
            }
        }
        /// One step of a random trace, in place.
        #[doc(hidden)]
        pub const fn __advance(
            s: &mut State, c: &mut ::stairway::Choices<'_>, extra: &[i128], is_thorough: bool,
        ) -> bool {
            match __draw(*s, c, extra, is_thorough) {
                Some((_, to)) => { *s = to; true }
                None => false,
            }
        }
    }
}

/// Draws an operation up to 16 times, each in a span of its own: what was refused can be left out of a
/// record. An operation is drawn among all, so that it keeps its meaning in another state.
fn tries(machine: &Machine, is_called: bool, accept: &TokenStream) -> TokenStream {
    let literals = &machine.literals;
    let which = machine.states.iter().map(|state| {
        let name = &state.name;
        let weight = |op: &super::Op| if machine.is_possible(name, &op.name) { op.weight } else { 0 };
        let weights: Vec<u32> = machine.ops.iter().map(weight).collect();
        if weights.iter().all(|weight| *weight == 0) {
            return quote!(State::#name { .. } => return None,);
        }
        quote!(State::#name { .. } => c.weighted(&[#(#weights),*], NAMES),)
    });
    let names = machine.ops.iter().map(|op| op.method().to_string().trim_start_matches("r#").to_string());
    let draws = machine
        .ops
        .iter()
        .enumerate()
        .map(|(k, op)| (k, values::draw_op(machine, op, is_called)))
        .map(|(k, draw)| quote!(#k => #draw));
    quote! {
        const NAMES: &[&str] = &[#(#names),*];
        pool.all(&[#(#literals),*]);
        pool.all(extra);
        if is_thorough { pool.be_thorough(); }
        let pool = &pool;
        let mut n_tries = 0;
        while n_tries < 16 {
            let is_counting = c.is_counting();
            if !is_counting { c.open("try"); }
            let which = match s { #(#which)* };
            let op = match which { #(#draws,)* _ => return None };
            if c.halted().is_some() { return None; }
            #accept
            if is_counting { return None; }
            c.close_rejected();
            n_tries += 1;
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

/// The function that draws a call of a driver.
fn draw_call(machine: &Machine) -> TokenStream {
    if machine.options.is_some() {
        return quote! {
            #[doc(hidden)]
            pub fn __draw_call(s: State, c: &mut ::stairway::Choices<'_>) -> ::core::option::Option<Op> {
                match __draw(s, c, &[], true) { Some((op, _)) => Some(op), None => None }
            }
        };
    }
    let accept = quote!(if __may(s, op) {
        if !is_counting {
            c.close();
        }
        return Some(op);
    });
    let tries = tries(machine, true, &accept);
    quote! {
        #[doc(hidden)]
        #[allow(unused_variables)]
        pub fn __draw_call(s: State, c: &mut ::stairway::Choices<'_>) -> ::core::option::Option<Op> {
            let (extra, is_thorough): (&[i128], bool) = (&[], true);
            let mut pool = ::stairway::engine::machine::Pool::new();
            s.__mention(&mut pool);
            #tries
            let mut record = ::stairway::engine::machine::RECORD;
            let mut c = ::stairway::Choices::counting(&mut record);
            let mut n_tries = 0;
            loop {
                let drawn = __draw_call(s, &mut c);
                n_tries += 1;
                if drawn.is_some() { return drawn; }
                if !c.advance() || n_tries > 10_000 { return None; }
            }
        }
    }
}

fn explore() -> TokenStream {
    quote! {
        #[doc(hidden)]
        pub const fn __key_of(s: &State) -> u128 {
            let mut id = ::stairway::engine::machine::Identity::new();
            s.__identify(&mut id);
            id.finish()
        }
        #[doc(hidden)]
        pub const fn __key_of_op(op: &Op) -> u128 {
            let mut id = ::stairway::engine::machine::Identity::new();
            op.__identify(&mut id);
            id.finish()
        }
        /// Whether a step was drawn before. Operations are compared only where one leads to the same state.
        const fn __is_known<const __S: usize, const __E: usize>(
            known: &::stairway::engine::machine::Explored<State, Op, __S, __E>, from: usize, op: &Op, to: usize,
        ) -> bool {
            let mut at = known.first[from] as usize;
            while let Some(edge) = known.edge_to(to, at) {
                if let Some(other) = &known.ops[edge] && __key_of_op(other) == __key_of_op(op) { return true; }
                at = edge + 1;
            }
            false
        }
        #[doc(hidden)]
        pub const fn __explore<const __S: usize, const __E: usize>(
            max_depth: u32, extra: &[i128], is_thorough: bool,
        ) -> ::stairway::engine::machine::Explored<State, Op, __S, __E> {
            let mut known = ::stairway::engine::machine::Explored::<State, Op, __S, __E>::new(START, __key_of(&START));
            let mut record = ::stairway::engine::machine::RECORD;
            let mut c = ::stairway::Choices::counting(&mut record);
            let mut from = 0;
            while from < known.n {
                if known.open(from, max_depth) {
                    let s = known.states[from];
                    loop {
                        if let Some((op, to)) = __draw(s, &mut c, extra, is_thorough) {
                            let to = known.reach(from, to, __key_of(&to));
                            if to != usize::MAX && !__is_known(&known, from, &op, to) { known.edge(from, Some(op), to); }
                        }
                        let is_next = if known.may_go_on(from, c.first_index()) { c.advance() } else { c.advance_first() };
                        if !is_next { break; }
                    }
                    known.close(from);
                }
                from += 1;
            }
            known
        }
        #[doc(hidden)]
        #[allow(long_running_const_eval)]
        pub const __GRAPH: ::stairway::engine::machine::Explored<State, Op, #N_STATES, #N_EDGES> =
            __explore(u32::MAX, &[], false);
    }
}

/// For each operation with several guarded arms in a state: do two of them want different things?
fn overlaps(machine: &Machine) -> (TokenStream, bool) {
    let uses = machine.uses();
    let parameters = &machine.next.parameters;
    let (s_name, op_name, lent) = (&parameters.state, &parameters.op, machine.next.lent());
    let (mut functions, mut cases) = (TokenStream::new(), TokenStream::new());
    for state in &machine.states {
        for op in &machine.ops {
            let guarded: Vec<_> = machine
                .arms_of(&state.name, &op.name)
                .filter(|arm| arm.is_guarded() && !arm.is_early)
                .collect();
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
                let body = machine.next.lifted(arm);
                let way = lift::comparable(nested(&arm.path, body.into_token_stream()), &machine.enums);
                functions.extend(quote! {
                    #[doc(hidden)]
                    #[allow(unused_variables, unused_mut, unreachable_patterns, unreachable_code)]
                    const fn #name(#s_name: State, #op_name: Op) -> ::core::option::Option<State> {
                        #uses #lent
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
    let has_overlaps = !cases.is_empty();
    let expanded = quote! {
        #functions
        #[doc(hidden)]
        #[allow(unreachable_patterns)]
        const fn __overlap(s: State, op: Op) -> ::core::option::Option<(State, State)> {
            match (s, op) { #cases _ => None }
        }
    };
    (expanded, has_overlaps)
}

/// What is odd about a machine is an error unless it is allowed.
fn diagnosis(machine: &Machine, has_overlaps: bool) -> TokenStream {
    let name = machine.name.to_string();
    let (n_states, n_ops) = (machine.states.len(), machine.ops.len());
    let states = machine.states.iter().map(|s| s.name.to_string());
    let ops = machine.ops.iter().map(|o| o.name.to_string());
    let terminal = machine.states.iter().map(|s| s.is_terminal);
    let possible = machine.states.iter().map(|s| {
        let row = machine.ops.iter().map(|o| machine.is_possible(&s.name, &o.name));
        quote!([#(#row),*])
    });
    let [unreachable, never_done, dead_ends, overlaps, hidden] =
        super::ALLOWED.map(|word| machine.allows(word));
    let looks_for_overlaps = has_overlaps && !overlaps;
    let has_options = machine.options.is_some();
    let never = if has_options { (hidden, "hidden") } else { (never_done, "never_done") };
    let (never, allow_never) = never;
    quote! {
        #[doc(hidden)]
        const fn __diagnose() -> ::stairway::engine::machine::Text {
            const STATES: [&str; #n_states] = [#(#states),*];
            const OPS: [&str; #n_ops] = [#(#ops),*];
            const TERMINAL: [bool; #n_states] = [#(#terminal),*];
            const POSSIBLE: [[bool; #n_ops]; #n_states] = [#(#possible),*];
            let g = &__GRAPH;
            let mut t = ::stairway::engine::machine::Text::new();
            let mut is_reached = [false; #n_states];
            let mut is_done = [[false; #n_ops]; #n_states];
            let mut i = 0;
            while i < g.n {
                let s = g.states[i];
                let from = s.__index();
                is_reached[from] = true;
                if !#dead_ends && g.is_end(i) && !TERMINAL[from] {
                    t.str("\n  nothing is possible in the state `");
                    s.__show(&mut t);
                    t.str("`: give it an operation, or mark it with #[terminal] if the machine may end there");
                }
                let (mut e, end) = g.edges_of(i);
                while e < end {
                    if let Some(op) = g.ops[e] {
                        is_done[from][op.__index()] = true;
                        if #looks_for_overlaps && let Some((one, other)) = __overlap(s, op) {
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
                    e += 1;
                }
                i += 1;
            }
            if !g.is_complete() { return t; }
            let mut i = 0;
            while i < #n_states {
                if !is_reached[i] {
                    if !#unreachable {
                        t.str("\n  the state `");
                        t.str(STATES[i]);
                        t.str("` cannot be reached from the start: let an arm lead there, or write allow(unreachable)");
                    }
                } else {
                    let mut k = 0;
                    while k < #n_ops {
                        if POSSIBLE[i][k] && !is_done[i][k] && !#never {
                            if #has_options {
                                t.str("\n  `options` never proposes `");
                                t.str(OPS[k]);
                                t.str("` in state `");
                                t.str(STATES[i]);
                                t.str("`, which `next` allows");
                            } else {
                                t.str("\n  the operation `");
                                t.str(OPS[k]);
                                t.str("` is never done in state `");
                                t.str(STATES[i]);
                                t.str("`: its pattern or guard was never met");
                            }
                            t.str(concat!("; mend it, or write allow(", #allow_never, ")"));
                        }
                        k += 1;
                    }
                }
                i += 1;
            }
            t
        }
        #[allow(long_running_const_eval)]
        const _: () = {
            let t = __diagnose();
            if !t.is_empty() {
                panic!("{}", ::stairway::machine::__headed(concat!("something is odd about the machine `", #name, "`"), &t).as_str())
            }
        };
    }
}

/// A run as the compiler's messages show it.
fn show() -> TokenStream {
    quote! {
        #[doc(hidden)]
        pub const fn __show_run(
            t: &mut ::stairway::engine::machine::Text,
            ops: &[::core::option::Option<Op>], states: &[State], n: usize,
            circle_from: ::core::option::Option<usize>,
        ) {
            let (mut width, mut i) = (0, 0);
            while i < n {
                let mut one = ::stairway::engine::machine::Text::new();
                if let Some(op) = ops[i] { op.__show(&mut one); }
                if one.len() > width && one.len() <= 60 { width = one.len(); }
                i += 1;
            }
            t.str("\n         ");
            START.__show(t);
            let mut i = 0;
            while i < n {
                // Nobody reads hundreds of steps: the first and the last ones tell most.
                if n > 40 && i == 20 {
                    t.str("\n         ");
                    t.uint((n - 30) as u128);
                    t.str(" more steps, and then");
                    i = n - 10;
                }
                t.str("\n    ");
                if i < 9 { t.str(" "); }
                t.uint(i as u128 + 1);
                t.str(". ");
                let from = t.len();
                match ops[i] {
                    Some(op) => op.__show(t),
                    None => t.str("(nothing is possible)"),
                }
                t.pad(from, width);
                t.str(" -> ");
                states[i].__show(t);
                i += 1;
            }
            if let Some(from) = circle_from {
                if n == from + 1 && ops[from].is_none() {
                    t.str("\n         and there it stays for ever");
                } else {
                    t.str("\n         and so on for ever, again from step ");
                    t.uint(from as u128 + 1);
                }
            }
        }
    }
}
