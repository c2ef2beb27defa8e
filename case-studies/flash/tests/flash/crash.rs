//! Crashes: after a failure of power at any write, what is mounted is a state that the specification allows.
//!
//! The specification keeps the files as they are on flash for certain, and as they were after each operation since.
//! What a crash leaves is one of these: some operations are lost, none is done by half, and none is lost before one that is
//! not.

use case_study_support::settings;
use flash::files::{Bug, Contents, File, Files};
use flash::store::BLOCK_SIZE;
use stairway::Report;
use stairway::prelude::*;
use stairway::program::ModelChecker;
use std::collections::BTreeMap;

type State = BTreeMap<u8, File>;

/// The files as they are now, and every state that a crash may leave: the oldest is safe on flash.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Safe<const BUG: usize> {
    states: Vec<State>,
}

const BUGS: [Bug; 4] = [Bug::Nothing, Bug::FirstIsLast, Bug::SizeBeforeData, Bug::LastOperationFirst];

impl<const BUG: usize> Safe<BUG> {
    fn now(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    /// Does something to the files, if they are there.
    fn change(&mut self, change: impl FnOnce(&mut State) -> bool) -> bool {
        let mut state = self.now().clone();
        let is_changed = change(&mut state);
        if is_changed {
            self.states.push(state);
        }
        is_changed
    }
}

#[model(system = Files)]
impl<const BUG: usize> Safe<BUG> {
    #[start]
    fn new() -> (Self, Files) {
        (Safe { states: vec![State::new()] }, Files::new(BUGS[BUG]))
    }

    #[op(call = system.lookup(name).is_some())]
    fn lookup(&self, #[from(0..3u8)] name: u8) -> bool {
        self.now().contains_key(&name)
    }

    #[op(weight = 2)]
    fn create(&mut self, #[from(0..3u8)] name: u8) -> bool {
        self.change(|files| files.insert(name, File::default()).is_none())
    }

    #[op(weight = 2, call = system.write(name, block, &[byte; 3]))]
    fn write(
        &mut self,
        #[from(0..3u8)] name: u8,
        #[from(0..2u64)] block: u64,
        #[from(1..4u8)] byte: u8,
    ) -> bool {
        self.change(|files| match files.get_mut(&name) {
            None => false,
            Some(file) => {
                file.size = file.size.max(block * BLOCK_SIZE as u64 + 3);
                file.blocks.insert(block, vec![byte; 3]);
                true
            }
        })
    }

    #[op]
    fn unlink(&mut self, #[from(0..3u8)] name: u8) -> bool {
        self.change(|files| files.remove(&name).is_some())
    }

    #[op]
    fn sync(&mut self) {
        self.states = vec![self.now().clone()];
    }

    #[op]
    fn contents(&self) -> Contents {
        Ok(self.now().clone())
    }

    /// Power fails in a `sync`: the last operations are not written, but for some objects of the first of them.
    #[op]
    #[allow(unused_variables, reason = "what is allowed does not depend on it")]
    fn crash_in_sync(
        &self,
        #[from(0..5usize)] n_lost: usize,
        #[from(0..3usize)] n_objects: usize,
    ) -> Allowed<'_, Self, Contents> {
        let last = self.states.len() - 1;
        let mut allowed = Allowed::of(self);
        for (k, state) in self.states.iter().enumerate() {
            let name = match k {
                _ if k == last => "nothing is lost",
                0 => "everything since the last sync is lost",
                _ => "the last operations are lost",
            };
            allowed = allowed.answer(name, Ok(state.clone()), move |files| {
                files.states = vec![files.states[k].clone()];
            });
        }
        allowed
    }
}

fn checker<const BUG: usize>(seed: u64) -> ModelChecker<Safe<BUG>> {
    Safe::<BUG>::checker().settings(settings(seed).cases(1000)).steps(20)
}

/// The report of a planted bug.
pub(crate) fn planted<const BUG: usize>(seed: u64) -> Report {
    checker::<BUG>(seed).report()
}

#[test]
fn a_crash_leaves_what_is_allowed() {
    let report = checker::<0>(1).cases(400).demand_all().report();
    assert!(report.is_success(), "{report}");
    assert_eq!(report.result.statistics.never_taken().count(), 0, "{report}");
}

#[test]
fn what_is_written_in_the_wrong_order_is_found_for_every_seed() {
    for report in [planted::<1>, planted::<2>, planted::<3>] {
        for seed in 0..20 {
            let report = report(seed);
            let n_steps = report.counterexample().map(|found| found.observed.steps.len());
            assert!(n_steps.is_some_and(|n| (3..=4).contains(&n)), "{report}");
        }
    }
}
