//! What the compiler evaluates for a property of a machine: the states that there is room for, the verdict on
//! them, then random traces, and the assurance.
//!
//! As in `walk`, each property has its own copy, because the machine's functions are called and const
//! evaluation can call no trait. `temporal!` calls these macros inside the property's module, where `__m` is
//! the machine.

/// The constant `__G`: the states of the machine and the steps between them.
#[doc(hidden)]
#[macro_export]
macro_rules! __graph {
    // Those that are explored for all properties.
    () => {
        #[allow(long_running_const_eval)]
        const __G: $crate::StateGraph<'static, __m::State, __m::Op> = __m::__whole::<true>();
    };
    // Those that only this property needs. Most machines are small: room is made in steps, since to make it
    // costs as much as to fill it.
    ($is_shared:literal $most:literal $max_depth:literal) => {
        /// Rustc computes every constant of a crate, unless it has a parameter: then only where it is used.
        struct __Rooms<const IS_USED: bool>;
        impl<const IS_USED: bool> __Rooms<IS_USED> {
            const LIMITS: $crate::Limits = $crate::Limits::new($most, 8 * $most, $max_depth);
            #[allow(long_running_const_eval)]
            const TINY: &'static __m::__StateSpace<
                { $crate::at_most(64, $most) },
                { 8 * $crate::at_most(64, $most) },
            > = &__m::__explore(None, Self::LIMITS, __SCRUTINY, None);
            #[allow(long_running_const_eval)]
            const SMALL: &'static __m::__StateSpace<
                { $crate::at_most(512, $most) },
                { 8 * $crate::at_most(512, $most) },
            > = &__m::__explore(Some(Self::TINY.room()), Self::LIMITS, __SCRUTINY, None);
            #[allow(long_running_const_eval)]
            const LARGE: &'static __m::__StateSpace<
                { $crate::at_most(2048, $most) },
                { 8 * $crate::at_most(2048, $most) },
            > = &__m::__explore(Some(Self::SMALL.room()), Self::LIMITS, __SCRUTINY, None);
            #[allow(long_running_const_eval)]
            const WHOLE: &'static __m::__StateSpace<$most, { 8 * $most }> =
                &__m::__explore(Some(Self::LARGE.room()), Self::LIMITS, __SCRUTINY, None);
        }
        // In functions of their own: what a function mentions is computed when it is called.
        const fn __tiny<const IS_USED: bool>() -> $crate::StateGraph<'static, __m::State, __m::Op> {
            if __Rooms::<IS_USED>::TINY.progress.is_full {
                __small::<IS_USED>()
            } else {
                __Rooms::<IS_USED>::TINY.graph()
            }
        }
        const fn __small<const IS_USED: bool>() -> $crate::StateGraph<'static, __m::State, __m::Op> {
            if __Rooms::<IS_USED>::SMALL.progress.is_full {
                __large::<IS_USED>()
            } else {
                __Rooms::<IS_USED>::SMALL.graph()
            }
        }
        const fn __large<const IS_USED: bool>() -> $crate::StateGraph<'static, __m::State, __m::Op> {
            if __Rooms::<IS_USED>::LARGE.progress.is_full {
                __whole::<IS_USED>()
            } else {
                __Rooms::<IS_USED>::LARGE.graph()
            }
        }
        const fn __whole<const IS_USED: bool>() -> $crate::StateGraph<'static, __m::State, __m::Op> {
            __Rooms::<IS_USED>::WHOLE.graph()
        }
        const fn __shared<const IS_USED: bool>() -> $crate::StateGraph<'static, __m::State, __m::Op> {
            let shared = __m::__whole::<IS_USED>();
            if shared.is_complete() { shared } else { __tiny::<IS_USED>() }
        }
        // If there are no more states than are explored for all properties, these are the same.
        #[allow(long_running_const_eval)]
        const __G: $crate::StateGraph<'static, __m::State, __m::Op> =
            if $is_shared { __shared::<$is_shared>() } else { __tiny::<true>() };
    };
}

/// The verdict on all states of `__G`, and on random traces if those are not all there are.
///
/// `$of_operation`: whether a predicate is about operations; what is asked of states is asked once a state.
/// `$must_be_complete`: whether the formula cannot be decided on some of the states, or all were asked for,
/// which `$is_for_all` says.
#[doc(hidden)]
#[macro_export]
macro_rules! __verdict {
    ($of_operation:literal $must_be_complete:literal $is_for_all:literal $is_auto:literal [$($traces:ident)?]) => {
        const __N: usize = __G.states.len() * __TABLES.most_states();
        const __MOST: usize = $crate::Search::longest_path(__N);
        /// What does not hold, and how many steps `within(auto, ..)` needs.
        const fn __exhaustive() -> ($crate::Text, u32) {
            const N: usize = __G.states.len();
            const E: usize = __G.to.len();
            let (states, ops, to) = (__G.states, __G.ops, __G.to);
            let mut letters = [0u32; N];
            let mut i = 0;
            while i < N { letters[i] = __letter(None, &states[i]); i += 1; }
            let mut edges = [$crate::Edge::BLANK; E];
            let mut i = 0;
            while i < E {
                let to = to[i];
                edges[i] = $crate::Edge { to, letter: letters[to as usize] };
                if $of_operation && let Some(op) = &ops[i] { edges[i].letter = __letter(Some(op), &states[to as usize]); }
                i += 1;
            }
            let mut path = [0; __MOST];
            let mut t = $crate::Text::new();
            let verdict = $crate::decide(
                &__TABLES,
                &mut $crate::Explorable {
                    edges: &mut edges, first: __G.first, is_known: __G.is_known, letters: &mut letters,
                    is_complete: __G.is_complete(),
                },
                &mut $crate::Rooms {
                    path: &mut path,
                    search: &mut [0; $crate::Search::room(__N)],
                    letters: &mut [0; __MOST + 1],
                    parts: &mut [false; (__MOST + 1) * __TABLES.parts.len()],
                    marked: &mut [false; N],
                    is_unknown: &mut [false; N],
                },
            );
            if let $crate::Verdict::Fails(found, is_sure) = verdict {
                __HEAD.fails(&mut t, N, __G.is_complete(), is_sure);
                __m::__show_path(&mut t, &__G, &path, found);
                return (t, 0);
            }
            if $must_be_complete && !__G.is_complete() {
                __HEAD.is_not_decided(&mut t, N, __G.ended, !$is_for_all, __m::__COMPUTED_ARGUMENTS);
                let mut i = N.saturating_sub(3);
                while i < N { t.str("\n    "); states[i].__show(&mut t); i += 1; }
                return (t, 0);
            }
            if let ($crate::Verdict::Vacuous(k), true) = (verdict, __G.is_complete()) {
                __HEAD.is_vacuous(&mut t, __CONDITION_TEXTS[k]);
                return (t, 0);
            }
            let mut longest = 0;
            if $is_auto {
                const P: usize = N * __MONITOR.standings.len();
                const PE: usize = E * __MONITOR.standings.len();
                let graph = $crate::Graph { n: N, edges: &edges, first: __G.first };
                let (edges, first, waits, length) =
                    (&mut [$crate::Edge::BLANK; PE], &mut [0u32; P], &mut [false; P], &mut [0u32; P]);
                if let Some(wait) = $crate::wait(&graph, &__MONITOR, letters[0], (edges, first, waits, length)) {
                    longest = wait;
                }
            }
            $(
                if !__G.is_complete() {
                    if let Some((n, length, fault)) = $traces.0 { return (__again(n, length, fault), 0); }
                    if $traces.1 > longest { longest = $traces.1; }
                }
            )?
            (t, longest)
        }
        #[allow(long_running_const_eval)]
        const __VERDICT: &($crate::Text, u32) = &__exhaustive();
        /// The smallest number of steps for which `within(auto, ..)` holds; 0 where it is not asked for.
        pub const WITHIN: u32 = __VERDICT.1;
    };
}

/// Types whose constant is deprecated where a property is not proved: const evaluation cannot warn, but to
/// mention a deprecated constant does. Numbers, because rustc shows the type as it is written.
#[doc(hidden)]
#[macro_export]
macro_rules! __assurance {
    ($bounded:literal $sampled:literal $accept:literal) => {
        // Of what does not hold, that is all there is to say.
        const __ASSURANCE: u8 =
            if __VERDICT.0.is_empty() { __G.assurance as u8 } else { $crate::Assurance::Proved as u8 };
        struct __Assured<const ASSURANCE: u8>;
        impl __Assured<2> {
            const PROVED: () = ();
        }
        impl __Assured<1> {
            #[deprecated(note = $bounded)]
            const PROVED: () = ();
        }
        impl __Assured<0> {
            #[deprecated = ::core::concat!($sampled, __m::__check!(@arguments), $accept)]
            const PROVED: () = ();
        }
    };
}

/// Random traces: drawn without a record and in batches; a failing one is drawn again to be shown.
///
/// `__TRACES` is the number, length and fault of a trace that fails, and the longest wait; `__again` shows a
/// trace. This code and the machine's `__advance` run for every step of every trace, so their cost is
/// measured (`docs/machines.md`). `$turns` is the monitor's table, but each state is the position of its row,
/// and marked by the highest bit unless it is open. `$predicates` set the bits of `$at` for the pair `$now`.
#[doc(hidden)]
#[macro_export]
macro_rules! __random_traces {
    (
        $seed:literal $depth:literal $may_be_open:literal $is_auto:literal $n_atoms:literal
        [$($turn:literal),*] |$now:ident, $at:ident| { $($predicates:tt)* }
        $is_needed:expr, $($batch:ident $from:literal $to:literal),*
    ) => {
        const __SEED: u64 = $crate::seed(::core::option_env!("STAIRWAY_CHECK_SEED"), $seed);
        type __Failed = ::core::option::Option<(u64, usize, $crate::TraceFault)>;
        const __MOST_DRAWN: usize = $depth * 10 + 1;
        /// Draws traces `from..to`. The inner loop is run for every step of every trace: it mentions no
        /// constant, makes no tuples and calls as little as it can.
        #[allow(unused_variables, unused_mut)]
        const fn __random(from: u64, to: u64) -> (__Failed, u32) {
            let (turns, standings, waits, most) =
                (&[$($turn),*], __MONITOR.standings, __MONITOR.waits, __MOST_DRAWN);
            let start: usize = turns[__letter(None, &__m::START) as usize];
            let scrutiny = __SCRUTINY;
            let (mut n, mut longest) = (from, 0);
            // References are kept, because each borrow of a local costs twice.
            let c = &mut $crate::Choices::new($crate::Source::Random($crate::Prng::new(0)), $crate::FULL_SIZE);
            let $now = &mut (__m::START, __m::__SOME_OP);
            while n < to {
                c.restart($crate::Prng::for_case(__SEED, n));
                $now.0 = __m::START;
                let mut $at = start;
                let mut k = 0;
                let mut wait = 0;
                loop {
                    if $at < 0x8000_0000 {
                        if k >= $depth { break; }
                    } else {
                        $at -= 0x8000_0000;
                        match standings[$at >> $n_atoms] {
                            $crate::Standing::Open => {}
                            $crate::Standing::Holds => break,
                            $crate::Standing::Fails => return (Some((n, k, $crate::TraceFault::Refuted)), 0),
                            $crate::Standing::Waiting => if k + 1 >= most {
                                if $may_be_open { break; }
                                return (Some((n, k, $crate::TraceFault::Waiting)), 0);
                            },
                        }
                    }
                    if $is_auto {
                        wait = if waits[$at >> $n_atoms] { wait + 1 } else { 0 };
                        if wait > longest { longest = wait; }
                    }
                    if !__m::__advance($now, c, scrutiny) {
                        let at = ($at >> $n_atoms) as u16;
                        if let $crate::Standing::Fails = __MONITOR.at_the_end(at, __letter(None, &$now.0))
                            && __m::__is_end(&$now.0, scrutiny)
                        {
                            return (Some((n, k, $crate::TraceFault::Ended)), 0);
                        }
                        break;
                    }
                    $($predicates)*
                    $at = turns[$at];
                    k += 1;
                }
                n += 1;
            }
            (None, longest)
        }
        // Const evaluation keeps a few bytes for everything that it has ever allocated: a new constant
        // begins with nothing.
        $(
            #[allow(long_running_const_eval)]
            const $batch: (__Failed, u32) = __random($from, if $is_needed { $to } else { 0 });
        )*
        const __TRACES: (__Failed, u32) = {
            let mut longest = 0;
            $(if $batch.1 > longest { longest = $batch.1; })*
            ($(if let Some(failed) = $batch.0 { Some(failed) } else)* { None }, longest)
        };
        /// Draws a trace again, leaves out its detours, and shows it.
        const fn __again(n: u64, length: usize, fault: $crate::TraceFault) -> $crate::Text {
            // What is still waited for must not be waited for in fewer steps.
            let is_waiting = matches!(fault, $crate::TraceFault::Waiting);
            let source = $crate::Source::Random($crate::Prng::for_case(__SEED, n));
            let mut c = $crate::Choices::new(source, $crate::FULL_SIZE);
            let (mut ops, mut states, mut judged) =
                ([None; __MOST_DRAWN], [__m::START; __MOST_DRAWN], [0u16; __MOST_DRAWN]);
            let mut s = __m::START;
            let start = __MONITOR.after($crate::Monitor::START, __letter(None, &s));
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
                    if back != usize::MAX && !is_waiting { m = back; } else { ops[m] = Some(op); states[m] = s; judged[m] = at; m += 1; }
                }
                k += 1;
            }
            let (mut again, mut i) = (start, 0);
            while i < m {
                again = __MONITOR.after(again, __letter(match &ops[i] { Some(op) => Some(op), None => None }, &states[i]));
                i += 1;
            }
            let is_sure =
                !matches!(fault, $crate::TraceFault::Refuted) || matches!(__MONITOR.standing(again), $crate::Standing::Fails);
            let mut t = $crate::Text::new();
            __HEAD.fails_on_trace(&mut t, n + 1, __SEED, is_sure);
            __m::__show_run(&mut t, &ops, &states, m);
            t.str(fault.text());
            t
        }
    };
}

/// Looks for arguments for which a property of functions does not hold: first those that are counted through,
/// the simplest ones first, then random ones.
#[doc(hidden)]
#[macro_export]
macro_rules! __function_search {
    (
        $name:literal $doc:literal $text:literal
        $seed:literal $n_counted:literal $n_random:literal $may_be_vacuous:literal
    ) => {
        const __HEAD: &str =
            concat!("property `", $name, "` does not hold", $doc, "\n  property: ", $text, "\n  for:");
        const __SEED: u64 = $crate::seed(::core::option_env!("STAIRWAY_CHECK_SEED"), $seed);
        const fn __search() -> $crate::Text {
            let (mut n, mut n_held, mut record) = (0u64, 0u64, $crate::RECORD);
            let mut c = $crate::Choices::counting(&mut record);
            while n < $n_counted {
                match __judge(&mut c, true) {
                    (__Outcome::Fails, text) => return $crate::headed(__HEAD, &text),
                    (__Outcome::Holds, _) => n_held += 1,
                    (__Outcome::Refused, _) => {}
                }
                if !c.advance() {
                    break;
                }
                n += 1;
            }
            let mut n = 0u64;
            while n < $n_random {
                let source = $crate::Source::Random($crate::Prng::for_case(__SEED, n));
                let mut c = $crate::Choices::new(source, 10 + (n % 90) as u32);
                match __judge(&mut c, true) {
                    (__Outcome::Fails, text) => return $crate::headed(__HEAD, &text),
                    (__Outcome::Holds, _) => n_held += 1,
                    (__Outcome::Refused, _) => {}
                }
                n += 1;
            }
            let mut t = $crate::Text::new();
            if n_held == 0 && !$may_be_vacuous {
                t.str(concat!(
                    "property `",
                    $name,
                    "` was not checked: no arguments meet its condition; draw arguments that do, or ",
                    "write the option `vacuous`"
                ));
            }
            t
        }
    };
}

/// The verdict on a refinement: one machine as a more detailed description of another.
#[doc(hidden)]
#[macro_export]
macro_rules! __refinement {
    (
        $name:literal $detailed_name:literal $general_name:literal $by_name:literal
        [$($detailed:tt)*] [$($general:tt)*] [$($by:tt)*] $($states:literal)?
    ) => {
        const D: $crate::StateGraph<'static, $($detailed)*::State, $($detailed)*::Op> =
            $crate::__refinement!(graph [$($detailed)*] $($states)?);
        const G: $crate::StateGraph<'static, $($general)*::State, $($general)*::Op> =
            $crate::__refinement!(graph [$($general)*] $($states)?);
        const fn judge() -> $crate::Text {
            let mut t = $crate::Text::new();
            if !D.is_complete() || !G.is_complete() {
                t.str(concat!("refinement `", $name, "` is not decided: "));
                t.str(if D.is_complete() { $general_name } else { $detailed_name });
                t.str(" cannot be explored whole; bound its data, or allow more with `, states(n)`");
                return t;
            }
            const N: usize = D.states.len();
            const M: usize = G.states.len();
            let (mut keys, mut i) = ([0u128; M], 0);
            while i < M { keys[i] = $($general)*::__key_of(&G.states[i]); i += 1; }
            let (mut stands_for, mut i) = ([u32::MAX; N], 0);
            while i < N {
                let key = $($general)*::__key_of(&$($by)*(D.states[i]));
                let mut k = 0;
                while k < M { if keys[k] == key { stands_for[i] = k as u32; break; } k += 1; }
                i += 1;
            }
            let (detailed, general) =
                ($crate::Steps { to: D.to, first: D.first }, $crate::Steps { to: G.to, first: G.first });
            let is_started = stands_for[0] == 0;
            let wrong = $crate::unrefined(detailed, general, &stands_for);
            if is_started && wrong.is_none() { return t; }
            t.str(concat!(
                "refinement `", $name, "` does not hold: `", $detailed_name, "` does what `", $general_name,
                "` does not\n  by `", $by_name, "`, "
            ));
            match wrong {
                Some(edge) if is_started => {
                    t.str("the last step leads from `");
                    let (mut by, mut path) = ([0u32; N], [0u32; N + 1]);
                    let n = detailed.way_to(edge, &mut by, &mut path);
                    let before = if n > 1 { D.states[D.to[path[n - 2] as usize] as usize] } else { D.states[0] };
                    $($by)*(before).__show(&mut t);
                    t.str("` to `");
                    $($by)*(D.states[D.to[edge] as usize]).__show(&mut t);
                    t.str("`, which is no step:");
                    $($detailed)*::__show_path(&mut t, &D, &path, $crate::Counterexample { n_path: n, cycle_from: None });
                }
                _ => {
                    t.str("it starts in `");
                    $($by)*(D.states[0]).__show(&mut t);
                    t.str("`, and the other one in `");
                    G.states[0].__show(&mut t);
                    t.str("`");
                }
            }
            t
        }
    };
    (graph [$($machine:tt)*]) => { $($machine)*::__whole::<true>() };
    (graph [$($machine:tt)*] $states:literal) => {{
        #[allow(long_running_const_eval)]
        const OWN: &$($machine)*::__StateSpace<$states, { 8 * $states }> = &$($machine)*::__explore(
            None, $crate::Limits::new($states, 8 * $states, u32::MAX), $crate::Scrutiny::NONE, None,
        );
        OWN.graph()
    }};
}
