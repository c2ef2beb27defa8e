//! Functions that every machine has: drawing a step, exploring, reporting what is odd, printing a run.
//!
//! They call the machine's own `next`, and const evaluation can call no trait, so each machine has its own
//! copy. Their text stands here once: `#[machine]` calls these macros inside the machine's module with what
//! differs from machine to machine. All of them work on a pair of state and operation that is changed in
//! place, because const evaluation pays for every copy and every call.

/// Makes one step: an operation is proposed, and done if `next` allows it.
///
/// Without `options`, an operation is drawn among all, so that it keeps its meaning in another state, and its
/// arguments from a pool of numbers. It is drawn up to 16 times, each in a span of its own, so that shrinking
/// can remove refused proposals.
#[doc(hidden)]
#[macro_export]
macro_rules! __drawing {
    (
        points $points:tt $literals:tt $offsets:tt $of_the_state:literal [$($part:ident),*],
        $some_op:expr, $($way:tt)*
    ) => {
        /// An operation to stand in a pair before the first one is drawn.
        #[doc(hidden)]
        pub const __SOME_OP: Op = $some_op;
        /// What the machine itself compares arguments with, and its parts.
        #[doc(hidden)]
        pub const __POINTS: $crate::Pool = {
            let mut pool = $crate::Pool::counting(&$offsets, $of_the_state);
            pool.points(&$points);
            $(pool.join(&$part::__POINTS);)*
            pool
        };
        $crate::__drawing! { $($way)*, $literals, [$($part),*] }
        /// A step from a state; of choices that are counted through, only what they are drawn for.
        #[doc(hidden)]
        pub const fn __draw(
            s: State, c: &mut $crate::Choices<'_>, scrutiny: $crate::Scrutiny<'_>,
        ) -> ::core::option::Option<(Op, State)> {
            let mut at = (s, __SOME_OP);
            if __advance(&mut at, c, scrutiny) { Some((at.1, at.0)) } else { None }
        }
    };
    // The machine says itself what it would do. Where nothing is possible, nothing need be proposed.
    (options $machine:literal $possible:tt [$($end:pat)?], $literals:tt, $parts:tt) => {
        /// One step, in place: what const evaluation does most.
        #[doc(hidden)]
        pub const fn __advance(at: &mut (State, Op), c: &mut $crate::Choices<'_>, _: $crate::Scrutiny<'_>) -> bool {
            $(if let $end = at.0 { return false; })?
            at.1 = options(at.0, c);
            if __next(at) { return true; }
            if c.halted().is_none() { __forbidden(at) }
            false
        }
        /// Whether it is certain that nothing is possible where `options` proposes nothing.
        #[doc(hidden)]
        pub const fn __is_end(_: &State, _: $crate::Scrutiny<'_>) -> bool { true }
        /// On its own, so that const evaluation need not prepare for it at every step.
        const fn __forbidden((s, op): &(State, Op)) -> ! {
            const POSSIBLE: &[&str] = &$possible;
            let mut t = $crate::Text::new();
            t.str(concat!("`options` of the machine `", $machine, "` proposes what `next` does not allow: `"));
            op.__show(&mut t);
            t.str("` in state `");
            s.__show(&mut t);
            t.str("`; the operation is possible in: ");
            t.str(POSSIBLE[op.__index()]);
            panic!("{}", t.as_str())
        }
    };
    // Operations are drawn by their weights, which `$weights` are, state by state.
    (
        weighted $names:tt { $($weights:tt)* } |$c:ident, $pool:ident| { $($arguments:tt)* },
        $literals:tt, [$($part:ident),*]
    ) => {
        /// Numbers that are worth trying in a state.
        const fn __pool(s: &State, scrutiny: $crate::Scrutiny<'_>, is_counting: bool) -> $crate::Pool {
            let mut pool = if is_counting { __POINTS } else { $crate::Pool::at_random() };
            s.__mention(&mut pool);
            if !is_counting {
                pool.all(&$literals);
                $(pool.join(&$part::__POINTS);)*
            }
            pool.scrutinise(scrutiny);
            pool
        }
        /// The operation at a position, with arguments that are drawn.
        #[allow(unused_variables)]
        const fn __arguments(which: usize, $c: &mut $crate::Choices<'_>, $pool: &$crate::Pool) -> Op {
            match which { $($arguments)* _ => __SOME_OP }
        }
        /// Draws an operation; false if there is none.
        const fn __propose(at: &mut (State, Op), c: &mut $crate::Choices<'_>, pool: &$crate::Pool) -> bool {
            const NAMES: &[&str] = &$names;
            let weights: ::core::option::Option<&[u32]> = match at.0 { $($weights)* };
            let Some(weights) = weights else { return false };
            at.1 = __arguments(c.weighted(weights, NAMES), c, pool);
            c.halted().is_none()
        }
        /// One step, in place: proposes until `next` allows it, up to 16 times. Where guards are hard to
        /// meet, the first step that is possible is taken.
        #[doc(hidden)]
        pub const fn __advance(
            at: &mut (State, Op), c: &mut $crate::Choices<'_>, scrutiny: $crate::Scrutiny<'_>,
        ) -> bool {
            let pool = __pool(&at.0, scrutiny, c.is_counting());
            if c.is_counting() {
                return __propose(at, c, &pool) && __next(at);
            }
            let mut n_tries = 0;
            while n_tries < 16 {
                c.open($crate::Label::Try);
                if !__propose(at, c, &pool) { return false; }
                if __next(at) {
                    c.close();
                    return true;
                }
                c.close_rejected();
                n_tries += 1;
            }
            __first_step(at, scrutiny).0
        }
        /// Does the first operation that is possible with arguments that are counted through, and says whether
        /// there may be others: operation by operation, so that one with many arguments hides no other.
        const fn __first_step(at: &mut (State, Op), scrutiny: $crate::Scrutiny<'_>) -> (bool, bool) {
            let weights: ::core::option::Option<&[u32]> = match at.0 { $($weights)* };
            let Some(weights) = weights else { return (false, false) };
            let mut record = $crate::RECORD;
            let c = &mut $crate::Choices::counting(&mut record);
            let pool = __pool(&at.0, scrutiny, true);
            let (mut which, mut is_cut) = (0, false);
            while which < weights.len() {
                if weights[which] > 0 {
                    let mut n_tries = 0;
                    c.recount();
                    loop {
                        at.1 = __arguments(which, c, &pool);
                        if __next(at) { return (true, true); }
                        is_cut |= c.halted().is_some();
                        n_tries += 1;
                        if n_tries >= $crate::MAX_OF_ONE { is_cut = true; break; }
                        if !c.advance() { break; }
                    }
                    is_cut |= c.was_clipped();
                }
                which += 1;
            }
            (false, is_cut)
        }
        /// Whether it is certain that nothing is possible in a state.
        #[doc(hidden)]
        pub const fn __is_end(s: &State, scrutiny: $crate::Scrutiny<'_>) -> bool {
            let (is_done, may_be_more) = __first_step(&mut (*s, __SOME_OP), scrutiny);
            !is_done && !may_be_more
        }
    };
}

/// Explores a machine: every step from every state, as far as there is room.
///
/// Writes `__explore` and the graphs that it makes, except `__GRAPH`, which exists for every machine and is used
/// to diagnose it: that one is passed by name and written by `#[machine]`, so that rustc says once, at the
/// attribute, that it cannot be computed. Checks that need all states use `__whole` if it is not complete.
#[doc(hidden)]
#[macro_export]
macro_rules! __exploring {
    ($graph:tt $n_ops:literal $n_words:literal $n_facts:literal $($steps:tt)*) => {
        #[doc(hidden)]
        pub const fn __key_of_op(op: &Op) -> u128 {
            let mut id = $crate::Identity::EMPTY;
            op.__identify(&mut id);
            id.finish()
        }
        /// The states, and the steps between them.
        #[doc(hidden)]
        pub type __StateSpace<const __S: usize, const __E: usize> =
            $crate::FixedStateSpace<State, Op, __S, __E, $n_words>;
        $crate::__steps! { $n_ops $($steps)* }
        /// Explores in a room of its own, after what was explored in a smaller one.
        #[doc(hidden)]
        pub const fn __explore<const __S: usize, const __E: usize>(
            smaller: ::core::option::Option<$crate::Room<'_, State, Op>>,
            limits: $crate::Limits, scrutiny: $crate::Scrutiny<'_>, patience: ::core::option::Option<usize>,
        ) -> __StateSpace<__S, __E> {
            let mut room = __StateSpace::<__S, __E>::new(START, smaller);
            let mut record = $crate::RECORD;
            let mut c = $crate::Choices::counting(&mut record);
            let mut e = room.exploration(limits);
            if smaller.is_none() { e.start(START, __key_of(&START)); }
            while e.open() {
                __expand(&mut e, &mut c, scrutiny, patience.is_some());
                e.close();
                if let Some(patience) = patience && e.has_learnt_all($n_facts, patience) { e.end(); }
            }
            let progress = e.progress;
            room.progress = progress;
            room
        }
        /// Rustc computes every constant of a crate, unless it has a parameter: then only where it is used.
        #[doc(hidden)]
        pub struct __Whole<const IS_USED: bool>;
        impl<const IS_USED: bool> __Whole<IS_USED> {
            const LIMITS: $crate::Limits = $crate::Limits::new($crate::N_WHOLE, 8 * $crate::N_WHOLE, u32::MAX);
            #[allow(long_running_const_eval)]
            const SMALL: &'static __StateSpace<{ $crate::N_SMALL }, { 8 * $crate::N_SMALL }> =
                &__explore(None, Self::LIMITS, $crate::Scrutiny::NONE, None);
            #[allow(long_running_const_eval)]
            const GRAPH: &'static __StateSpace<{ $crate::N_WHOLE }, { 8 * $crate::N_WHOLE }> =
                &__explore(Some(Self::SMALL.room()), Self::LIMITS, $crate::Scrutiny::NONE, None);
        }
        /// In functions of their own: what a function mentions is computed when it is called.
        const fn __larger<const IS_USED: bool>() -> $crate::StateGraph<'static, State, Op> {
            if __Whole::<IS_USED>::SMALL.progress.is_full { __largest::<IS_USED>() } else { __Whole::<IS_USED>::SMALL.graph() }
        }
        const fn __largest<const IS_USED: bool>() -> $crate::StateGraph<'static, State, Op> {
            __Whole::<IS_USED>::GRAPH.graph()
        }
        /// As many states as there is room for.
        #[doc(hidden)]
        pub const fn __whole<const IS_USED: bool>() -> $crate::StateGraph<'static, State, Op> {
            let space = $graph;
            if space.is_complete() { space.graph() } else { __larger::<IS_USED>() }
        }
    };
}

/// The function that makes all steps from the state that an exploration has opened. `$next` does the step of
/// the pair `$at`.
#[doc(hidden)]
#[macro_export]
macro_rules! __steps {
    // Those that `options` proposes, which may be the same twice. Where nothing is possible, nothing need be
    // proposed.
    ($n_ops:literal |$at:ident| $next:expr, [$($overlap:ident)?], options [$($end:pat)?]) => {
        #[doc(hidden)]
        pub const fn __expand(
            e: &mut $crate::Exploration<'_, State, Op>, c: &mut $crate::Choices<'_>,
            scrutiny: $crate::Scrutiny<'_>, diagnoses: bool,
        ) {
            let s = e.states[e.progress.from];
            let mut $at = (s, __SOME_OP);
            if diagnoses { e.learn($crate::Names::reached($n_ops, s.__index())); }
            $(if let $end = s { return; })?
            let may_join = matches!(scrutiny.arguments, $crate::Arguments::Ignored);
            let (mut first, mut is_cut) = (0, false);
            c.recount();
            e.begin();
            loop {
                $at.0 = s;
                $at.1 = options(s, c);
                if $next {
                    $($crate::__steps! { overlap $overlap e s $at diagnoses })?
                    let to = e.reach($at.0, __key_of(&$at.0));
                    if to != usize::MAX && !__is_known(e, &$at.1, to, may_join) {
                        e.edge(Some($at.1), to);
                        if diagnoses { e.learn($crate::Names::done($n_ops, s.__index(), $at.1.__index())); }
                    }
                } else if c.halted().is_none() { __forbidden(&$at) }
                is_cut |= c.halted().is_some();
                if c.first_index() != first {
                    first = c.first_index();
                    e.begin();
                }
                if !(if e.may_go_on() { c.advance() } else { c.advance_first() }) { break; }
            }
            if is_cut || c.was_clipped() { e.sample(); }
        }
        /// Whether a step was drawn before. Operations are compared only where one leads to the same state;
        /// where nobody looks at arguments, one operation to one state is one step.
        const fn __is_known(e: &$crate::Exploration<'_, State, Op>, op: &Op, to: usize, may_join: bool) -> bool {
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
    };
    // Every operation with every combination of arguments that is worth trying. `$possible` says for each
    // state which operations are possible, and whether one of them has arguments.
    (
        $n_ops:literal |$at:ident| $next:expr, [$($overlap:ident)?],
        counted { $($possible:tt)* } draws $draws:tt bare $bare:tt
    ) => {
        #[doc(hidden)]
        pub const fn __expand(
            e: &mut $crate::Exploration<'_, State, Op>, c: &mut $crate::Choices<'_>,
            scrutiny: $crate::Scrutiny<'_>, diagnoses: bool,
        ) {
            let s = e.states[e.progress.from];
            let mut $at = (s, __SOME_OP);
            if diagnoses { e.learn($crate::Names::reached($n_ops, s.__index())); }
            let (possible, is_drawn): (&[bool; $n_ops], bool) = match s { $($possible)* };
            let may_join = matches!(scrutiny.arguments, $crate::Arguments::Ignored);
            let pool = if is_drawn { &__pool(&s, scrutiny, true) } else { &__POINTS };
            let (draws, bare): (&[bool; $n_ops], &[Op; $n_ops]) = (&$draws, &$bare);
            let (mut which, mut is_cut) = (0, false);
            if is_drawn { c.recount(); }
            while which < $n_ops {
                if possible[which] {
                    let is_drawn = draws[which];
                    if is_drawn { e.begin(); }
                    loop {
                        $at.0 = s;
                        $at.1 = if is_drawn { __arguments(which, c, pool) } else { bare[which] };
                        if $next {
                            $($crate::__steps! { overlap $overlap e s $at diagnoses })?
                            e.step(&$at, __key_of(&$at.0), may_join && is_drawn);
                            if diagnoses { e.learn($crate::Names::done($n_ops, s.__index(), which)); }
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
    };
    // Notes that two arms disagree.
    (overlap $overlap:ident $e:ident $s:ident $at:ident $diagnoses:ident) => {
        if $diagnoses && $e.progress.disagreement.is_none() && let Some((one, other)) = $overlap($s, $at.1) {
            $e.progress.disagreement = Some(($s, $at.1, one, other));
        }
    };
}

/// Asks each of several arms where an operation leads: two different states, if two of them disagree.
#[doc(hidden)]
#[macro_export]
macro_rules! __disagreement {
    ($($to:expr),*) => {{
        let (ways, mut first, mut i): (&[::core::option::Option<State>], _, _) = (&[$($to),*], None, 0);
        while i < ways.len() {
            if let Some(to) = ways[i] {
                match first {
                    None => first = Some(to),
                    Some(other) => if __key_of(&to) != __key_of(&other) { return Some((other, to)); },
                }
            }
            i += 1;
        }
        None
    }};
}

/// Reports what is odd about a machine, unless it is allowed.
///
/// Dead ends and arms that disagree are reported wherever exploration has found them. States never reached and
/// operations never done are reported only if exploration is complete.
#[doc(hidden)]
#[macro_export]
macro_rules! __diagnosis {
    ($graph:tt [$($dead_end:literal)?] $names:expr) => {
        const fn __diagnose() -> $crate::Text {
            let space = $graph;
            let (graph, mut t) = (space.graph(), $crate::Text::new());
            $(
                let (mut i, mut n_dead) = (0, 0);
                while space.progress.n_ends > 0 && i < graph.states.len() {
                    let s = graph.states[i];
                    if graph.is_end(i) && !__may_end(&s) {
                        n_dead += 1;
                        if n_dead <= 3 {
                            t.str("\n  nothing is possible in the state `");
                            s.__show(&mut t);
                            t.str($dead_end);
                        }
                    }
                    i += 1;
                }
                if n_dead > 3 {
                    t.str("\n  nor in ");
                    t.uint(n_dead - 3);
                    t.str(if n_dead == 4 { " more state" } else { " more states" });
                }
            )?
            if let Some((s, op, one, other)) = space.progress.disagreement {
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
            if space.is_complete() {
                let names: $crate::Names<'_> = $names;
                names.say_never(space, &mut t);
            }
            t
        }
    };
}

/// Prints runs of a machine; every counterexample is printed here. Among copies, the states that were explored
/// are not always those that the run is shown in: `follow` goes along it.
#[doc(hidden)]
#[macro_export]
macro_rules! __showing {
    ($($follow:ident $places:ident)?) => {
        /// A run of steps that stand one after the other.
        #[doc(hidden)]
        pub const fn __show_run(
            t: &mut $crate::Text, ops: &[::core::option::Option<Op>], states: &[State], n: usize,
        ) {
            __show_steps(t, (ops, states), None, n, None);
        }
        /// A run along edges of what was explored.
        #[doc(hidden)]
        pub const fn __show_path(
            t: &mut $crate::Text, graph: &$crate::StateGraph<'_, State, Op>,
            path: &[u32], found: $crate::Counterexample,
        ) {
            __show_steps(t, (graph.ops, graph.states), Some((path, graph.to)), found.n_path, found.cycle_from);
        }
        #[allow(unused_mut, unused_assignments)]
        const fn __show_steps(
            t: &mut $crate::Text,
            (ops, states): (&[::core::option::Option<Op>], &[State]),
            path: ::core::option::Option<(&[u32], &[u32])>,
            n: usize, cycle_from: ::core::option::Option<usize>,
        ) {
            let (mut width, mut i) = (0, 0);
            while i < n {
                let mut one = $crate::Text::new();
                let edge = match path { Some((path, _)) => path[i] as usize, None => i };
                if let Some(op) = ops[edge] { op.__show(&mut one); }
                if one.len() > width && one.len() <= 60 { width = one.len(); }
                i += 1;
            }
            t.str("\n         ");
            START.__show(t);
            // What the run was when it entered its cycle, and what it is now, where copies change places.
            let (mut entry, mut last) = ($crate::Text::new(), $crate::Text::new());
            $(
                let (mut renamings, mut at) = ($places, START);
                START.__show(&mut entry);
                last = entry;
            )?
            let mut i = 0;
            while i < n {
                let (edge, state) = match path {
                    Some((path, to)) => (path[i] as usize, to[path[i] as usize] as usize),
                    None => (i, i),
                };
                let (op, shown) = (ops[edge], states[state]);
                $(
                    let (op, shown) = $follow(&mut renamings, &at, op, &shown);
                    at = states[state];
                    last = $crate::Text::new();
                    shown.__show(&mut last);
                    if let Some(from) = cycle_from && from == i + 1 { entry = last; }
                )?
                // Nobody reads hundreds of steps: the first and the last ones tell most.
                if n > 40 && i >= 20 && i < n - 10 {
                    if i == 20 {
                        t.str("\n         ");
                        t.uint((n - 30) as u128);
                        t.str(" more steps, and then");
                    }
                    i += 1;
                    continue;
                }
                t.str("\n    ");
                if i < 9 { t.str(" "); }
                t.uint(i as u128 + 1);
                t.str(". ");
                let from = t.len();
                match op {
                    Some(op) => op.__show(t),
                    None => t.str("(nothing is possible)"),
                }
                t.pad(from, width);
                t.str(" -> ");
                shown.__show(t);
                i += 1;
            }
            if let (Some(from), Some((path, _))) = (cycle_from, path) {
                if n == from + 1 && ops[path[from] as usize].is_none() {
                    t.str("\n         stays there for ever");
                } else {
                    t.str("\n         cycle: repeats from step ");
                    t.uint(from as u128 + 1);
                    if !entry.is_same(&last) { t.str(", with copies in each other's places"); }
                }
            }
        }
    };
}
