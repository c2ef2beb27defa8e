//! Models whose answers are not functions of their state: conditions on the states before and
//! after, abstraction functions, answers that the model is told; models that run alone; and lists
//! of methods made by hand.

use stairway::Report;
use stairway::prelude::*;
use stairway::program::ModelBuilder;
use stairway::report::words as failure_words;
use stairway::report::{FailureKind, Outcome, Party};
use std::cell::Cell;

/// The failure's message and how many steps its program has.
fn failure(report: &Report) -> (String, usize) {
    match &report.result.outcome {
        Outcome::Falsified(found) => (failure_words::message(&found.failure), found.observed.steps.len()),
        other => panic!("this was to fail: {other:?}"),
    }
}

fn settings() -> Settings {
    Settings::new().cases(500).without_regressions()
}

thread_local! {
    static IS_WRONG: Cell<bool> = const { Cell::new(false) };
}

/// Runs something with systems that have their mistake.
fn wrongly<T>(run: impl FnOnce() -> T) -> T {
    IS_WRONG.set(true);
    let result = run();
    IS_WRONG.set(false);
    result
}

/// Union-Find over five elements; wrong ones link to the element instead of its root.
#[derive(Clone, Debug)]
struct Classes {
    parent: Vec<usize>,
    is_wrong: bool,
}

impl Classes {
    fn new() -> Classes {
        Classes { parent: (0..5).collect(), is_wrong: IS_WRONG.get() }
    }

    fn find(&self, mut x: usize) -> usize {
        while self.parent[x] != x {
            x = self.parent[x];
        }
        x
    }

    fn union(&mut self, x: usize, y: usize) {
        let (from, to) = if self.is_wrong { (x, self.find(y)) } else { (self.find(x), self.find(y)) };
        self.parent[from] = to;
    }
}

/// The model of section 12: which element represents each.
#[derive(Clone, Debug, PartialEq)]
struct Representatives(Vec<usize>);

#[model(system = Classes)]
impl Representatives {
    #[start]
    fn new() -> (Self, Classes) {
        (Representatives((0..5).collect()), Classes::new())
    }

    #[abstraction]
    fn of(system: &Classes) -> Self {
        Representatives((0..5).map(|x| system.find(x)).collect())
    }

    #[op]
    #[ensures(self == old(self))]
    #[ensures(*result == old(self.0[x]))]
    fn find(&self, #[from(0..5)] x: usize) {}

    #[op]
    #[ensures({
        let (a, b) = (old(self.0[x]), old(self.0[y]));
        let z = self.0[x];
        (z == a || z == b)
            && self.0 == old(self.0.iter()).map(|r| if [a, b].contains(r) { z } else { *r }).collect::<Vec<_>>()
    })]
    fn union(&self, #[from(0..5)] x: usize, #[from(0..5)] y: usize) {}

    #[invariant]
    fn is_idempotent(&self) -> bool {
        self.0.iter().all(|r| self.0[*r] == *r)
    }
}

#[test]
fn a_relation_leaves_the_implementation_some_freedom() {
    let report = Representatives::checker().settings(settings().demand_all_operations()).report();
    assert!(matches!(report.result.outcome, Outcome::Passed), "{report}");
}

#[test]
fn a_relation_that_does_not_hold_is_shown() {
    let report = wrongly(|| Representatives::checker().settings(settings()).report());
    let (message, n_steps) = failure(&report);
    assert!(message.starts_with("`union` does not ensure:\n{\n    let (a, b) ="), "{message}");
    assert_eq!(n_steps, 2);
}

/// A counter that hands out numbers in any order it likes.
#[derive(Debug)]
struct Ids {
    next: u64,
    is_wrong: bool,
}

impl Ids {
    fn fresh(&mut self) -> u64 {
        self.next = if self.is_wrong && self.next > 10 { 3 } else { self.next + 3 };
        self.next
    }
}

#[derive(Clone, Debug)]
struct Given(Vec<u64>);

#[model(system = Ids)]
impl Given {
    #[start]
    fn new() -> (Given, Ids) {
        (Given(Vec::new()), Ids { next: 0, is_wrong: IS_WRONG.get() })
    }

    /// The model is told which one it was.
    #[op]
    #[ensures(!old(self.0.contains(result)))]
    fn fresh(&mut self, #[result] id: u64) {
        self.0.push(id);
    }
}

#[test]
fn a_model_is_told_the_answer() {
    Given::checker().settings(settings()).run();
    let report = wrongly(|| Given::checker().settings(settings()).report());
    let (message, n_steps) = failure(&report);
    assert_eq!(
        (message.as_str(), n_steps),
        ("`fresh` does not ensure `!old(self.0.contains(result))`\n  old(self.0.contains(result)) = true", 5)
    );
}

/// A stack whose `pop` forgets to shrink when it is wrong.
#[derive(Debug)]
struct Stack {
    items: Vec<u8>,
    looks: Cell<u32>,
    is_wrong: bool,
}

impl Stack {
    fn push(&mut self, v: u8) {
        self.items.push(v);
    }

    fn pop(&mut self) {
        if !self.is_wrong || self.items.len() != 2 {
            self.items.pop();
        }
    }
}

/// What the abstraction does wrong.
#[derive(Clone, Copy, PartialEq)]
enum Look {
    Right,
    Disturbs,
    Varies,
    Panics,
    StartsWrong,
}

thread_local! {
    static LOOK: Cell<Look> = const { Cell::new(Look::Right) };
    static N_LOOKS: Cell<u32> = const { Cell::new(0) };
}

#[derive(Clone, Debug, PartialEq)]
struct Items(Vec<u8>);

#[model(system = Stack)]
impl Items {
    #[start]
    fn new() -> (Items, Stack) {
        let items = if LOOK.get() == Look::StartsWrong { vec![7] } else { Vec::new() };
        (Items(Vec::new()), Stack { items, looks: Cell::new(0), is_wrong: IS_WRONG.get() })
    }

    #[abstraction]
    fn of(system: &Stack) -> Items {
        let mut items = system.items.clone();
        match LOOK.get() {
            Look::Disturbs => system.looks.set(system.looks.get() + 1),
            Look::Varies => {
                N_LOOKS.set(N_LOOKS.get() + 1);
                items.extend((N_LOOKS.get().is_multiple_of(2)).then_some(0));
            }
            Look::Panics => panic!("cannot look"),
            Look::Right | Look::StartsWrong => {}
        }
        Items(items)
    }

    #[op]
    fn push(&mut self, v: u8) {
        self.0.push(v);
    }

    #[op]
    fn pop(&mut self) {
        self.0.pop();
    }
}

#[test]
fn what_answers_do_not_show_an_abstraction_does() {
    Items::checker().settings(settings()).run();
    let report = wrongly(|| Items::checker().settings(settings()).report());
    let (message, n_steps) = failure(&report);
    let expected = "after `pop` the system stands for Items([0, 0]), but the model is Items([0])";
    assert_eq!((message.as_str(), n_steps), (expected, 3));
}

#[test]
fn a_wrong_abstraction_is_the_fault_of_the_specification() {
    let with = |look| {
        LOOK.set(look);
        let report = Items::checker().settings(settings()).report();
        LOOK.set(Look::Right);
        match &report.result.outcome {
            Outcome::Falsified(found) => format!(
                "{}: {}",
                failure_words::identity(&found.failure),
                failure_words::message(&found.failure)
            ),
            other => panic!("this was to fail: {other:?}"),
        }
    };
    let disturbs = with(Look::Disturbs);
    assert!(disturbs.starts_with("the specification: abstraction disturbs"), "{disturbs}");
    let varies = with(Look::Varies);
    assert!(varies.starts_with("the specification: abstraction differs"), "{varies}");
    let panics = with(Look::Panics);
    assert!(panics.starts_with("panic in the specification at"), "{panics}");
    let starts = with(Look::StartsWrong);
    assert_eq!(
        starts,
        "the model and the system at the start: at the start the system stands for Items([7]), but the model \
         is Items([])"
    );
}

/// The queue of section 13: a list of methods, made at run time.
type Queue = ModelBuilder<Vec<i32>, std::collections::VecDeque<i32>>;

fn methods(lanes: &[i32]) -> Queue {
    let is_wrong = IS_WRONG.get();
    let queue = Queue::new("a queue by hand", Default::default)
        .op("front", |model| model.first().copied(), |queue| queue.front().copied())
        .op(
            "remove",
            |model| Some(model.remove(0)),
            move |queue| if is_wrong && queue.len() == 2 { queue.pop_back() } else { queue.pop_front() },
        )
        .requires(|model| !model.is_empty())
        .weight(2)
        .abstraction(|queue| queue.iter().copied().collect());
    lanes.iter().fold(queue, |queue, lane| {
        let lane = *lane;
        queue.op_with(
            format!("add_{lane}"),
            0..10,
            move |model, v| model.push(lane + v),
            move |queue, v| queue.push_back(lane + v),
        )
    })
}

#[test]
fn methods_can_be_listed_at_run_time() {
    methods(&[0, 100]).checker().settings(settings()).demand_all().run();
    let report = wrongly(|| methods(&[0, 100]).checker().settings(settings()).report());
    let (message, n_steps) = failure(&report);
    assert!(message.starts_with("`remove` answered Some("), "{message}");
    assert_eq!(n_steps, 3);
    let Outcome::Falsified(found) = &report.result.outcome else { panic!("{report}") };
    let names: Vec<&str> = found.observed.steps.iter().map(|step| &step.name[..3]).collect();
    assert_eq!(names, ["add", "add", "rem"]);
    assert_eq!(found.observed.steps[0].arguments, [("", "0".to_string())]);
}

#[test]
fn a_relation_can_be_listed_too() {
    let list = |is_wrong: bool| {
        ModelBuilder::drawn("a bag by hand", 1..4usize, |n| (*n, vec![0u8; *n]))
            .abstraction(Vec::len)
            .relation(
                "take",
                0..2u8,
                move |bag, n| {
                    let taken = (*n as usize).min(bag.len());
                    bag.truncate(bag.len() - taken);
                    taken + usize::from(is_wrong && bag.is_empty())
                },
                |before, _, taken, after| *before == after + taken,
            )
    };
    list(false).checker().settings(settings()).run();
    let (message, n_steps) = failure(&list(true).checker().settings(settings()).report());
    assert_eq!(message, "`take` does not ensure `the relation between before and after`");
    assert_eq!(n_steps, 1);
}

fn never(_: &Stack) -> u32 {
    panic!("no system is called")
}

/// A model that is wrong by itself.
#[derive(Debug)]
struct Tank(u32);

#[model(system = Stack)]
impl Tank {
    #[start]
    fn new() -> (Tank, Stack) {
        (Tank(0), Stack { items: Vec::new(), looks: Cell::new(0), is_wrong: false })
    }

    #[op(call = never(system))]
    fn fill(&mut self, #[from(1..=3)] litres: u32) -> u32 {
        self.0 += litres;
        self.0
    }

    #[invariant]
    fn does_not_overflow(&self) -> bool {
        self.0 <= 10
    }

    #[invariant]
    fn is_like_the_system(&self, _: &Stack) -> bool {
        false
    }
}

#[test]
fn a_model_runs_alone() {
    let report = Tank::checker().settings(settings()).model_alone().report();
    let (message, n_steps) = failure(&report);
    assert_eq!(message, "the invariant `does_not_overflow` does not hold after `fill`\n  self.0 = 11");
    assert_eq!(n_steps, 4);
}

#[test]
fn a_panic_at_the_start_is_named() {
    #[derive(Debug)]
    struct Never;

    #[model(system = Stack)]
    impl Never {
        #[start]
        fn new() -> (Never, Stack) {
            panic!("no room")
        }

        #[op]
        fn pop(&mut self) {}
    }

    let report = Never::checker().settings(settings()).report();
    let Outcome::Falsified(found) = &report.result.outcome else { panic!("{report}") };
    assert_eq!(found.failure.kind, FailureKind::Panic(Party::Start));
}
