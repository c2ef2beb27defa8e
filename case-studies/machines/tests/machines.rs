//! What the machines are good for, and what the compiler says about programs and properties that are wrong.

use case_study_support::{SHOWN_SEED, assert_readme_shows, block, settings};
use machines::{arq, file, motor};
use stairway::machine::{Machine, Standing, outcome};
use stairway::prelude::*;

failing! {
    /// The paper's `readyInsert`: its generator never proposed Eject, so it seemed to hold.
    ready_insert: "1. Eject -> Ready"
    {
        use machines::atm::wrong;
        stairway::check! { ready_insert in wrong: next(at(CardInserted)) }
        fn main() {}
    }
    /// The paper's `eventuallyReady`, refuted by a loop of wrong numbers.
    eventually_ready: "2. CheckPin { pin: 0, ret: Incorrect } -> CardInserted and so on for ever, again from step 2"
    {
        use machines::atm::wrong;
        stairway::check! { eventually_ready in wrong: next(eventually(at(Ready))) }
        fn main() {}
    }
    /// On the mended machine it is still false: money can be taken for ever.
    still_not_ready: "3. Dispense { amount: 0 } -> Session and so on for ever"
    {
        use machines::atm::fixed;
        stairway::check! { eventually_ready in fixed: leads_to(at(CardInserted { .. }), at(Ready)) }
        fn main() {}
    }
    /// The fourth attempt does not compile.
    no_loop: "`check_pin` is not possible when `fixed` is in state `Ready`"
    {
        use machines::atm::fixed::*;
        fn main() {
            let CheckPinNext::Incorrect(card) = start().insert().check_pin(1, Pin::Incorrect) else { return };
            let CheckPinNext::Incorrect(card) = card.check_pin(2, Pin::Incorrect) else { return };
            let CheckPinNext::Incorrect(card) = card.check_pin(3, Pin::Incorrect) else { return };
            card.check_pin(4, Pin::Incorrect);
        }
    }
    /// The paper's `bad`: one packet is not two.
    bad: "expected `Ready<S<Z>, D>`, found `Ready<Z, D>`"
    {
        use machines::arq::{arq::{Driver, Ready, S, Z}, send_one};
        fn bad<D: Driver>(ready: Ready<Z, D>) -> Ready<S<S<Z>>, D> { send_one(ready, 1) }
        fn main() {}
    }
    /// A motor without power is not started.
    no_power: "`start` is not possible when `motor` is in state `Off`"
    {
        use machines::motor::motor;
        fn main() { let _ = motor::start().start(motor::Started::Yes); }
    }
}

/// Loses two packets in five.
struct Network {
    packet: Option<u32>,
    n: u32,
}

impl arq::arq::Driver for Network {
    fn send(&mut self, packet: arq::arq::Packet) {
        self.n += 1;
        self.packet = (self.n % 5 > 1).then_some(packet.number);
    }

    fn wait(&mut self) -> arq::arq::Reply {
        self.packet.take().map_or(arq::arq::Reply::Timeout, |a| arq::arq::Reply::Ack { a })
    }

    fn proceed(&mut self) {}
    fn retry(&mut self) {}
}

#[test]
fn three_packets_arrive() {
    let done = arq::program(arq::arq::start_with(Network { packet: None, n: 0 }));
    assert_eq!(done.n, 3);
}

/// `sendThreeOK` holds with probability 0.9935: a demand of 99 % is met, one of 99.9 % is not.
fn three_are_sent(percent: f64) -> Report {
    Checker::new("three packets").settings(settings(SHOWN_SEED).cases(20_000)).report(move |case| {
        let standing = outcome(case, &arq::send_three::FORMULA)?;
        case.cover(percent, standing == Standing::Holds, "three packets within 20 steps");
        Ok(())
    })
}

use stairway::Report;

#[test]
fn three_packets_are_sent_mostly() {
    let report = three_are_sent(99.0);
    assert!(report.is_success(), "{report}");
    assert!(!three_are_sent(99.9).is_success());
}

#[test]
fn a_file_in_memory_is_a_file() {
    file::file::test(file::InMemory::default).cases(200).run();
    motor::motor::test(motor::Motor::new).cases(200).run();
}

fn file_that_is_not_rewound() -> Report {
    file::file::test(file::InMemory::forgetful).settings(settings(SHOWN_SEED)).report()
}

#[test]
fn the_readme_shows_what_is_reported() {
    let picture = format!("```mermaid\n{}```", file::file::picture().mermaid());
    assert_readme_shows(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("not rewound", block(file_that_is_not_rewound())),
            ("file", picture),
            ("three packets", block(three_are_sent(99.9))),
        ],
    );
    assert_eq!(<file::file::Machine as Machine>::STATES, ["Closed", "Open"]);
}
