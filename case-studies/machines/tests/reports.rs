//! Programs on machines, and drivers behind them: the right ones do what the machines say, the planted bugs are found
//! and shrunk, and the README shows how that looks.

use case_study_support::{SHOWN_SEED, assert_readme_shows, block, n_steps_for_every_seed, settings};
use machines::Bug::{None as Right, Planted};
use machines::arq;
use machines::atm::fixed;
use machines::file::{Disk, file};
use machines::flash::{Chip, does_not_wear, flash};
use machines::handshake::{Server, answers_are_for_us, handshake};
use machines::pick_and_place::{Head, nothing_falls, robot};
use machines::replicas::{Cluster, audits_are_clean, replicas};
use machines::{Bug, file as file_study};
use stairway::machine::{Standing, outcome};
use stairway::{Checker, Report};

fn disk(bug: Bug, seed: u64) -> Report {
    file::test(move || Disk::new(bug)).settings(settings(seed)).report()
}

fn server(bug: Bug, seed: u64) -> Report {
    let checker = handshake::test(move || Server::new(bug)).settings(settings(seed).cases(2000));
    checker.formula(&answers_are_for_us::FORMULA).report()
}

fn cluster(bug: Bug, seed: u64) -> Report {
    let checker = replicas::test(move || Cluster::new(bug)).settings(settings(seed).cases(1000));
    checker.formula(&audits_are_clean::FORMULA).report()
}

fn head(bug: Bug, seed: u64) -> Report {
    let checker = robot::test(move || Head::new(bug)).settings(settings(seed));
    checker.formula(&nothing_falls::FORMULA).report()
}

fn chip(bug: Bug, seed: u64) -> Report {
    let checker = flash::test(move || Chip::new(bug)).settings(settings(seed));
    checker.formula(&does_not_wear::FORMULA).report()
}

#[test]
fn drivers_do_what_their_machines_say() {
    for report in [disk(Right, 1), server(Right, 1), cluster(Right, 1), head(Right, 1), chip(Right, 1)] {
        assert!(report.is_success(), "{report}");
    }
}

#[test]
fn bugs_are_shrunk_to_the_shortest_program() {
    assert_eq!(n_steps_for_every_seed(|seed| disk(Planted, seed)), Some(4));
    assert_eq!(n_steps_for_every_seed(|seed| server(Planted, seed)), Some(2));
    assert_eq!(n_steps_for_every_seed(|seed| cluster(Planted, seed)), Some(5));
    assert_eq!(n_steps_for_every_seed(|seed| head(Planted, seed)), Some(5));
    assert_eq!(n_steps_for_every_seed(|seed| chip(Planted, seed)), Some(7));
}

#[test]
fn a_file_is_closed_within_nine_steps() {
    assert_eq!(file_study::soon_closed::WITHIN, 9);
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

#[test]
fn three_packets_are_sent_mostly() {
    let report = three_are_sent(99.0);
    assert!(report.is_success(), "{report}");
    assert!(!three_are_sent(99.9).is_success());
}

#[test]
fn each_attempt_has_a_type() {
    use fixed::{CardInserted, CheckPinNext, Pin, Ready, Session};
    let card: CardInserted<2> = fixed::start().insert();
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
    assert_eq!(ready.state(), fixed::State::Ready);
}

/// Each part of a composed machine has its own handles; the whole has them too.
#[test]
fn participants_keep_their_types() {
    use machines::commit::{commit, coordinator, participant};
    use participant::{Committed, Prepared, VoteNext};
    let Ok(VoteNext::Prepared(prepared)) = participant::start().vote(coordinator::Ballot::Yes) else {
        panic!()
    };
    let prepared: Prepared = prepared;
    let _: Committed = prepared.commit();
    let whole = commit::start().begin().unwrap_or_else(|_| panic!("nobody has begun"));
    let which = stairway::machine::Which::nth(1);
    let Ok(whole) = whole.vote(which, coordinator::Ballot::No) else { panic!("everybody may vote no") };
    assert_eq!(whole.coordinator, coordinator::State::Aborted);
    assert_eq!(whole.participant.states()[1], participant::State::Aborted);
}

#[test]
fn composed_machines_are_explored_entirely() {
    use machines::{alternating, commit, lease};
    let known = [
        stairway::machine::assurance(&commit::all_agree::FORMULA),
        stairway::machine::assurance(&lease::one_leader::FORMULA),
        stairway::machine::assurance(&alternating::once::FORMULA),
    ];
    for said in known.map(|assurance| assurance.expect("it is decided").to_string()) {
        assert!(said.starts_with("proved: all "), "{said}");
    }
}

/// A program in terms of handles: each call is possible where it stands, or this would not compile.
#[test]
fn words_are_written_to_the_chip() {
    let locked = flash::start_with(Chip::new(Right));
    let Ok(flash::UnlockNext::Unlocked(chip)) = locked.unlock(0x4567) else { panic!("the key is right") };
    let erased: flash::Erased<2, Chip> = chip.erase();
    let flash::WriteNext::Same(erased) = erased.write(7) else { panic!("the chip is new") };
    let flash::WriteNext::Same(full) = erased.write(8) else { panic!("the chip is new") };
    let _: flash::Locked<Chip> = full.lock();
}

#[test]
fn the_readme_shows_what_is_reported() {
    assert_readme_shows(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("three packets", block(three_are_sent(99.9))),
            ("file as a picture", format!("```mermaid\n{}```", file::picture().mermaid())),
            ("file", block(disk(Planted, SHOWN_SEED))),
            ("handshake", block(server(Planted, SHOWN_SEED))),
            ("replicas", block(cluster(Planted, SHOWN_SEED))),
            ("pick and place", block(head(Planted, SHOWN_SEED))),
            ("flash", block(chip(Planted, SHOWN_SEED))),
        ],
    );
}
