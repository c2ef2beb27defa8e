use stairway::machine;

#[machine(start = Ready)]
pub mod atm {
    pub enum State { Ready, CardInserted { retries: u8 }, Session }
    pub enum Op { Insert, CheckPin { pin: u16, ret: Pin }, Dispense { amount: u32 }, Eject }
    pub enum Pin { Correct, Incorrect }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Ready, Insert) => CardInserted { retries: 2 },
            (CardInserted { .. }, CheckPin { ret: Correct, .. }) => Session,
            (CardInserted { retries: 0 }, CheckPin { ret: Incorrect, .. }) => Ready,
            (CardInserted { retries }, CheckPin { ret: Incorrect, .. }) => CardInserted { retries: retries - 1 },
            (Session, Dispense { .. }) => Session,
            (CardInserted { .. } | Session, Eject) => Ready,
        }
    }
}

use atm::*;

/// An operation in the wrong state.
fn no_session() {
    start().insert().dispense(42);
}

/// A card that is back is gone.
fn twice() {
    let card = start().insert();
    let _ready = card.eject();
    let _again = card.check_pin(1, Pin::Correct);
}

/// One of the states that can follow is forgotten.
fn unhandled(card: CardInserted) {
    match card.check_pin(1234, Pin::Correct) {
        CheckPinNext::Session(session) => drop(session.eject()),
        CheckPinNext::CardInserted(card) => drop(card.eject()),
    }
}

/// The data of a handle is the machine's.
fn changed(mut card: CardInserted) {
    card.retries = 9;
}

fn main() {}
