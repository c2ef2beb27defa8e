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
    let graph = explored.graph();
    assert_eq!(graph.ended, stairway::machine::core::Ended::Complete);
    assert!(format!("{:?}", graph.states).contains("locks: [Held, Free]"), "{:?}", graph.states);
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

/// A worker that is done once it has had its turn.
#[machine(start = Waiting)]
pub mod worker {
    pub enum State {
        Waiting,
        Busy {
            left: u8,
        },
        #[terminal]
        Done,
    }
    pub enum Op {
        Enter,
        Work,
        Leave,
        Reset,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Waiting, Enter) => Busy { left: 2 },
            (Busy { left }, Work) if left > 0 => Busy { left: left - 1 },
            (Busy { left: 0 }, Leave) => Done,
            (Done, Reset) => Waiting,
        }
    }
}

/// A room for two.
#[machine(start = Room { inside: 0 })]
pub mod room {
    pub enum State {
        #[terminal]
        Room { inside: u8 },
    }
    pub enum Op {
        Enter,
        Leave,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Room { inside }, Enter) if inside < 2 => Room { inside: inside + 1 },
            (Room { inside }, Leave) if inside > 0 => Room { inside: inside - 1 },
        }
    }
}

compose! {
    /// Four workers, of whom two are inside at most, and who begin anew together.
    pub mod workshop = room * workers: 4 worker;
    broadcast Reset
}

temporal! { two_are_inside in workshop, proved: always(not(at_least(3, workers: Busy))) }
temporal! { the_room_counts in workshop, proved: always(implies(at(room: Room { inside: 2 }), at_least(2, workers: Busy))) }
temporal! { all_get_done in workshop, proved: inevitably(every(workers: Done)) }
temporal! { conditions_may_compute in workshop, proved: always(not(some(workers: Busy { left } if left * 2 > 4))) }
temporal! { they_begin_anew in workshop, proved: always(implies(after(Reset), every(workers: Waiting))) }

/// All states that are reached one step at a time, each copy in its own place, by what the machine says in words.
fn reached<M: stairway::machine::Machine>(ops: &[M::Op]) -> std::collections::BTreeMap<String, M::State> {
    let mut all = std::collections::BTreeMap::from([(format!("{:?}", M::START), M::START)]);
    let mut open = vec![M::START];
    while let Some(state) = open.pop() {
        for to in ops.iter().filter_map(|op| M::next(state, *op)) {
            if all.insert(format!("{to:?}"), to).is_none() {
                open.push(to);
            }
        }
    }
    all
}

/// Exploration keeps one state of all that differ in which copy is where, and hides none of the others.
#[test]
fn copies_that_are_alike_are_explored_once() {
    use stairway::machine::{Machine, Scrutiny, Which, explore};
    use workshop::{Op, State};
    let acting = |k: usize| {
        let workers = Which::nth(k);
        [Op::Enter { workers }, Op::Work { workers }, Op::Leave { workers }]
    };
    let ops: Vec<Op> = (0..4).flat_map(acting).chain([Op::Reset]).collect();
    let concrete = reached::<workshop::Machine>(&ops);
    let orbits: std::collections::BTreeSet<String> = concrete
        .values()
        .map(|State::System { room, workers }| {
            let mut sorted = workers.states().map(|worker| format!("{worker:?}"));
            sorted.sort();
            format!("{room:?} {sorted:?}")
        })
        .collect();
    let explored = explore::<workshop::Machine>(10_000, u32::MAX, Scrutiny::NONE);
    let graph = explored.graph();
    assert_eq!(graph.ended, stairway::machine::core::Ended::Complete);
    assert_eq!(graph.states.len(), orbits.len());
    assert!(concrete.len() > 5 * orbits.len(), "{} and {}", concrete.len(), orbits.len());
    assert!(workshop::Machine::next(workshop::START, Op::Reset).is_none(), "nobody is done yet");
}

/// A machine whose frames carry numbers that are only compared.
#[machine(start = Off)]
pub mod remote {
    pub enum State {
        Off,
        On,
    }
    pub enum Op {
        Press { code: u16, button: Button },
    }
    pub enum Button {
        Power,
        Mute { long: bool },
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Off, Press { code, button: Power }) if code == 4711 => On,
            (On, Press { button: Mute { long: true }, .. }) => On,
            (On, Press { code, button: Power }) if code > 60_000 => Off,
        }
    }
}

/// Receives what the remote sends, some time.
#[machine(start = Dark)]
pub mod television {
    use super::remote;
    pub enum State {
        Dark,
        Lit { muted: bool },
    }
    pub enum Op {
        Receive { button: remote::Button },
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Dark, Receive { button: remote::Button::Power }) => Lit { muted: false },
            (Dark, Receive { button: remote::Button::Mute { .. } }) => Dark,
            (Lit { muted }, Receive { button: remote::Button::Mute { long } }) => {
                Lit { muted: muted != long }
            }
            (Lit { .. }, Receive { button: remote::Button::Power }) => Dark,
        }
    }
}

compose! {
    pub mod room_with_television = remote * television;
    channel button: Press -> Receive, capacity(3), lossy, duplicating
}

temporal! { numbers_that_parts_compare_are_found in room_with_television, proved: can_reach(at(television: Lit { muted: true })) }
temporal! { what_is_sent_may_be_lost in room_with_television, proved:
can_reach(at(System { remote: remote::State::On, television: television::State::Dark, button } if button.is_empty())) }
temporal! { results_have_names in room_with_television, proved: always(implies(after(Press { button: Mute { long: true }, .. }), at(remote: On))) }

#[test]
fn channels_keep_order_lose_and_double() {
    use room_with_television::{Op, State, next};
    let power = Op::Press { code: 4711, button: remote::Button::Power };
    let mute = Op::Press { code: 0, button: remote::Button::Mute { long: true } };
    let mut state = room_with_television::START;
    let mut step = |op: Op| next(state, op).map(|to| state = to).is_some();
    assert!(!step(Op::Receive), "nothing is on its way");
    assert!(step(power) && step(mute) && step(Op::DuplicateButton));
    assert!(!step(Op::DuplicateButton) && !step(mute), "there is room for three");
    assert!(step(Op::LoseButton) && step(Op::Receive));
    let State::System { television, button, .. } = state;
    assert_eq!(television, television::State::Lit { muted: false });
    assert_eq!(format!("{button:?}"), "[Mute { long: true }]");
}

compose! {
    /// A composed machine is a part like any other.
    pub mod house = room_with_television * lock
}

temporal! { nothing_is_shared in house, proved: always(can_reach(at(lock: Held))) }

/// Sends numbers of which a `u32` has very many, but only some that it may.
#[machine(start = Next { n: 0 })]
pub mod numbering {
    pub enum State {
        Next { n: u32 },
    }
    pub enum Op {
        Send { number: u32, kind: u32 },
    }
    pub const KINDS: u32 = 3;
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Next { n }, Send { number, kind }) if number == n && kind < KINDS && n < 4 => Next { n: n + 1 },
            (Next { n }, Send { number, kind }) if number < 2 && kind <= 1 && n > 3 => Next { n: 0 },
        }
    }
}

/// Keeps what it has seen.
#[machine(start = Seen { last: 9, kind: 9 })]
pub mod memory {
    pub enum State {
        Seen { last: u32, kind: u32 },
    }
    pub enum Op {
        Send { kind: u32 },
        Take { number: u32 },
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Seen { last, .. }, Send { kind }) => Seen { last, kind },
            (Seen { kind, .. }, Take { number }) => Seen { last: number, kind },
        }
    }
}

compose! {
    pub mod numbered = numbering * memory;
    channel number: Send -> Take
}

temporal! { a_part_bounds_what_others_keep in numbered, proved: always(not(at(memory: Seen { last: 4..=8, .. }))) }
temporal! { all_of_them_are_tried in numbered, proved: can_reach(at(memory: Seen { last: 3, kind: 2 })) }

/// The system of whom a driver is asked is the whole.
struct Apartment {
    pressed: std::collections::VecDeque<remote::Button>,
}

impl room_with_television::Driver for Apartment {
    fn press(&mut self, _: u16, button: remote::Button) {
        self.pressed.push_back(button);
    }
    fn receive(&mut self) {
        self.pressed.pop_front().expect("something is on its way");
    }
    fn lose_button(&mut self) {
        self.pressed.pop_front().expect("something is on its way");
    }
    fn duplicate_button(&mut self) {
        let first = *self.pressed.front().expect("something is on its way");
        self.pressed.push_front(first);
    }
}

#[test]
fn a_composed_machine_has_drivers_handles_and_a_picture() {
    room_with_television::test(|| Apartment { pressed: Default::default() }).cases(50).run();
    let handle = workshop::start();
    assert!(handle.leave(stairway::machine::Which::nth(2)).is_err());
    insta::assert_snapshot!("workshop_as_mermaid", workshop::picture().mermaid());
    assert!(room_with_television::picture().svg().contains(">Press: remote, into button</text>"));
    assert!(house::picture().dot().contains("subgraph cluster_2"));
}
