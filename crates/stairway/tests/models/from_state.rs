//! Users rely on arguments that the model's state offers: an index that is there, a key that was put in. Such arguments are never
//! refused, keep their meaning while a program is shortened, and are stored as what was drawn.

use super::{falsified, program, quiet};
use stairway::prelude::*;
use stairway::report::Outcome;

/// A list that loses an element when its last of four or more is removed.
#[derive(Debug, Default)]
struct Gapped(Vec<u8>);

impl Gapped {
    fn insert(&mut self, at: usize, v: u8) {
        self.0.insert(at, v);
    }

    fn remove(&mut self, at: usize) -> u8 {
        let v = self.0.remove(at);
        if self.0.len() >= 3 && at == self.0.len() {
            self.0.pop();
        }
        v
    }

    fn between(&self, from: usize, to: usize) -> &[u8] {
        &self.0[from..to]
    }
}

#[derive(Clone, Debug)]
struct List(Vec<u8>);

#[model(system = Gapped)]
impl List {
    #[start]
    fn new() -> (List, Gapped) {
        (List(Vec::new()), Gapped::default())
    }

    #[op]
    fn insert(&mut self, #[from(0..=self.0.len())] at: usize, v: u8) {
        self.0.insert(at, v);
    }

    #[op]
    fn remove(&mut self, #[from(0..self.0.len())] at: usize) -> u8 {
        self.0.remove(at)
    }

    #[op(call = system.between(from, to).to_vec())]
    fn between(
        &self,
        #[from(0..=self.0.len())] from: usize,
        #[from(from..=self.0.len())] to: usize,
    ) -> Vec<u8> {
        self.0[from..to].to_vec()
    }

    #[invariant]
    fn same(&self, system: &Gapped) -> bool {
        self.0 == system.0
    }
}

#[test]
fn an_index_that_is_there_is_never_refused() {
    let report = quiet(List::checker(), 1).steps(3).report();
    assert!(matches!(report.result.outcome, Outcome::Passed), "{:?}", report.result.outcome);
    let counts = &report.result.statistics.program;
    assert_eq!((counts.names, &counts.n_refused[..]), (&["insert", "remove", "between"][..], &[0, 0, 0][..]));
    assert!(counts.n_impossible[1] > 0 && counts.n_impossible[2] == 0, "{:?}", counts.n_impossible);
}

#[test]
fn programs_with_indices_are_shrunk_to_the_shortest() {
    for seed in 0..20 {
        let report = quiet(List::checker(), seed).report();
        let steps = program(falsified(&report));
        assert_eq!(steps[..4], ["insert(0, 0) -> ()"; 4], "seed {seed}");
        assert_eq!(steps[4..], ["remove(3) -> 0"], "seed {seed}");
    }
}

/// A store that does not let go of large values while it holds two others. `BY_PLACE` makes it the second key that stays instead.
#[derive(Debug, Default)]
struct Store<const BY_PLACE: bool>(Vec<(String, u16)>);

impl<const BY_PLACE: bool> Store<BY_PLACE> {
    fn put(&mut self, key: &str, v: u16) {
        self.0.retain(|(other, _)| other != key);
        self.0.push((key.to_string(), v));
    }

    fn take(&mut self, key: &str) -> bool {
        let Some(at) = self.0.iter().position(|(other, _)| other == key) else { return false };
        let stays = if BY_PLACE { at == 1 } else { self.0[at].1 >= 1000 };
        if !stays || self.0.len() <= 2 {
            self.0.remove(at);
        }
        true
    }
}

#[derive(Clone, Debug)]
struct Keys<const BY_PLACE: bool> {
    keys: Vec<String>,
}

#[model(system = Store<BY_PLACE>)]
impl<const BY_PLACE: bool> Keys<BY_PLACE> {
    #[start]
    fn new() -> (Self, Store<BY_PLACE>) {
        (Keys { keys: Vec::new() }, Store::default())
    }

    #[op]
    fn put(&mut self, #[from(regex("[a-z]{1,3}"))] key: String, v: u16) {
        let _ = v;
        self.keys.retain(|other| *other != key);
        self.keys.push(key);
    }

    #[op]
    fn take(&mut self, #[from(sampled_from(&self.keys))] key: &str) -> bool {
        self.keys.retain(|other| other != key);
        true
    }

    #[invariant]
    fn as_many(&self, system: &Store<BY_PLACE>) -> bool {
        self.keys.len() == system.0.len()
    }
}

#[test]
fn a_key_keeps_its_name_while_earlier_ones_are_deleted() {
    for seed in 0..20 {
        let report = quiet(Keys::<false>::checker(), seed).report();
        assert_eq!(program(falsified(&report)).len(), 4, "seed {seed}: {:?}", program(falsified(&report)));
    }
}

#[test]
fn a_place_is_kept_where_the_place_matters() {
    for seed in 0..20 {
        let report = quiet(Keys::<true>::checker(), seed).report();
        assert_eq!(program(falsified(&report)).len(), 4, "seed {seed}: {:?}", program(falsified(&report)));
    }
}

#[test]
fn what_was_drawn_from_the_state_replays_from_its_text() {
    let steps = ["insert 0 7", "insert 1 8", "insert 0 9", "insert 3 1", "remove 3"];
    let report = quiet(List::checker(), 1).program("", &steps).report();
    assert_eq!(program(falsified(&report)).len(), 5);
}

#[test]
fn every_program_takes_the_state_into_account() {
    let report = List::checker().settings(Settings::new().without_regressions()).exhaustive(3).report();
    assert!(matches!(report.result.outcome, Outcome::Explored { .. }), "{:?}", report.result.outcome);
    assert!(report.result.statistics.program.n_refused.iter().all(|n| *n == 0));
}

/// Several model states: a coin that nobody has seen.
#[derive(Clone, Debug, PartialEq)]
struct Coin {
    sides: Vec<bool>,
    is_thrown: bool,
}

#[derive(Debug)]
struct Hidden(bool);

impl Hidden {
    fn throw(&mut self) {
        self.0 = !self.0;
    }

    fn guess(&self, side: bool) -> bool {
        self.0 == side
    }
}

#[model(system = Hidden)]
impl Coin {
    #[start]
    fn new() -> (Coin, Hidden) {
        (Coin { sides: vec![true, false], is_thrown: false }, Hidden(true))
    }

    #[op(requires = !self.is_thrown)]
    fn throw(&self) -> Allowed<'_, Self, ()> {
        Allowed::of(self)
            .answer("heads", (), |coin| *coin = Coin { sides: vec![true], is_thrown: true })
            .answer("tails", (), |coin| *coin = Coin { sides: vec![false], is_thrown: true })
    }

    /// The first state offers `true` alone, so that nobody ever guesses `false` as long as both are possible.
    #[op(requires = self.is_thrown)]
    fn guess(&self, #[from(sampled_from(&self.sides))] side: bool) -> bool {
        self.sides.contains(&side)
    }
}

#[test]
fn where_several_states_explain_what_was_seen_the_first_is_asked() {
    let report = quiet(Coin::checker(), 1).report();
    assert!(matches!(report.result.outcome, Outcome::Passed), "{:?}", report.result.outcome);
    assert!(report.result.statistics.program.n_done.iter().all(|n| *n > 0));
}
