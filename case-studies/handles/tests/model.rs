//! The table beside a model that knows handles by their names, and the README.

use case_study_support::{SHOWN_SEED, assert_readme_shows, block, n_steps_for_every_seed, settings};
use handles::{Bug, Handle, Table};
use stairway::Report;
use stairway::prelude::*;
use std::collections::BTreeMap;

const NONE: u8 = 0;
const COPIES_POSITION: u8 = 1;
const FREES_SHARED: u8 = 2;

/// The log, and which position each handle refers to. Positions are never used again.
#[derive(Clone, Debug, Default)]
struct Readers<const BUG: u8> {
    log: Vec<u8>,
    positions: Vec<usize>,
    handles: BTreeMap<Ref<Handle>, usize>,
}

#[model(system = Table)]
impl<const BUG: u8> Readers<BUG> {
    #[start]
    fn new() -> (Self, Table) {
        let bug = [Bug::None, Bug::CopiesPosition, Bug::FreesShared][usize::from(BUG)];
        (Self::default(), Table::new(bug))
    }

    #[op]
    fn open(&mut self, #[result] handle: Ref<Handle>) {
        self.handles.insert(handle, self.positions.len());
        self.positions.push(0);
    }

    #[op]
    fn dup(&mut self, handle: Ref<Handle>, #[result] copy: Ref<Handle>) {
        self.handles.insert(copy, self.handles[&handle]);
    }

    #[op]
    fn write(&mut self, handle: Ref<Handle>, byte: u8) {
        assert!(self.handles.contains_key(&handle));
        self.log.push(byte);
    }

    #[op]
    fn read(&mut self, handle: Ref<Handle>) -> Option<u8> {
        let at = &mut self.positions[self.handles[&handle]];
        let byte = self.log.get(*at).copied()?;
        *at += 1;
        Some(byte)
    }

    #[op(consumes = handle)]
    fn close(&mut self, handle: Ref<Handle>) {
        self.handles.remove(&handle);
    }
}

#[test]
fn handles_lead_to_their_positions() {
    Readers::<NONE>::checker().demand_all().run();
}

fn report<const BUG: u8>(seed: u64) -> Report {
    Readers::<BUG>::checker().settings(settings(seed)).report()
}

#[test]
fn bugs_are_shrunk_to_the_shortest_program() {
    assert_eq!(n_steps_for_every_seed(report::<NONE>), None);
    assert_eq!(n_steps_for_every_seed(report::<COPIES_POSITION>), Some(5));
    assert_eq!(n_steps_for_every_seed(report::<FREES_SHARED>), Some(7));
}

#[test]
fn the_readme_shows_what_is_reported() {
    assert_readme_shows(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("copies position", block(report::<COPIES_POSITION>(SHOWN_SEED))),
            ("frees shared", block(report::<FREES_SHARED>(SHOWN_SEED))),
        ],
    );
}
