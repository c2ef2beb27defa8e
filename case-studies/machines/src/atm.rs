//! The cash machine of "Type-level Property Based Testing", section 3, with Eject in every state.

use stairway::{machine, temporal};

/// As it was modelled first: nobody counts the attempts.
#[machine(start = Ready)]
pub mod wrong {
    pub enum State {
        Ready,
        CardInserted,
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
        #[weight(4)]
        Incorrect,
    }

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

/// As it was mended: three attempts.
#[machine(start = Ready)]
pub mod fixed {
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
        #[weight(4)]
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

temporal! {
    /// What holds instead of the paper's `eventuallyReady`: the card can always be had back.
    always_back in fixed: always(can_reach(at(Ready)))
}
temporal! {
    /// And the PIN phase, which was unbounded, is over after three attempts.
    pin_phase_ends in fixed: always(implies(at(CardInserted { .. }), within(3, at(Ready | Session))))
}
temporal! {
    /// Nobody gets money without the number.
    money_needs_the_number in fixed:
        always(implies(after(Dispense { .. }), at(Session)))
}
