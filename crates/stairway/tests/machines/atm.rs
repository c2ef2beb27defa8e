use stairway::prelude::*;

/// A cash machine (section 3 of the paper), with a limited number of attempts.
#[machine(start = Ready)]
pub mod atm {
    pub enum State {
        /// Waits for a card.
        Ready,
        CardInserted {
            /// How many further attempts there are.
            retries: u8,
        },
        Session,
    }

    pub enum Op {
        /// A card is put in.
        Insert,
        CheckPin {
            pin: u16,
            ret: Pin,
        },
        Dispense {
            amount: u32,
        },
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
    /// The PIN phase ends: the card is back or the session is open.
    pub pin_phase_ends in atm: leads_to(at(CardInserted { .. }), at(Ready | Session))
}
temporal! { three_attempts in atm, exhaustive: always(implies(at(CardInserted { .. }), within(3, at(Ready | Session)))) }
temporal! { always_back in atm: always(can_reach(at(Ready))) }
temporal! { measured in atm: always(implies(at(CardInserted { .. }), within(auto, at(Ready | Session)))) }
temporal! { retries_are_few in atm: always(at(Ready | Session | CardInserted { retries: 0..=2 })) }
temporal! { eject_is_the_end in atm, random(50), depth(10): always(implies(after(Eject), at(Ready))) }
temporal! { until_decided in atm: always(implies(after(Insert), until(at(CardInserted { .. }), at(Ready | Session)))) }

#[test]
fn three_wrong_attempts_take_three_steps() {
    assert_eq!(measured::WITHIN, 3);
}

#[test]
fn handles_do_what_is_possible() {
    let card = atm::start().insert();
    assert_eq!(card.retries, 2);
    let card = match card.check_pin(1234, atm::Pin::Incorrect) {
        atm::CheckPinNext::CardInserted(card) => card,
        other => panic!("{other:?}"),
    };
    assert_eq!(card.state(), atm::State::CardInserted { retries: 1 });
    match card.check_pin(4321, atm::Pin::Correct) {
        atm::CheckPinNext::Session(session) => drop(session.dispense(42).eject().eject()),
        other => panic!("{other:?}"),
    }
}

/// Knows the right PIN and swallows the card after three attempts, unless it is told to forget that.
#[derive(Debug)]
struct Bank {
    attempts: u8,
    forgets: bool,
}

impl atm::Driver for Bank {
    fn insert(&mut self) {
        self.attempts = 0;
    }

    fn check_pin(&mut self, pin: u16) -> atm::Pin {
        self.attempts += 1;
        let is_right = pin == 1 || self.forgets && self.attempts == 3;
        if is_right { atm::Pin::Correct } else { atm::Pin::Incorrect }
    }

    fn dispense(&mut self, _: u32) {}
    fn eject(&mut self) {}
}

#[test]
fn a_driver_runs_programs() {
    let bank = Bank { attempts: 0, forgets: false };
    match atm::start_with(bank).insert().check_pin(7) {
        atm::CheckPinNext::CardInserted(card) => assert_eq!(card.into_driver().attempts, 1),
        other => panic!("{other:?}"),
    }
}

temporal! {
    /// Money is for those who know the number.
    wrong_numbers_get_nothing in atm, driven: always(not(after(CheckPin { pin: 2.., ret: Correct })))
}

#[test]
fn the_machine_is_a_model_of_its_driver() {
    let honest = || Bank { attempts: 0, forgets: false };
    let report = atm::test(honest).formula(&wrong_numbers_get_nothing::FORMULA).cases(200).report();
    assert!(report.is_success(), "{report}");
    assert!(report.to_string().contains("CardInserted -- check_pin --> Session"), "{report}");
}

pub(crate) fn report_of_a_forgetful_bank() -> stairway::Report {
    atm::test(|| Bank { attempts: 0, forgets: true })
        .formula(&wrong_numbers_get_nothing::FORMULA)
        .settings(stairway::Settings::new().without_regressions().seed(1))
        .report()
}

#[test]
fn a_driver_that_breaks_a_formula_is_shrunk() {
    let report = report_of_a_forgetful_bank();
    let found = report.counterexample().expect("three wrong numbers are let in");
    assert_eq!(found.observed.steps.len(), 4);
}
