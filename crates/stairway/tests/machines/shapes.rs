//! `next` in the shapes in which people write it.

use stairway::prelude::*;

/// Paths to variants, helper constants and functions, aliases of types, tuples, another name of the state.
#[machine(start = State::Idle)]
pub mod lift {
    pub const TOP: u8 = 3;
    pub type Floor = u8;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum State {
        Idle,
        Moving {
            at: Floor,
            to: Floor,
        },
        Open(Floor),
        #[terminal]
        Broken,
    }

    pub enum Op {
        Call(Floor),
        Move,
        Close,
        Alarm,
    }

    const fn is_floor(floor: Floor) -> bool {
        floor <= TOP
    }

    pub fn next(state: State, op: Op) -> State {
        match (state, op) {
            (_, Op::Alarm) => State::Broken,
            (State::Broken, _) => unreachable!(),
            (State::Idle, Op::Call(to)) if is_floor(to) => State::Moving { at: 0, to },
            (State::Moving { at, to }, Op::Move) => {
                if at == to {
                    State::Open(at)
                } else {
                    let at = if at < to { at + 1 } else { at - 1 };
                    State::Moving { at, to }
                }
            }
            (State::Open(at), Op::Close) if at == 0 => State::Idle,
            (State::Open(at), Op::Call(to)) if is_floor(to) && to != at => State::Moving { at, to },
        }
    }
}

temporal! { arrives in lift: always(implies(at(Moving { .. }), within(5, at(Open(_) | Broken)))) }
temporal! { stays_inside in lift: always(not(at(Moving { at: 4.., .. } | Open(4..)))) }
temporal! { calls in lift: always(implies(after(Call(2)), at(Moving { to: 2, .. }))) }

#[test]
fn keywords_and_tuples_are_methods_and_data() {
    let moving = lift::start().call(0).expect("there is such a floor");
    let lift::MoveNext::Open(open) = moving.r#move() else { panic!() };
    assert_eq!(open.0, 0);
    assert!(open.close().is_ok());
}

/// The state stays what it is, by name; comparisons with variants; matches that say `panic!`.
#[machine(start = Red)]
pub mod light {
    pub enum State {
        Red,
        Green,
    }
    pub enum Op {
        Tick { ret: Sensor },
        Flash,
    }
    pub enum Sensor {
        Car,
        Nothing,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (s, Op::Tick { ret }) if ret == Sensor::Nothing => s,
            (State::Red, Op::Tick { .. }) => State::Green,
            (State::Green, Op::Tick { .. }) => State::Red,
            (State::Red, Op::Flash) => s,
            (State::Green, Op::Flash) => panic!("{}", stringify!(s)),
        }
    }
}

temporal! { both_ways in light: and(always(can_reach(at(Red))), always(can_reach(at(Green)))) }

#[test]
fn a_light_may_stay() {
    let red = light::start().flash();
    assert!(matches!(red.tick(light::Sensor::Nothing), light::TickFromRed::Red(_)));
}

/// Arrays, tuples, options, signed numbers and characters in states.
#[machine(start = Window { acked: [false; 2], last: None, delta: -1, name: ('a', 1) })]
pub mod data_of_all_kinds {
    pub enum State {
        Window { acked: [bool; 2], last: Option<u8>, delta: i16, name: (char, u8) },
    }
    pub enum Op {
        Ack { k: usize },
        Slide,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Window { acked, delta, name, .. }, Ack { k }) if k < 2 => {
                let mut acked = acked;
                acked[k] = true;
                Window { acked, last: Some(k as u8), delta, name }
            }
            (Window { acked: [true, second], last, name, .. }, Slide) => {
                Window { acked: [second, false], last, delta: 0, name }
            }
        }
    }
}

temporal! { slides in data_of_all_kinds: always(can_reach(at(Window { acked: [true, true], .. }))) }
temporal! { the_first_goes_first in data_of_all_kinds: always(implies(after(Slide), at(Window { acked: [_, false], delta: 0, .. }))) }

/// A guard refuses what is simplest to draw, so that the first cases of a test draw nothing.
#[machine(start = Empty)]
pub mod bucket {
    pub enum State {
        Empty,
        Filled { n: u8 },
    }
    pub enum Op {
        Fill,
        Pour,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Empty, Fill) => Filled { n: 1 },
            (Filled { n }, Fill) if n < 3 => Filled { n: n + 1 },
            (Filled { .. }, Pour) => Empty,
        }
    }
}

temporal! { a_refused_step_is_not_the_end in bucket: leads_to(at(Filled { .. }), at(Empty)) }

/// Guards for some results only, and results that cannot be.
#[machine(start = Idle { n: 0 })]
pub mod partly {
    pub const LIMIT: u8 = 4;

    pub enum State {
        Idle { n: u8 },
        Waiting { n: u8 },
    }
    pub enum Op {
        Send { k: u8 },
        Wait { ret: Reply },
        Reset,
    }
    pub enum Reply {
        Ack { a: u8 },
        Timeout,
        Nack,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Idle { n: 0 }, Reset) => unreachable!(),
            (Idle { n }, Send { k }) if k == n && n < LIMIT => Waiting { n },
            (Idle { n }, Send { k }) if k > LIMIT && k < 10 => Idle { n },
            (Waiting { n }, Wait { ret: Ack { a } }) if a == n => Idle { n: (n + 1) % LIMIT },
            (Waiting { n }, Wait { ret: Timeout }) => Idle { n },
            (Waiting { .. }, Wait { ret: Nack }) => unreachable!(),
            (_, Reset) => Idle { n: 0 },
            _ => unreachable!(),
        }
    }
}

temporal! { numbers_stay_small in partly, exhaustive: always(at(Idle { n: 0..=3 } | Waiting { n: 0..=3 })) }

#[test]
fn what_is_guarded_for_some_results_gives_the_handle_back() {
    use partly::{Reply, SendNext, start};
    let Ok(SendNext::Waiting(waiting)) = start().send(0) else { panic!() };
    let waiting = waiting.wait(Reply::Ack { a: 9 }).unwrap_err();
    let waiting = waiting.wait(Reply::Nack).unwrap_err();
    assert_eq!(waiting.wait(Reply::Timeout).map(|idle| idle.n).ok(), Some(0));
}

/// One `match` on the pair, whose arms look at the parameters again: compiled in place, with both kept.
#[machine(start = Low { n: 0 }, allow(unreachable, never_done))]
pub mod kept {
    pub enum State {
        Low { n: u8 },
        High { n: u8 },
    }
    pub enum Op {
        Add { k: u8 },
        Swap,
        Stay,
    }
    const fn sum(s: State, op: Op) -> u8 {
        match (s, op) {
            (State::Low { n } | State::High { n }, Op::Add { k }) => n.saturating_add(k),
            (State::Low { n } | State::High { n }, _) => n,
        }
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Low { .. }, Add { k }) if k < 3 => {
                if sum(s, op) > 4 {
                    High { n: sum(s, op) }
                } else {
                    Low { n: sum(s, op) }
                }
            }
            (Low { n }, Swap) => High { n },
            (High { n }, Swap) if n < 9 => Low { n },
            (High { .. }, Stay) => s,
        }
    }
}

/// The same with a reference into the pair, which is changed in place.
#[machine(start = Low { n: 0 }, allow(unreachable, never_done))]
pub mod copied {
    pub enum State {
        Low { n: u8 },
        High { n: u8 },
    }
    pub enum Op {
        Add { k: u8 },
        Swap,
        Stay,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Low { ref n }, Add { k }) if k < 3 => {
                let sum = n.saturating_add(k);
                if sum > 4 { High { n: sum } } else { Low { n: *n + k } }
            }
            (Low { n }, Swap) => High { n },
            (High { n }, Swap) if n < 9 => Low { n },
            (High { .. }, Stay) => s,
        }
    }
}

#[test]
fn what_is_compiled_in_place_goes_where_its_copy_goes() {
    let ops = (0..5)
        .map(|k| (kept::Op::Add { k }, copied::Op::Add { k }))
        .chain([(kept::Op::Swap, copied::Op::Swap), (kept::Op::Stay, copied::Op::Stay)]);
    let states = (0..=255).flat_map(|n| {
        [
            (kept::State::Low { n }, copied::State::Low { n }),
            (kept::State::High { n }, copied::State::High { n }),
        ]
    });
    for (state, same_state) in states {
        for (op, same_op) in ops.clone() {
            let (to, same) = (kept::next(state, op), copied::next(same_state, same_op));
            assert_eq!(format!("{to:?}"), format!("{same:?}"), "{op:?} in {state:?}");
        }
    }
}

/// `Open` is a state and an operation, `Failed` a state and two results.
#[machine(start = Closed)]
pub mod shared {
    pub enum State {
        Closed,
        Open { at: u8 },
        Failed,
    }
    pub enum Op {
        Open { ret: Opened },
        Read { ret: Got },
        Close,
    }
    pub enum Opened {
        Yes,
        Failed,
    }
    pub enum Got {
        Byte,
        End,
        Failed,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Closed, Open { ret: Yes }) => Open { at: 0 },
            (Closed, Open { ret: Failed }) => Closed,
            (Open { at }, Read { ret: Byte }) if at < 3 => Open { at: at + 1 },
            (Open { .. }, Read { ret: Byte }) => unreachable!(),
            (Open { at }, Read { ret: End }) => Open { at },
            (Open { .. }, Read { ret: Failed }) => Failed,
            (Open { .. } | Failed, Close) => Closed,
        }
    }
}

temporal! { a_failure_is_closed in shared: always(implies(at(Failed), next(at(Closed)))) }
temporal! { what_fails_was_read in shared: always(implies(at(Failed), after(Read { ret: Got::Failed }))) }

#[test]
fn variants_of_one_name_are_told_apart_by_their_place() {
    let open = shared::start().open(shared::Opened::Yes);
    let shared::OpenNext::Open(open) = open else { panic!("{open:?}") };
    assert_eq!(open.state(), shared::State::Open { at: 0 });
    assert_eq!(
        shared::next(open.state(), shared::Op::Read { ret: shared::Got::Failed }),
        Some(shared::State::Failed)
    );
}

/// An operation with many combinations of arguments, each of which is below a limit.
#[machine(start = Off)]
pub mod panel {
    pub enum State {
        Off,
        On { a: u8, b: u8, c: u8 },
    }
    pub enum Op {
        Set { a: u8, b: u8, c: u8 },
        Clear,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Off, Set { a, b, c }) if a < 6 && b < 7 && c < 8 => On { a, b, c },
            (On { .. }, Clear) => Off,
        }
    }
}

temporal! { all_arguments_are_tried in panel, proved: always(can_reach(at(Off))) }

/// In `Sealed` only `Open` is possible, but `Find` is drawn more often and has very many arguments: that nothing
/// is possible was reported of traces on which `Open` was not drawn.
#[machine(start = Shut)]
pub mod archive {
    pub enum State {
        Shut,
        Sealed,
    }
    pub enum Op {
        #[weight(30)]
        Find {
            from: u16,
            to: u16,
            by: u16,
        },
        Seal,
        Open,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Shut, Seal) => Sealed,
            (Sealed, Find { from, to, by }) if from > to && to > by && by > from => Shut,
            (Sealed, Open) => Shut,
        }
    }
}
temporal! { what_many_arguments_hide_is_possible in archive, sampled: always(implies(at(Sealed), next(at(Shut)))) }

/// Ranges, tuples, options and refused values: which operations are always possible is known exactly.
#[machine(start = Cold { at: 20, last: None })]
pub mod kettle {
    pub enum State {
        Cold { at: u8, last: Option<bool> },
        Hot,
    }
    pub enum Op {
        Heat { to: i8 },
        Drop { by: (bool, u8) },
        Look { ret: Reading },
        Reset,
    }
    pub enum Reading {
        Degrees(u8),
        Broken { hard: bool },
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Cold { .. }, Heat { to: ..=-1 }) => s,
            (Cold { at, .. }, Heat { to: 0..99 }) => Cold { at, last: Some(true) },
            (Cold { .. }, Heat { to: 99.. }) => Hot,
            (Hot, Drop { by: (true, _) | (false, 0..=9) }) => Hot,
            (Hot, Drop { by: (false, 10..) }) => Cold { at: 20, last: None },
            (Cold { last: None, .. }, Look { ret: Degrees(0..=100) }) => Hot,
            (Cold { last: Some(_), .. }, Look { ret: Degrees(..=100) }) => s,
            (Cold { .. }, Look { ret: Degrees(101..) | Broken { .. } }) => s,
            (Hot, Look { ret: Degrees(..) | Broken { hard: false } }) => s,
            (Hot, Look { ret: Broken { hard: true } }) => unreachable!(),
            (Cold { at: 0, .. }, Reset) => unreachable!(),
            (_, Reset) => Hot,
        }
    }
}

temporal! { heats in kettle, proved: always(can_reach(at(Hot))) }

#[test]
fn what_patterns_cover_together_is_always_possible() {
    use kettle::{DropNext, HeatNext, LookFromCold, Reading, start};
    let HeatNext::Cold(cold) = start().heat(98) else { panic!() };
    let LookFromCold::Cold(cold) = cold.look(Reading::Degrees(7)) else { panic!() };
    let HeatNext::Hot(hot) = cold.heat(99) else { panic!() };
    let hot = hot.look(Reading::Broken { hard: true }).expect_err("this result is refused");
    let DropNext::Cold(cold) = hot.drop((false, 10)) else { panic!() };
    // In one state of this name it is refused.
    assert!(cold.reset().is_ok());
}
