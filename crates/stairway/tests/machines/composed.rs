//! Users rely on machines made of machines, and on one machine refining another.

use stairway::prelude::*;

/// One philosopher's fork: a lock.
#[machine(start = Free)]
pub mod lock {
    pub enum State {
        Free,
        Held,
    }
    pub enum Op {
        Take,
        Give,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Free, Take) => Held,
            (Held, Give) => Free,
        }
    }
}

/// Two locks that two people want, both in the same order or not.
#[machine(start = Running { locks: [lock::START; 2], left: 0, right: 0 }, allow(dead_ends))]
pub mod eager {
    use super::lock;
    pub enum State {
        Running { locks: [lock::State; 2], left: u8, right: u8 },
    }
    pub enum Op {
        Left,
        Right,
    }
    const fn taken(locks: [lock::State; 2], k: usize) -> Option<[lock::State; 2]> {
        let mut locks = locks;
        match lock::next(locks[k], lock::Op::Take) {
            Some(held) => {
                locks[k] = held;
                Some(locks)
            }
            None => None,
        }
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Running { left: 2, right, .. }, Left) if right == 0 => {
                Running { locks: [lock::START; 2], left: 0, right }
            }
            (Running { left, right: 2, .. }, Right) if left == 0 => {
                Running { locks: [lock::START; 2], left, right: 0 }
            }
            (Running { locks, left, right }, Left) if left < 2 => match taken(locks, left as usize) {
                Some(locks) => Running { locks, left: left + 1, right },
                None => unreachable!(),
            },
            (Running { locks, left, right }, Right) if right < 2 => match taken(locks, 1 - right as usize) {
                Some(locks) => Running { locks, left, right: right + 1 },
                None => unreachable!(),
            },
        }
    }
}

temporal! { nobody_has_both_twice in eager, proved: always(not(at(Running { left: 2, right: 1.., .. }))) }
temporal! { they_may_block_each_other in eager, proved: can_reach(at(Running { left: 1, right: 1, .. })) }
temporal! { and_then_stay_so in eager, proved: always(implies(at(Running { left: 1, right: 1, .. }), always(at(Running { left: 1, right: 1, .. })))) }

#[test]
fn a_machine_of_machines_is_explored_and_shown() {
    let explored =
        stairway::machine::explore::<eager::Machine>(100, u32::MAX, stairway::machine::Scrutiny::NONE);
    let known = explored.known();
    assert_eq!(known.ended, stairway::machine::core::Ended::Complete);
    assert!(format!("{:?}", known.states).contains("locks: [Held, Free]"), "{:?}", known.states);
}

/// A lock by tickets: who holds it is known from two counters.
#[machine(start = Tickets { next: 0, served: 0 })]
pub mod ticket {
    pub enum State {
        Tickets { next: u8, served: u8 },
    }
    pub enum Op {
        Draw,
        Enter,
        Leave,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Tickets { next, served }, Draw) if next < 3 => Tickets { next: next + 1, served },
            (Tickets { next, served }, Enter) if next * 2 > served && served % 2 == 0 => {
                Tickets { next, served: served + 1 }
            }
            (Tickets { next, served }, Leave) if served % 2 == 1 => {
                if served == 5 {
                    Tickets { next: 0, served: 0 }
                } else {
                    Tickets { next, served: served + 1 }
                }
            }
        }
    }
}

const fn as_lock(s: ticket::State) -> lock::State {
    match s {
        ticket::State::Tickets { served, .. } => {
            if served % 2 == 1 {
                lock::State::Held
            } else {
                lock::State::Free
            }
        }
    }
}

refines! { tickets_are_a_lock: ticket refines lock by as_lock }
