//! What tests need of a machine and every machine has alike, as macros that `#[machine]` calls inside the
//! machine's module.

/// The functions of `Machine` that lead to those of the module, and the tests of drivers.
#[doc(hidden)]
#[macro_export]
macro_rules! __machine_functions {
    () => {
        type State = State;
        type Op = Op;
        const START: State = START;
        fn next(state: State, op: Op) -> ::core::option::Option<State> {
            self::next(state, op)
        }
        fn draw(
            state: State,
            c: &mut $crate::machine::core::Choices<'_>,
            scrutiny: $crate::machine::core::Scrutiny<'_>,
        ) -> ::core::option::Option<(Op, State)> {
            __draw(state, c, scrutiny)
        }
        fn draw_call(
            state: State,
            op: usize,
            c: &mut $crate::machine::core::Choices<'_>,
        ) -> ::core::option::Option<Op> {
            __draw_call(state, op, c)
        }
        fn is_end(state: &State, scrutiny: $crate::machine::core::Scrutiny<'_>) -> bool {
            __is_end(state, scrutiny)
        }
        fn may(state: State, op: Op) -> bool {
            __may(state, op)
        }
        fn source(op: &Op) -> ::std::string::String {
            $crate::ToSource::to_source(op)
        }
        fn state_index(state: &State) -> usize {
            state.__index()
        }
        fn op_index(op: &Op) -> usize {
            op.__index()
        }
        fn key_of(state: &State) -> u128 {
            __key_of(state)
        }
        fn key_of_op(op: &Op) -> u128 {
            __key_of_op(op)
        }
        fn expand(
            exploration: &mut $crate::machine::core::Exploration<'_, State, Op>,
            choices: &mut $crate::machine::core::Choices<'_>,
            scrutiny: $crate::machine::core::Scrutiny<'_>,
        ) {
            __expand(exploration, choices, scrutiny, false);
        }
        fn show_path(
            text: &mut $crate::machine::core::Text,
            graph: &$crate::machine::core::StateGraph<'_, State, Op>,
            path: &[u32],
            found: $crate::machine::core::Counterexample,
        ) {
            __show_path(text, graph, path, found);
        }
    };
}

/// The function that draws a call of a driver. At random, arguments with which the operation may be possible
/// are looked for beforehand, so that a program consists of what is done; otherwise arguments with which it
/// is not possible are refused.
#[doc(hidden)]
#[macro_export]
macro_rules! __driver_calls {
    (options) => {
        #[doc(hidden)]
        pub fn __draw_call(
            s: State,
            _: usize,
            c: &mut $crate::machine::core::Choices<'_>,
        ) -> ::core::option::Option<Op> {
            __draw(s, c, $crate::machine::core::Scrutiny::EVERYTHING).map(|(op, _)| op)
        }
    };
    (weighted $has_arguments:tt |$c:ident, $pool:ident| { $($draws:tt)* }) => {
        #[allow(unused_variables)]
        fn __draw_arguments(
            which: usize,
            $c: &mut $crate::machine::core::Choices<'_>,
            $pool: &$crate::machine::core::Pool,
        ) -> ::core::option::Option<Op> {
            ::core::option::Option::Some(match which { $($draws)* _ => return None })
        }
        #[doc(hidden)]
        pub fn __draw_call(
            s: State,
            which: usize,
            c: &mut $crate::machine::core::Choices<'_>,
        ) -> ::core::option::Option<Op> {
            // How many arguments of an operation are tried until it is refused.
            const N_TRIES: u32 = 100;
            const HAS_ARGUMENTS: &[bool] = &$has_arguments;
            let pool = __pool(&s, $crate::machine::core::Scrutiny::EVERYTHING, c.is_counting());
            if HAS_ARGUMENTS[which] {
                c.look_ahead(N_TRIES, |c| __draw_arguments(which, c, &pool).is_some_and(|op| __may(s, op)));
            }
            let op = __draw_arguments(which, c, &pool)?;
            if c.halted().is_none() && __may(s, op) { Some(op) } else { None }
        }
    };
}
