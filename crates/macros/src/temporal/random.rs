//! Random traces in const evaluation: drawn without a record and in batches; a failing one is drawn again to
//! be shown.
//!
//! `__FAILED` is the failing trace, `__LONGEST` the longest wait, `__again` shows a trace. This code and the
//! machine's `__advance` run for every step of every trace, so their cost is measured (`docs/machines.md`).

use super::Options;
use super::expand::{Looked, predicates};
use super::formula::Atoms;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use stairway_formula::{Monitor, Standing};

/// Traces that are drawn where the states are too many, and their steps.
pub(super) const N_RANDOM: u64 = 100;
pub(super) const N_DEPTH: u64 = 20;
/// Random traces that are drawn by one constant, and how many such constants there may be.
const N_BATCH: u64 = 500;
const MAX_BATCHES: u64 = 100;
/// Stands next to a row of [`turns`] whose state is not open.
const MARKED: u32 = 1 << 31;

/// The monitor's table as random traces use it, in which nearly every step leads to an open state.
fn turns(monitor: &Monitor<'_>) -> Vec<usize> {
    let turn = |to: &u16| {
        let is_open = monitor.standing(*to) == Standing::Open;
        (*to as usize) << monitor.n_atoms | if is_open { 0 } else { MARKED as usize }
    };
    monitor.table.iter().map(turn).collect()
}

/// Random traces, without a record; a failing one is drawn again.
/// They are drawn only if `is_needed` is true in const evaluation.
pub(super) fn random(
    monitor: &Monitor<'_>,
    options: &Options,
    (atoms, machine): (&Atoms, &TokenStream),
    is_needed: &TokenStream,
) -> TokenStream {
    let (n_traces, depth) = (options.random.unwrap_or(N_RANDOM), options.depth.unwrap_or(N_DEPTH) as usize);
    let (seed, may_be_open) = (options.seed.unwrap_or(1), options.may_be_open);
    let most = depth * 10 + 1;
    let n_atoms = atoms.all.len();
    let (turns, marked) = (turns(monitor), MARKED as usize);
    let n_turns = turns.len();
    // A row of the table begins where the bits of its column are 0: they are set in place.
    let looked = Looked { state: quote!(__now.0), op: quote!(__now.1), bits: quote!(__at) };
    let (states, operations) = predicates(atoms, machine, &looked);
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
        quote!(#from, if #is_needed { #to } else { 0 })
    });
    quote! {
        const __SEED: u64 = ::stairway::machine::core::seed(::core::option_env!("STAIRWAY_CHECK_SEED"), #seed);
        type __Failed = ::core::option::Option<(u64, usize, &'static str)>;
        const __WAITED: &str = "the trace ends before what must happen has happened; say how long that may take with `within(n, ..)`, or write the option `open`";
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
            let __scrutiny = __SCRUTINY;
            let (mut __n, mut __longest) = (from, 0);
            // References are kept, because each borrow of a local costs twice.
            let __c = &mut ::stairway::machine::core::Choices::new(::stairway::machine::core::Source::Random(::stairway::machine::core::Prng::new(0)), ::stairway::machine::core::FULL_SIZE);
            let __now = &mut (__m::START, __m::__SOME_OP);
            while __n < to {
                __c.restart(::stairway::machine::core::Prng::for_case(__SEED, __n));
                __now.0 = __m::START;
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
                    if !__m::__advance(__now, __c, __scrutiny) {
                        let at = (__at >> #n_atoms) as u16;
                        if let __e::Standing::Fails = __MONITOR.at_the_end(at, __letter(None, &__now.0)) {
                            return (Some((__n, __k, __ENDED)), 0);
                        }
                        break;
                    }
                    #states
                    #operations
                    __at = __turns[__at];
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
            let prng = ::stairway::machine::core::Prng::for_case(__SEED, n);
            let mut c = ::stairway::machine::core::Choices::new(::stairway::machine::core::Source::Random(prng), ::stairway::machine::core::FULL_SIZE);
            let (mut ops, mut states, mut judged) = ([None; #most], [__m::START; #most], [0u16; #most]);
            let mut s = __m::START;
            let start = __MONITOR.after(__e::Monitor::START, __letter(None, &s));
            let (mut at, mut k, mut m) = (start, 0, 0);
            while k < length {
                if let Some((op, to)) = __m::__draw(s, &mut c, __SCRUTINY) {
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
            __HEAD.fails_on_trace(&mut t, n + 1, __SEED, is_sure);
            __m::__show_run(&mut t, &ops, &states, m);
            if !why.is_empty() { t.str("\n         "); t.str(why); }
            t
        }
    }
}
