//! Verdicts that are not "proved": what they are, and why.

use stairway::prelude::*;

/// One hardness of 256 breaks it.
#[machine(start = Off)]
pub mod lamp {
    pub enum State { Off, On { n: u8 }, Broken }
    pub enum Op { Press { hard: u8 }, Count, Mend }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Off, Press { hard }) if hard % 251 == 250 => Broken,
            (Off, Press { .. }) => On { n: 0 },
            (On { n }, Count) if n < 9 => On { n: n + 1 },
            (On { .. }, Press { .. }) => Off,
            (Broken, Mend) => Off,
        }
    }
}

temporal! { never_broken in lamp: always(not(at(Broken))) }
temporal! { a_formula_that_is_never_met in lamp: always(implies(always(at(Broken)), at(Off))) }
temporal! { nested in lamp: until(implies(at(On { n: 10.. }), at(Off)), at(On { n: 3 })) }
temporal! { unfair in lamp: implies(fair(Press { hard: 0 }), always(eventually(at(Broken)))) }
temporal! { an_unknown_step in lamp: implies(fair(after(Count) if true), at(Off)) }
temporal! { all_of_some in lamp, proved, random(3): at(Off) }

/// Counts for ever.
#[machine(start = Up { n: 0 })]
pub mod counter {
    pub enum State { Up { n: u32 } }
    pub enum Op { Inc, Set { to: u32 } }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Up { n }, Inc) => Up { n: n.wrapping_add(1) },
            (Up { .. }, Set { to }) => Up { n: to / 7 },
        }
    }
}

temporal! { counts in counter, proved: always(at(Up { .. })) }
temporal! { can_be_nothing in counter: always(can_reach(at(Up { n: 0 }))) }

#[machine(start = A)]
pub mod looping {
    pub enum State { A, B }
    pub enum Op { Go }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (A, Go) => {
                let mut i = 0u8;
                while i < 10 {
                    if i == 7 { continue; }
                    i += 1;
                }
                B
            }
            (B, Go) => A,
        }
    }
}

#[machine(start = A)]
pub mod three {
    pub enum State { A, B, C }
    pub enum Op { Go }
    fn next(s: State, op: Op) -> State {
        match (s, op) { (A, Go) => B, (B, Go) => C, (C, Go) => A }
    }
}

#[machine(start = Off)]
pub mod hasty {
    pub enum State { Off, On { n: u8 } }
    pub enum Op { Go, Skip }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Off, Go) => On { n: 0 },
            (On { n: 0 }, Go) => On { n: 1 },
            (On { n: 1 }, Go) => On { n: 2 },
            (On { n: 2 }, Go) => Off,
            (On { n: 1 }, Skip) => Off,
        }
    }
}

// What is assumed says nothing, because its own condition is never met.
temporal! {
    assumes_nothing in hasty:
        implies(until(leads_to(at(On { n: 7 }), at(Off)), at(Off)), eventually(at(On)))
}

const fn by_count(s: hasty::State) -> three::State {
    match s {
        hasty::State::Off => three::State::A,
        hasty::State::On { n: 0 | 1 } => three::State::B,
        hasty::State::On { .. } => three::State::C,
    }
}
const fn elsewhere(_: hasty::State) -> three::State {
    three::State::C
}
const fn nothing(_: counter::State) -> three::State {
    three::State::A
}

refines! { hasty_is_three: hasty refines three by by_count }
refines! { starts_elsewhere: hasty refines three by elsewhere }
refines! { too_many: counter refines three by nothing }

fn main() {}
