use stairway::machine;

#[machine(start = Ready)]
pub mod atm {
    pub enum State { Ready, CardInserted { #[tracked(0..=2)] retries: u8 }, Session }
    pub enum Op { Insert, CheckPin { pin: u16, ret: Pin }, Eject }
    pub enum Pin { Correct, Incorrect }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Ready, Insert) => CardInserted { retries: 2 },
            (CardInserted { .. }, CheckPin { ret: Correct, .. }) => Session,
            (CardInserted { retries: 0 }, CheckPin { ret: Incorrect, .. }) => Ready,
            (CardInserted { retries }, CheckPin { ret: Incorrect, .. }) => CardInserted { retries: retries - 1 },
            (_, Eject) => Ready,
        }
    }
}

#[machine(start = Filled { n: 0 })]
pub mod boxed {
    pub enum State { Filled { #[tracked(0..=2)] n: u8 } }
    pub enum Op { Put, Take }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Filled { n }, Put) if n < 2 => Filled { n: n + 1 },
            (Filled { n }, Take) if n > 0 => Filled { n: n - 1 },
        }
    }
}

#[machine(start = Ready { n: 0 })]
pub mod counted {
    pub enum State { Ready { #[tracked] n: u32 } }
    pub enum Op { Send }
    fn next(s: State, op: Op) -> State { match (s, op) { (Ready { n }, Send) => Ready { n: n + 1 } } }
}

/// The fourth attempt.
fn no_loop() {
    use atm::CheckPinNext::Incorrect;
    use atm::Pin;
    let Incorrect(card) = atm::start().insert().check_pin(1234, Pin::Incorrect) else { return };
    let Incorrect(card) = card.check_pin(1243, Pin::Incorrect) else { return };
    let Incorrect(card) = card.check_pin(1432, Pin::Incorrect) else { return };
    card.check_pin(4231, Pin::Incorrect);
}

/// A third thing does not fit.
fn too_full() {
    let _ = boxed::start().put().put().put();
}

/// One packet is not two (the paper's `bad`).
fn bad() -> counted::Ready<counted::S<counted::S<counted::Z>>> {
    counted::start().send()
}

fn main() {}
