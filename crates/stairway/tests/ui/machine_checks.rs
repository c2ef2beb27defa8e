use stairway::{const_property, machine, temporal};

/// The paper's first ATM: nobody counts the attempts.
#[machine(start = Ready)]
pub mod atm {
    pub enum State { Ready, CardInserted, Session }
    pub enum Op { Insert, CheckPin { pin: u16, ret: Pin }, Dispense { amount: u32 }, Eject }
    pub enum Pin { Correct, #[weight(4)] Incorrect }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Ready, Insert) => CardInserted,
            (CardInserted, CheckPin { ret: Correct, .. }) => Session,
            (CardInserted, CheckPin { ret: Incorrect, .. }) => CardInserted,
            (Session, Dispense { .. }) => Session,
            (_, Eject) => Ready,
        }
    }
}

#[machine(start = Up { n: 0 })]
pub mod counter {
    pub enum State { Up { n: u32 }, #[terminal] Broken }
    pub enum Op { Inc, Break }
    fn next(s: State, op: Op) -> State {
        match (s, op) { (Up { n }, Inc) => Up { n: n + 1 }, (Up { n }, Break) if n > 60 => Broken }
    }
}

temporal! {
    /// In the state Ready, a card is put in.
    ready_insert in atm: next(at(CardInserted))
}
temporal! {
    /// The PIN phase ends: the card is back or the session is open.
    pin_phase_ends in atm: leads_to(at(CardInserted), at(Ready | Session))
}
temporal! { back_again in atm: always(eventually(at(Ready))) }
temporal! { no_money in atm, random(20), depth(30): always(not(after(Dispense { .. }))) }
temporal! { unbounded in counter, exhaustive, states(50): always(at(Up { .. } | Broken)) }
temporal! { traps in counter, states(50): always(can_reach(at(Up { n: 0 }))) }
temporal! { never_there in atm: always(implies(and(at(Ready), at(Session)), next(at(Ready)))) }
temporal! { breaks in counter, random(100), depth(20): within(10, at(Broken)) }
const_property! { halves(x: u8, n: usize in 0..=3, xs: [u8; n]): x / 2 * 2 == x || xs.len() == 9 }
const_property! { nothing(x: u8) if x > 255: x == 0 }

/// A long way to a trap.
#[machine(start = Up { n: 0 })]
pub mod trap {
    pub enum State { Up { n: u32 }, #[terminal] Broken }
    pub enum Op { Step, Break }
    fn next(s: State, op: Op) -> State {
        match (s, op) { (Up { n }, Step) if n < 50 => Up { n: n + 1 }, (Up { n: 50 }, Break) => Broken, (Up { n: 50 }, Step) => Up { n: 0 } }
    }
}
temporal! { no_trap in trap: always(can_reach(at(Up { n: 0 }))) }

/// Many arguments, all of which matter.
#[machine(start = Off)]
pub mod panel {
    pub enum State { Off, On { a: u8, b: u8, c: u8 } }
    pub enum Op { Set { a: u8, b: u8, c: u8 }, Clear }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Off, Set { a, b, c }) if a < 50 && b < 60 && c < 70 => On { a, b, c },
            (On { .. }, Clear) => Off,
        }
    }
}
temporal! { too_many_arguments in panel: always(can_reach(at(Off))) }

fn main() {}
