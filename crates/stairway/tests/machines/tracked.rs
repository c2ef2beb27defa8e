use stairway::prelude::*;

/// The cash machine, with the attempts in the type.
#[machine(start = Ready)]
pub mod atm {
    pub enum State {
        Ready,
        CardInserted {
            #[tracked(0..=2)]
            retries: u8,
        },
        Session,
    }

    pub enum Op {
        Insert,
        CheckPin { pin: u16, ret: Pin },
        Dispense { amount: u32 },
        Eject,
    }

    pub enum Pin {
        Correct,
        Incorrect,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Ready, Insert) => CardInserted { retries: 2 },
            (CardInserted { .. }, CheckPin { ret: Correct, .. }) => Session,
            (CardInserted { retries: 0 }, CheckPin { ret: Incorrect, .. }) => Ready,
            (CardInserted { retries }, CheckPin { ret: Incorrect, .. }) => {
                CardInserted { retries: retries - 1 }
            }
            (Session, Dispense { .. }) => Session,
            (_, Eject) => Ready,
        }
    }
}

use atm::{CardInserted, CheckPinNext, Pin, Ready, Session};

#[test]
fn each_attempt_has_a_type() {
    let card: CardInserted<2> = atm::start().insert();
    let CheckPinNext::Incorrect(card) = card.check_pin(1, Pin::Incorrect) else { panic!() };
    let card: CardInserted<1> = card;
    let CheckPinNext::Incorrect(card) = card.check_pin(2, Pin::Incorrect) else { panic!() };
    assert_eq!(card.retries, 0);
    let ready: Ready = match card.check_pin(3, Pin::Incorrect) {
        CheckPinNext::Correct(session) => {
            let session: Session = session;
            session.eject()
        }
        CheckPinNext::Incorrect(ready) => ready,
    };
    assert_eq!(ready.state(), atm::State::Ready);
}

/// Two places: a third thing does not fit, and nothing can be taken out of an empty box.
#[machine(start = Filled { n: 0 })]
pub mod boxed {
    pub enum State {
        Filled {
            #[tracked(0..=2)]
            n: u8,
        },
    }

    pub enum Op {
        Put,
        Take,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Filled { n }, Put) if n < 2 => Filled { n: n + 1 },
            (Filled { n }, Take) if n > 0 => Filled { n: n - 1 },
        }
    }
}

#[test]
fn a_box_is_filled_and_emptied() {
    let full: boxed::Filled<2> = boxed::start().put().put();
    let empty: boxed::Filled<0> = full.take().take();
    assert_eq!(empty.n, 0);
}
