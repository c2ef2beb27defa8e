//! Both protocols behind the machine, with windows that are small enough and windows that are not.

use case_study_support::{assert_readme_shows, block, settings};
use sliding_window::window::{self, Fate, Session};
use sliding_window::{Kind, Link};
use stairway::Report;

/// With this seed, the counterexamples in the README are among the shortest.
const SHOWN_SEED: u64 = 0;

fn report(kind: Kind, size: u8, seed: u64) -> Report {
    window::test(move || Link::new(kind, size)).settings(settings(seed).cases(500)).steps(60).report()
}

#[test]
fn small_windows_deliver_in_order_and_once() {
    for (kind, size) in [
        (Kind::GoBackN, 1),
        (Kind::GoBackN, 2),
        (Kind::GoBackN, 3),
        (Kind::SelectiveRepeat, 1),
        (Kind::SelectiveRepeat, 2),
    ] {
        let report = report(kind, size, 1);
        assert!(report.is_success(), "{kind:?} with a window of {size}: {report}");
    }
}

/// The shortest and the longest counterexample of twenty seeds, all of which find one.
fn shortest_and_longest(kind: Kind, size: u8) -> (usize, usize) {
    let n_steps =
        |seed| report(kind, size, seed).counterexample().expect("every seed finds it").observed.steps.len();
    let lengths: Vec<usize> = (0..20).map(n_steps).collect();
    (lengths.iter().copied().min().unwrap_or(0), lengths.iter().copied().max().unwrap_or(0))
}

#[test]
fn windows_that_are_too_large_are_found_and_shrunk() {
    let lengths = [(Kind::GoBackN, 4), (Kind::SelectiveRepeat, 3), (Kind::SelectiveRepeat, 4)];
    let lengths = lengths.map(|(kind, size)| shortest_and_longest(kind, size));
    assert_eq!(lengths, [(10, 10), (12, 12), (10, 11)]);
}

/// A program in terms of handles: everything arrives although every fourth datagram is lost.
#[test]
fn a_session_ends_on_a_bad_network() {
    for (kind, size) in [(Kind::GoBackN, 3), (Kind::SelectiveRepeat, 2)] {
        let mut session: Session<Link> = window::start_with(Link::new(kind, size));
        let mut n_datagrams = 0u32;
        let mut fate = || {
            n_datagrams += 1;
            if n_datagrams.is_multiple_of(4) { Fate::Lost } else { Fate::Arrives }
        };
        for _ in 0..100 {
            // Where there is nothing to send or to wait for, the link is not asked.
            session = session.send(fate()).unwrap_or_else(|session| session);
            session = session.timeout(fate()).unwrap_or_else(|session| session);
            for _ in 0..4 {
                session = session.receive(fate()).expect("the link hands over what is next");
                session = session.listen().expect("the link counts what has arrived");
            }
        }
        assert_eq!((session.sent, session.acked, session.handed), (6, 6, 6), "{kind:?}");
    }
}

#[test]
fn the_readme_shows_what_is_reported() {
    assert_readme_shows(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("go back n", block(report(Kind::GoBackN, 4, SHOWN_SEED))),
            ("selective repeat", block(report(Kind::SelectiveRepeat, 3, SHOWN_SEED))),
        ],
    );
}
