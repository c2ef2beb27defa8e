//! Five of these systems for the peers: the same models and systems, step by step, as each tool wants them.
//!
//! A peer sees a model and a system as one thing whose steps fail where the two answer differently. So there is
//! one list of steps with the ranges of their arguments for each system, and everything else follows from it.

use super::{Classes, Folders, Forest, Matrix, Rights, RunQueue, Sizes, Timers, Turns, Wheel};
use crate::measure::count_step;
use crate::peers;
use crate::programs::MAX_STEPS;
use crate::programs::probe::{agree, begin};
use hegel::{TestCase, generators as gs};
use proptest::prelude::{BoxedStrategy, Just, Strategy};
use proptest::strategy::Union;
use proptest::test_runner::Config;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};
use std::ops::RangeInclusive;

const fn between<T>(least: T, most: T) -> RangeInclusive<T> {
    least..=most
}

macro_rules! twin {
    ($twin:ident: $model:ident, $system:ident; $($step:ident($($arg:ident: $type:ty = $least:literal..=$most:literal),*);)*) => {
        pub(in crate::shortest) mod $twin {
            use super::*;

            #[derive(Clone, Debug)]
            #[allow(non_camel_case_types, reason = "steps have the names of methods")]
            pub(in crate::shortest) enum Op {
                $($step { $($arg: $type),* },)*
            }

            #[derive(Debug)]
            pub(in crate::shortest) struct Twin {
                model: $model,
                system: $system,
            }

            impl Twin {
                fn start() -> Twin {
                    begin();
                    let (model, system) = $model::new();
                    Twin { model, system }
                }

                fn perform(&mut self, op: Op) {
                    count_step();
                    match op {
                        $(Op::$step { $($arg),* } => {
                            assert!(agree(&self.model.$step($($arg),*), &self.system.$step($($arg),*)));
                        })*
                    }
                }
            }

            impl ReferenceStateMachine for Twin {
                type State = ();
                type Transition = Op;

                fn init_state() -> BoxedStrategy<()> {
                    Just(()).boxed()
                }

                fn transitions((): &()) -> BoxedStrategy<Op> {
                    Union::new([$(
                        (Just(()), $(between::<$type>($least, $most),)*)
                            .prop_map(|((), $($arg,)*)| Op::$step { $($arg),* })
                            .boxed(),
                    )*])
                    .boxed()
                }

                fn apply((): (), _: &Op) {}
            }

            impl StateMachineTest for Twin {
                type SystemUnderTest = Twin;
                type Reference = Twin;

                fn init_test((): &()) -> Twin {
                    Twin::start()
                }

                fn apply(mut twin: Twin, (): &(), op: Op) -> Twin {
                    twin.perform(op);
                    twin
                }
            }

            pub(in crate::shortest) fn with_proptest(n_cases: u64, seed: u64) {
                let config = Config::default();
                let strategy = Twin::sequential_strategy(1..=MAX_STEPS);
                peers::proptest(n_cases, seed, &strategy, |(state, ops, seen)| {
                    Twin::test_sequential(config.clone(), state, ops, seen);
                    Ok(())
                });
            }

            #[hegel::state_machine]
            impl Twin {
                $(#[rule]
                fn $step(&mut self, _tc: TestCase) {
                    $(let $arg = _tc.draw(gs::integers::<$type>().min_value($least).max_value($most));)*
                    self.perform(Op::$step { $($arg),* });
                })*
            }

            pub(in crate::shortest) fn with_hegel(n_cases: u64, seed: u64) {
                peers::hegel(n_cases, seed, |tc| {
                    hegel::stateful::machine(Twin::start()).steps(MAX_STEPS as i64).run(tc);
                });
            }
        }
    };
}

twin! { joined_sets: Classes, Forest;
    union(a: u8 = 0..=5, b: u8 = 0..=5);
    mark();
    back();
    joined(a: u8 = 0..=5, b: u8 = 0..=5);
}

twin! { timer_wheel: Timers, Wheel;
    schedule(timer: u8 = 0..=4, delay: u8 = 1..=12);
    cancel(timer: u8 = 0..=4);
    tick();
}

twin! { rights: Rights, Matrix;
    grant(user: u8 = 0..=3, right: u8 = 0..=3);
    allow(group: u8 = 0..=2, right: u8 = 0..=3);
    join(user: u8 = 0..=3, group: u8 = 0..=2);
    leave(user: u8 = 0..=3, group: u8 = 0..=2);
    may(user: u8 = 0..=3, right: u8 = 0..=3);
}

twin! { run_queue: Turns, RunQueue;
    spawn(task: u8 = 0..=5);
    next();
    block(task: u8 = 0..=5);
    wake(task: u8 = 0..=5);
}

twin! { folders: Sizes, Folders;
    write(folder: usize = 0..=5, amount: u32 = 1..=8);
    move_to(folder: usize = 0..=5, to: usize = 0..=5);
    size(folder: usize = 0..=5);
}
