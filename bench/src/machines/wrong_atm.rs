// The cash machine of "Type-level Property Based Testing", section 3, in which nobody counts the attempts.
// Part of a generated crate, not of this one.
use stairway::prelude::*;

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

temporal! {
    /// The PIN phase ends: the card is back or the session is open.
    pin_phase_ends in atm, exhaustive: leads_to(at(CardInserted), at(Ready | Session))
}
