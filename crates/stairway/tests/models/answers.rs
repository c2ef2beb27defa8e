//! Users rely on models of the APIs that exist: answers that borrow from the system, results inside an
//! `Option` or a `Result`, calls that are meant to panic.

use super::{falsified, program, quiet};
use stairway::prelude::*;
use stairway::report::{FailureKind, Outcome};
use std::cell::{Ref as Guard, RefCell};
use std::collections::BTreeMap;
use std::fmt;

/// A stack that answers with references, guards and iterators. `LIES` makes `iter` leave out the last of three.
#[derive(Default)]
struct Stack<const LIES: bool> {
    items: Vec<u8>,
    names: BTreeMap<u8, String>,
    log: RefCell<Vec<u8>>,
}

impl<const LIES: bool> Stack<LIES> {
    fn push(&mut self, v: u8) -> &u8 {
        self.log.borrow_mut().push(v);
        self.names.insert(v, format!("{v}"));
        self.items.push(v);
        self.items.last().expect("what was just pushed")
    }

    fn peek(&self) -> Option<&u8> {
        self.items.last()
    }

    fn name(&self, v: u8) -> Option<&str> {
        self.names.get(&v).map(String::as_str)
    }

    fn iter(&self) -> impl Iterator<Item = &u8> {
        let n = if LIES && self.items.len() == 3 { 2 } else { self.items.len() };
        self.items[..n].iter()
    }

    fn log(&self) -> Guard<'_, Vec<u8>> {
        self.log.borrow()
    }

    fn names(&self) -> impl Iterator<Item = (&u8, &String)> {
        self.names.iter()
    }

    fn drain(&mut self) -> std::vec::Drain<'_, u8> {
        self.items.drain(..)
    }

    /// Panics if there is no such item; `LIES` makes the first one past the end an exception.
    fn at(&self, i: usize) -> u8 {
        if LIES && i == self.items.len() { 0 } else { self.items[i] }
    }
}

#[derive(Clone, Debug, Default)]
struct Items<const LIES: bool> {
    items: Vec<u8>,
    all: Vec<u8>,
}

#[model(system = Stack<LIES>)]
impl<const LIES: bool> Items<LIES> {
    #[start]
    fn new() -> (Self, Stack<LIES>) {
        (Items::default(), Stack::default())
    }

    #[op]
    fn push(&mut self, v: u8) -> u8 {
        self.items.push(v);
        self.all.push(v);
        v
    }

    #[op]
    fn peek(&self) -> Option<u8> {
        self.items.last().copied()
    }

    #[op]
    fn name(&self, v: u8) -> Option<String> {
        self.all.contains(&v).then(|| v.to_string())
    }

    #[op]
    fn iter(&self) -> Vec<u8> {
        self.items.clone()
    }

    #[op]
    fn log(&self) -> Vec<u8> {
        self.all.clone()
    }

    #[op]
    fn names(&self) -> Vec<(u8, String)> {
        let names: BTreeMap<u8, String> = self.all.iter().map(|v| (*v, v.to_string())).collect();
        names.into_iter().collect()
    }

    #[op]
    fn drain(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.items)
    }
}

#[test]
fn answers_may_borrow_from_the_system() {
    let report = quiet(Items::<false>::checker(), 1).demand_all().report();
    assert!(matches!(report.result.outcome, Outcome::Passed), "{report}");
    let report = quiet(Items::<true>::checker(), 1).report();
    assert_eq!(program(falsified(&report))[3], "iter() -> vec![0, 0]");
    let test = report.test().expect("a test to paste");
    let last = "assert_eq!(system.iter().map(|value| value.to_owned()).collect::<Vec<_>>(), vec![0, 0, 0]);";
    assert!(test.contains(last), "{test}");
    assert!(test.contains("system.push(0).to_owned()"), "{test}");
}

#[derive(Clone, Debug, Default)]
struct Indexed<const LIES: bool>(Vec<u8>);

#[model(system = Stack<LIES>)]
impl<const LIES: bool> Indexed<LIES> {
    #[start]
    fn new() -> (Self, Stack<LIES>) {
        (Indexed::default(), Stack::default())
    }

    #[op]
    fn push(&mut self, v: u8) -> u8 {
        self.0.push(v);
        v
    }

    #[op(panics = i >= self.0.len())]
    fn at(&self, #[from(0..5)] i: usize) -> u8 {
        self.0[i]
    }
}

#[test]
fn a_call_that_is_to_panic_does_or_is_a_failure() {
    let report = quiet(Indexed::<false>::checker(), 1).demand_all().report();
    assert!(matches!(report.result.outcome, Outcome::Passed), "{report}");
    let report = quiet(Indexed::<true>::checker(), 1).report();
    let found = falsified(&report);
    assert_eq!(program(found), ["at(0) -> 0"]);
    assert!(matches!(found.failure.kind, FailureKind::Answer { .. }));
    assert!(report.to_string().contains("`at` answered 0, but the model says a panic"), "{report}");
    let test = report.test().expect("a test to paste");
    let caught = "assert_eq!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| { system.at(0); })).is_err(), true);";
    assert!(test.contains(caught), "{test}");
}

/// A pool that lends out a limited number of handles. `LIES` makes it refuse the second after one came back.
#[derive(Debug, Default)]
struct Pool<const LIES: bool> {
    n_lent: usize,
    n_returned: usize,
}

#[derive(Debug)]
struct Handle(usize);

#[derive(Clone, Debug, PartialEq)]
struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("full")
    }
}

impl<const LIES: bool> Pool<LIES> {
    fn take(&mut self) -> Result<Handle, Full> {
        if self.n_lent == 2 || LIES && self.n_lent == 1 && self.n_returned > 0 {
            return Err(Full);
        }
        self.n_lent += 1;
        Ok(Handle(self.n_lent))
    }

    fn try_take(&mut self) -> Option<Handle> {
        self.take().ok()
    }

    fn back(&mut self, handle: Handle) -> bool {
        self.n_lent -= 1;
        self.n_returned += 1;
        handle.0 > 0
    }
}

#[derive(Clone, Debug, Default)]
struct Lent<const LIES: bool>(Vec<Ref<Handle>>);

#[model(system = Pool<LIES>)]
impl<const LIES: bool> Lent<LIES> {
    #[start]
    fn new() -> (Self, Pool<LIES>) {
        (Lent::default(), Pool::default())
    }

    #[op]
    fn take(&mut self, #[result] handle: Ref<Handle>) -> Result<Ref<Handle>, Full> {
        if self.0.len() == 2 {
            return Err(Full);
        }
        self.0.push(handle);
        Ok(handle)
    }

    #[op]
    #[ensures(result.is_some() == (old(self.0.len()) < 2))]
    fn try_take(&mut self, #[result] handle: Option<Ref<Handle>>) {
        self.0.extend(handle);
    }

    #[op(consumes = handle)]
    fn back(&mut self, handle: Ref<Handle>) -> bool {
        let before = self.0.len();
        self.0.retain(|other| *other != handle);
        self.0.len() + 1 == before
    }
}

#[test]
fn results_may_stand_in_an_option_or_a_result() {
    let report = quiet(Lent::<false>::checker(), 1).demand_all().report();
    assert!(matches!(report.result.outcome, Outcome::Passed), "{report}");
    let report = quiet(Lent::<true>::checker(), 1).report();
    let steps = program(falsified(&report));
    assert_eq!(steps.len(), 4, "{steps:?}");
    let test = report.test().expect("a test to paste");
    assert!(test.contains("take().ok().unwrap();") || test.contains("try_take().unwrap();"), "{test}");
}

/// Channels: both ends come together, workers come by the dozen. What is sent to a closed channel is refused,
/// and `LIES` says otherwise of the second one.
#[derive(Debug, Default)]
struct Exchange<const LIES: bool> {
    queues: Vec<Option<Vec<u8>>>,
    n_workers: u32,
}

#[derive(Debug)]
struct Sender(usize);

#[derive(Debug)]
struct Receiver(usize);

#[derive(Debug)]
struct Crew(u32);

impl<const LIES: bool> Exchange<LIES> {
    fn open(&mut self) -> (Sender, Receiver) {
        self.queues.push(Some(Vec::new()));
        (Sender(self.queues.len() - 1), Receiver(self.queues.len() - 1))
    }

    fn send(&mut self, to: &Sender, byte: u8) -> bool {
        let queue = self.queues[to.0].as_mut();
        let is_open = queue.map(|queue| queue.push(byte)).is_some();
        is_open || LIES && to.0 == 1
    }

    fn close(&mut self, end: Receiver) -> Vec<u8> {
        self.queues[end.0].take().unwrap_or_default()
    }

    fn hire(&mut self, n: u32) -> Vec<Crew> {
        self.n_workers += n;
        (0..n).map(Crew).collect()
    }

    fn dismiss(&mut self, who: Crew) -> u32 {
        self.n_workers -= 1;
        who.0
    }
}

#[derive(Clone, Debug, Default)]
struct Ends<const LIES: bool> {
    open: Vec<(Ref<Sender>, Ref<Receiver>, Vec<u8>)>,
    crew: Vec<(Ref<Crew>, u32)>,
}

#[model(system = Exchange<LIES>)]
impl<const LIES: bool> Ends<LIES> {
    #[start]
    fn new() -> (Self, Exchange<LIES>) {
        Default::default()
    }

    #[op]
    fn open(&mut self, #[result] ends: (Ref<Sender>, Ref<Receiver>)) {
        self.open.push((ends.0, ends.1, Vec::new()));
    }

    #[op]
    fn send(&mut self, to: Ref<Sender>, byte: u8) -> bool {
        let queue = self.open.iter_mut().find(|(sender, ..)| *sender == to);
        queue.map(|(.., bytes)| bytes.push(byte)).is_some()
    }

    #[op(consumes = end)]
    fn close(&mut self, end: Ref<Receiver>) -> Vec<u8> {
        let at = self.open.iter().position(|(_, receiver, _)| *receiver == end).expect("it is open");
        self.open.remove(at).2
    }

    #[op]
    #[ensures(result.len() == n as usize)]
    fn hire(&mut self, #[from(0..4)] n: u32, #[result] crew: Vec<Ref<Crew>>) {
        self.crew.extend(crew.into_iter().zip(0..n));
    }

    #[op(consumes = who)]
    fn dismiss(&mut self, who: Ref<Crew>) -> u32 {
        let at = self.crew.iter().position(|(other, _)| *other == who).expect("it is there");
        self.crew.remove(at).1
    }
}

#[test]
fn results_may_stand_in_tuples_and_vectors() {
    let right = quiet(Ends::<false>::checker(), 1).demand_all().report();
    assert!(matches!(right.result.outcome, Outcome::Passed), "{right}");
    let wrong = quiet(Ends::<true>::checker(), 1).report();
    let steps = program(falsified(&wrong));
    let calls: Vec<&str> = steps.iter().filter_map(|step| step.split(" -> ").next()).collect();
    assert_eq!(calls, ["open()", "open()", "close(r2.2)", "send(r2.1, 0)"], "{wrong}");
    let test = wrong.test().expect("the system alone is enough");
    assert!(test.contains("let (r2_1, r2_2) = system.open();"), "{test}");
    let choices = stairway::report::choice_line(&falsified(&wrong).recording.choices);
    let again = quiet(Ends::<true>::checker(), 1).with_settings(|settings| settings.replay(choices)).report();
    assert_eq!(program(falsified(&again)), steps);
}

/// Is started and asked by futures that only `by_hand` runs.
#[derive(Debug)]
struct Remote(u32);

thread_local! {
    static IS_RUN_BY_HAND: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

fn by_hand<F: Future>(future: F) -> F::Output {
    IS_RUN_BY_HAND.set(true);
    let output = stairway::block_on(future);
    IS_RUN_BY_HAND.set(false);
    output
}

impl Remote {
    async fn start() -> Remote {
        assert!(IS_RUN_BY_HAND.get());
        Remote(0)
    }

    async fn add(&mut self, n: u32) -> Result<u32, Full> {
        assert!(IS_RUN_BY_HAND.get());
        self.0 += n;
        if self.0 > 20 { Err(Full) } else { Ok(self.0) }
    }
}

#[derive(Clone, Debug)]
struct Total(u32);

#[model(system = Remote, executor = by_hand)]
impl Total {
    #[start]
    async fn new() -> (Total, Remote) {
        (Total(0), Remote::start().await)
    }

    #[op(awaits)]
    fn add(&mut self, #[from(0..9)] n: u32) -> Result<u32, Full> {
        self.0 += n;
        Ok(self.0)
    }
}

#[test]
fn futures_are_run_by_the_executor_that_is_named() {
    let report = quiet(Total::checker(), 1).report();
    assert_eq!(program(falsified(&report)).len(), 3, "{report}");
    let test = report.test().expect("a test to paste");
    assert!(test.contains("= by_hand(Total::new());"), "{test}");
}

/// A property of any state: what a copy of the queue answers, the queue answers. `LIES` forgets the newest of three in a copy.
#[derive(Debug)]
struct Copied<const LIES: bool>(Vec<u8>);

impl<const LIES: bool> Copied<LIES> {
    fn push(&mut self, v: u8) {
        self.0.push(v);
    }

    fn pop(&mut self) -> Option<u8> {
        self.0.pop()
    }

    fn copy(&self) -> Self {
        let n = if LIES && self.0.len() == 3 { 2 } else { self.0.len() };
        Copied(self.0[..n].to_vec())
    }
}

#[derive(Clone, Debug)]
struct Whole<const LIES: bool>(Vec<u8>);

#[model(system = Copied<LIES>)]
impl<const LIES: bool> Whole<LIES> {
    #[start]
    fn new() -> (Self, Copied<LIES>) {
        (Whole(Vec::new()), Copied(Vec::new()))
    }

    #[op(weight = 2)]
    fn push(&mut self, v: u8) {
        self.0.push(v);
    }

    #[op]
    fn pop(&mut self) -> Option<u8> {
        self.0.pop()
    }
}

#[test]
fn a_property_may_speak_of_every_state_that_is_reached() {
    fn copies_are_equal<const LIES: bool>() -> stairway::Report {
        let checker =
            stairway::Checker::new("copies").settings(Settings::new().seed(1).without_regressions());
        checker.report(|t| {
            let state = t.pick(stairway::reached::<Whole<LIES>>())?;
            assert_eq!(state.model.0, state.system.0);
            assert_eq!(state.system.copy().0, state.system.0);
            Ok(())
        })
    }
    assert!(matches!(copies_are_equal::<false>().result.outcome, Outcome::Passed));
    let report = copies_are_equal::<true>();
    assert_eq!(falsified(&report).observed.drawn[0].value, "push(0); push(0); push(0)");
    assert!(falsified(&report).observed.steps.is_empty());
}
