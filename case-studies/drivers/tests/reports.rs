//! Drivers behind their machines: the right ones do what the machines say, the planted bugs are found
//! and shrunk, and the README shows how that looks.

use case_study_support::{SHOWN_SEED, assert_readme_shows, block, n_steps_for_every_seed, settings};
use drivers::Bug::{None as Right, Planted};
use drivers::file::{Disk, file};
use drivers::flash::{Chip, does_not_wear, flash};
use drivers::handshake::{Server, answers_are_for_us, handshake};
use drivers::pick_and_place::{Head, nothing_falls, robot};
use drivers::replicas::{Cluster, audits_are_clean, replicas};
use drivers::{Bug, file as file_study};
use stairway::Report;

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
    assert_eq!(n_steps_for_every_seed(|seed| head(Planted, seed)), Some(5));
    assert_eq!(n_steps_for_every_seed(|seed| chip(Planted, seed)), Some(7));
}

/// A step that was drawn again, because a guard refused the first draw, keeps what was refused: a write that makes room
/// for that refusal is not always taken out.
#[test]
fn a_forgotten_inbox_is_found_by_every_seed() {
    for seed in 0..20 {
        let report = cluster(Planted, seed);
        let found = report.counterexample().expect("every seed finds it");
        assert!((5..=12).contains(&found.observed.steps.len()), "{report}");
    }
}

#[test]
fn a_file_is_closed_within_nine_steps() {
    assert_eq!(file_study::soon_closed::WITHIN, 9);
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
            ("file", block(disk(Planted, SHOWN_SEED))),
            ("handshake", block(server(Planted, SHOWN_SEED))),
            ("replicas", block(cluster(Planted, SHOWN_SEED))),
            ("pick and place", block(head(Planted, SHOWN_SEED))),
            ("flash", block(chip(Planted, SHOWN_SEED))),
        ],
    );
}
