//! Users rely on a model to find what a system does wrong, with the shortest program that shows
//! it; on being told when the fault is the model's own; and on nothing passing that was not done.

#[path = "models/answers.rs"]
mod answers;
mod common;
#[path = "models/feedback.rs"]
mod feedback;
#[path = "models/from_state.rs"]
mod from_state;
#[path = "models/loans.rs"]
mod loans;
#[path = "models/long_states.rs"]
mod long_states;
#[path = "models/oracles.rs"]
mod oracles;

use common::without_places;
use stairway::Report;
use stairway::prelude::*;
use stairway::program::ModelChecker;
use stairway::report::words as failure_words;
use stairway::report::{Counterexample, FailureKind, Outcome};
use std::collections::{BTreeMap, VecDeque};

fn quiet<M: stairway::Model>(checker: ModelChecker<M>, seed: u64) -> ModelChecker<M> {
    checker.settings(Settings::new().seed(seed).cases(2000).without_regressions())
}

#[track_caller]
fn falsified(report: &Report) -> &Counterexample {
    match &report.result.outcome {
        Outcome::Falsified(found) => found,
        outcome => panic!("{outcome:?}"),
    }
}

fn program(found: &Counterexample) -> Vec<String> {
    let step = |step: &stairway::engine::ShownStep| {
        let arguments: Vec<&str> = step.arguments.iter().map(|(_, value)| value.as_str()).collect();
        format!("{}({}) -> {}", step.name, arguments.join(", "), step.answer)
    };
    found.observed.steps.iter().map(step).collect()
}

/// A queue in a ring; `LIES` makes `len` wrong when it is full and has wrapped.
struct RingQueue<const LIES: bool> {
    buffer: Vec<i32>,
    head: usize,
    len: usize,
    is_shut: bool,
}

impl<const LIES: bool> RingQueue<LIES> {
    fn new(capacity: usize) -> Self {
        RingQueue { buffer: vec![0; capacity], head: 0, len: 0, is_shut: false }
    }

    fn push(&mut self, v: i32) -> bool {
        let fits = self.len < self.buffer.len();
        if fits {
            let at = (self.head + self.len) % self.buffer.len();
            self.buffer[at] = v;
            self.len += 1;
        }
        fits
    }

    fn extend_from_slice(&mut self, vs: &[i32]) -> usize {
        vs.iter().filter(|v| self.push(**v)).count()
    }

    fn front(&self) -> Option<&i32> {
        (self.len > 0).then(|| &self.buffer[self.head])
    }

    fn pop(&mut self) -> Option<i32> {
        let v = self.front().copied()?;
        self.head = (self.head + 1) % self.buffer.len();
        self.len -= 1;
        Some(v)
    }

    fn len(&self) -> usize {
        if LIES && self.len == self.buffer.len() && self.head != 0 { 0 } else { self.len }
    }

    fn drain(&mut self) -> Vec<i32> {
        std::iter::from_fn(|| self.pop()).collect()
    }

    fn shutdown(&mut self) -> usize {
        self.is_shut = true;
        self.len
    }
}

/// The queue of the design, with every attribute that needs no results.
#[derive(Clone, Debug)]
struct Fifo<const LIES: bool> {
    items: VecDeque<i32>,
    capacity: usize,
}

#[model(system = RingQueue<LIES>)]
impl<const LIES: bool> Fifo<LIES> {
    #[start]
    fn new(#[from(1..=8)] capacity: usize) -> (Self, RingQueue<LIES>) {
        (Fifo { items: VecDeque::new(), capacity }, RingQueue::new(capacity))
    }

    #[op(weight = 3)]
    fn push(&mut self, v: i32) -> bool {
        let fits = self.is_possible();
        if fits {
            self.items.push_back(v);
        }
        fits
    }

    #[op(requires = vs.len() < 2)]
    fn extend_from_slice(&mut self, vs: &[i32]) -> usize {
        vs.iter().filter(|v| self.push(**v)).count()
    }

    #[op(call = system.front().copied())]
    fn front(&self) -> Option<i32> {
        self.items.front().copied()
    }

    #[op(weight = self.items.len() as u32)]
    fn pop(&mut self) -> Option<i32> {
        self.items.pop_front()
    }

    #[op]
    fn len(&self) -> usize {
        self.items.len()
    }

    #[op(requires = !self.items.is_empty(), call = system.drain().len())]
    fn empty(&mut self) -> usize {
        let n = self.items.len();
        self.items.clear();
        n
    }

    #[cleanup]
    fn shutdown(&mut self) -> usize {
        self.items.len()
    }

    #[invariant]
    fn agree(&self, system: &RingQueue<LIES>) -> bool {
        self.items.len() == system.len && !system.is_shut
    }

    #[invariant]
    fn fits(&self) -> bool {
        self.items.len() <= self.capacity
    }

    #[cover(5.0)]
    fn wrapped(&self, system: &RingQueue<LIES>) -> bool {
        system.head + system.len > self.capacity
    }

    #[terminal]
    fn is_done(&self) -> bool {
        self.items.contains(&77_777)
    }

    /// Not an operation.
    fn is_possible(&self) -> bool {
        self.items.len() < self.capacity
    }
}

#[test]
fn a_correct_system_passes_with_every_operation_done() {
    let report = quiet(Fifo::<false>::checker(), 1).demand_all().report();
    assert!(report.is_success(), "{report}");
    assert_eq!(
        report.result.statistics.program.names,
        ["push", "extend_from_slice", "front", "pop", "len", "empty"]
    );
    assert!(report.result.statistics.demands.contains_key("wrapped"));
    let counts = &report.result.statistics.program;
    assert!(counts.n_refused[1] > 0, "long slices are refused: {counts:?}");
    assert!(counts.n_impossible[5] > 0 && counts.n_impossible[3] > 0);
    assert_eq!((counts.n_impossible[0], counts.n_impossible[1]), (0, 0));
}

#[test]
fn a_bug_is_shrunk_to_the_shortest_program() {
    for seed in 0..10 {
        let report = quiet(Fifo::<true>::checker(), seed).report();
        let found = falsified(&report);
        let steps = program(found);
        assert_eq!((steps.len(), steps[4].as_str()), (5, "len() -> 0"), "seed {seed}: {steps:#?}");
        assert_eq!(found.observed.drawn[0].value, "2", "with one cell the head does not move");
    }
}

/// A table of handles; closing a duplicate frees the cell although another handle uses it.
#[derive(Default)]
struct Table {
    cells: Vec<(i32, u32)>,
    free: Vec<usize>,
    handles: BTreeMap<usize, usize>,
    next: usize,
    frees_early: bool,
}

/// What the table knows a cell by.
#[derive(Debug)]
struct Handle(usize);

impl Table {
    fn add(&mut self, cell: usize) -> Handle {
        self.next += 7;
        self.handles.insert(self.next, cell);
        Handle(self.next)
    }

    fn open(&mut self) -> Handle {
        let cell = self.free.pop().unwrap_or_else(|| {
            self.cells.push((0, 0));
            self.cells.len() - 1
        });
        self.cells[cell] = (0, 1);
        self.add(cell)
    }

    fn dup(&mut self, handle: &Handle) -> Handle {
        let cell = self.handles[&handle.0];
        self.cells[cell].1 += 1;
        self.add(cell)
    }

    fn write(&mut self, handle: &mut Handle, v: i32) {
        self.cells[self.handles[&handle.0]].0 = v;
    }

    fn read(&self, handle: &Handle) -> i32 {
        self.cells[self.handles[&handle.0]].0
    }

    fn close(&mut self, handle: Handle) -> bool {
        let Some(cell) = self.handles.remove(&handle.0) else { return false };
        let users = &mut self.cells[cell].1;
        *users = users.saturating_sub(1);
        if *users == 0 || self.frees_early && *users == 1 {
            self.free.push(cell);
        }
        true
    }

    fn are_same(&self, a: &Handle, b: &Handle) -> bool {
        self.handles[&a.0] == self.handles[&b.0]
    }
}

#[derive(Clone, Debug, Default)]
struct Handles<const FREES_EARLY: bool> {
    cells: Vec<i32>,
    of: BTreeMap<Ref<Handle>, usize>,
}

#[model(system = Table)]
impl<const FREES_EARLY: bool> Handles<FREES_EARLY> {
    #[start]
    fn new() -> (Self, Table) {
        (Self::default(), Table { frees_early: FREES_EARLY, ..Table::default() })
    }

    #[op]
    fn open(&mut self, #[result] h: Ref<Handle>) {
        self.of.insert(h, self.cells.len());
        self.cells.push(0);
    }

    #[op]
    fn dup(&mut self, h: Ref<Handle>, #[result] copy: Ref<Handle>) {
        self.of.insert(copy, self.of[&h]);
    }

    #[op(requires = self.of.len() < 9 && self.of[&h] < 20)]
    fn write(&mut self, h: Ref<Handle>, #[from(0..100)] v: i32) {
        self.cells[self.of[&h]] = v;
    }

    #[op(call = system.read(h))]
    fn read(&self, h: Ref<Handle>) -> i32 {
        self.cells[self.of[&h]]
    }

    #[op(consumes = h)]
    fn close(&mut self, h: Ref<Handle>) -> bool {
        self.of.remove(&h).is_some()
    }

    #[op(weight = if FREES_EARLY { 0 } else { 1 })]
    fn are_same(&self, a: Ref<Handle>, b: Ref<Handle>) -> bool {
        self.of[&a] == self.of[&b]
    }
}

#[test]
fn results_are_passed_as_the_system_wants_them() {
    let report = quiet(Handles::<false>::checker(), 1).demand_all().report();
    assert!(report.is_success(), "{report}");
    let counts = &report.result.statistics.program;
    assert!(counts.n_refused[5] > 0, "a handle that cannot be copied is not passed twice: {counts:?}");
}

#[test]
fn an_aliasing_bug_is_shrunk_to_six_steps() {
    for seed in 0..10 {
        let report = quiet(Handles::<true>::checker(), seed).report();
        let found = program(falsified(&report));
        assert_eq!(found.len(), 6, "seed {seed}: {found:#?}");
        assert_eq!(found[0], "open() -> r1");
    }
}

/// A pool from which a thief may take the oldest or nothing.
struct Pool {
    items: Vec<i32>,
    n_calls: usize,
    is_wrong: bool,
}

impl Pool {
    fn put(&mut self, v: i32) {
        self.items.push(v);
    }

    fn steal(&mut self) -> Option<i32> {
        self.n_calls += 1;
        match self.n_calls % 3 {
            0 => None,
            _ if self.items.is_empty() => None,
            1 if self.is_wrong => Some(-1),
            _ => Some(self.items.remove(0)),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Bag<const IS_WRONG: bool>(Vec<i32>);

#[model(system = Pool)]
impl<const IS_WRONG: bool> Bag<IS_WRONG> {
    #[start]
    fn new() -> (Self, Pool) {
        (Bag(Vec::new()), Pool { items: Vec::new(), n_calls: 0, is_wrong: IS_WRONG })
    }

    #[op]
    fn put(&mut self, #[from(0..10)] v: i32) {
        self.0.push(v);
    }

    #[op]
    fn steal(&self) -> Allowed<'_, Self, Option<i32>> {
        Allowed::of(self).answer("lost the race", None, |_| ()).answer(
            "the oldest",
            self.0.first().copied(),
            |model| {
                if !model.0.is_empty() {
                    model.0.remove(0);
                }
            },
        )
    }
}

#[test]
fn every_allowed_answer_passes_and_is_counted() {
    let report = quiet(Bag::<false>::checker(), 1).report();
    assert!(report.is_success(), "{report}");
    let seen = &report.result.statistics.alternatives;
    let taken = |name: &str| seen[name].n_taken;
    assert!(taken("steal: lost the race") > 100 && taken("steal: the oldest") > 100, "{seen:?}");
}

#[test]
fn an_answer_that_is_not_allowed_is_shown_beside_those_that_are() {
    let report = quiet(Bag::<true>::checker(), 1).report();
    let found = falsified(&report);
    assert_eq!(program(found), ["put(0) -> ()", "steal() -> Some(-1)"]);
    assert_eq!(
        failure_words::message(&found.failure),
        "`steal` answered Some(-1), but the model says None (lost the race) or Some(0) (the oldest)"
    );
}

/// A system that does what little is asked of it.
#[derive(Clone, Default)]
struct Counter {
    n: u32,
}

impl Counter {
    fn add(&mut self, n: u32) {
        self.n += n;
        assert!(self.n < 5, "too many");
    }

    async fn get(&self) -> u32 {
        std::future::ready(self.n).await
    }

    fn stop(&mut self) -> u32 {
        self.n
    }

    fn same(&self, other: Token, again: Token) -> bool {
        other.0 == again.0
    }

    fn token(&self) -> Token {
        Token(self.n)
    }
}

#[derive(Clone)]
struct Token(u32);

mod small {
    use super::*;

    #[derive(Debug)]
    pub(super) struct Panicking(u32);
    #[model(system = Counter)]
    impl Panicking {
        #[start]
        fn new() -> (Self, Counter) {
            (Panicking(0), Counter::default())
        }
        #[op(call = ())]
        fn add(&mut self) {
            self.0 += 1;
            assert!(self.0 < 3, "the model is wrong");
        }
    }

    #[derive(Debug)]
    pub(super) struct Overflowing;
    #[model(system = Counter)]
    impl Overflowing {
        #[start]
        fn new() -> (Self, Counter) {
            (Overflowing, Counter::default())
        }
        #[op]
        fn add(&mut self, #[from(1..3)] n: u32) {
            let _ = n;
        }
    }

    static N_STARTS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

    /// Answers by something that no case knows of.
    #[derive(Debug)]
    pub(super) struct Moody<const PERIOD: u32>;
    #[model(system = Counter)]
    impl<const PERIOD: u32> Moody<PERIOD> {
        #[start]
        fn new() -> (Self, Counter) {
            (Moody, Counter { n: N_STARTS.fetch_add(1, std::sync::atomic::Ordering::Relaxed) })
        }
        #[op(call = u32::from(system.n % PERIOD == PERIOD - 1))]
        fn ask(&self, what: u64) -> u32 {
            let _ = what;
            0
        }
    }

    #[derive(Debug)]
    pub(super) struct Stuck(u32);
    #[model(system = Counter)]
    impl Stuck {
        #[start]
        fn new() -> (Self, Counter) {
            (Stuck(0), Counter::default())
        }
        #[op(requires = self.0 < 2, call = ())]
        fn add(&mut self) {
            self.0 += 1;
        }
    }

    #[derive(Debug)]
    pub(super) struct Ending(u32);
    #[model(system = Counter, may_be_stuck)]
    impl Ending {
        #[start]
        fn new() -> (Self, Counter) {
            (Ending(0), Counter::default())
        }
        #[op(requires = self.0 < 2, call = ())]
        fn add(&mut self) {
            self.0 += 1;
        }
        #[op(requires = self.0 > 5, call = ())]
        fn never(&mut self) {}
    }

    #[derive(Debug)]
    pub(super) struct Forgetful(u32);
    #[model(system = Counter)]
    impl Forgetful {
        #[start]
        fn new() -> (Self, Counter) {
            (Forgetful(0), Counter::default())
        }
        #[op(requires = self.0 + n < 5)]
        fn add(&mut self, #[from(1..3)] n: u32) {
            self.0 += n.min(1);
        }
        #[cleanup]
        fn stop(&mut self) -> u32 {
            self.0
        }
    }

    #[derive(Debug)]
    pub(super) struct Awaiting(u32);
    #[model(system = Counter)]
    impl Awaiting {
        #[start]
        fn new() -> (Self, Counter) {
            (Awaiting(0), Counter::default())
        }
        #[op(requires = self.0 < 4)]
        fn add(&mut self, #[from(1..2)] step: u32) {
            self.0 += step;
        }
        #[op(awaits)]
        fn get(&self) -> u32 {
            self.0
        }
        #[op(awaits, call = u64::from(system.get().await))]
        fn get_wide(&self) -> u64 {
            u64::from(self.0)
        }
        #[op(call = system.token())]
        fn token(&mut self, #[result] running: Ref<Token>) {
            let _ = running;
        }
        #[op]
        fn same(&self, other: Ref<Token>, again: Ref<Token>) -> bool {
            other == again || self.0 == 0
        }
        #[op(consumes = (other, again), call = (drop(other), again.0 > 4).1)]
        fn drop_both(&mut self, other: Ref<Token>, again: Ref<Token>) -> bool {
            let _ = (other, again);
            false
        }
        #[terminal]
        fn is_large(&self) -> bool {
            self.0 > 0
        }
    }

    /// Its parameters have names that the expansion uses as well.
    #[derive(Debug)]
    pub(super) struct Named;
    #[model(system = Adder)]
    impl Named {
        #[start]
        fn new(case: u8, value: u8) -> (Self, Adder) {
            let _ = (case, value);
            (Named, Adder)
        }
        #[op(requires = system < 200 && running < 50)]
        fn sum(&self, system: u8, running: u8, step: u8, results: u8, model: u8, op: u8) -> u32 {
            [system, running, step, results, model, op].into_iter().map(u32::from).sum()
        }
        #[op]
        fn r#type(&self, r#fn: u8, text: &str, list: &mut Vec<u8>) -> u8 {
            list.push(0);
            let _ = text;
            r#fn
        }
    }

    pub(super) struct Adder;
    impl Adder {
        fn sum(&self, a: u8, b: u8, c: u8, d: u8, e: u8, f: u8) -> u32 {
            [a, b, c, d, e, f].into_iter().map(u32::from).sum()
        }
        fn r#type(&self, n: &u8, _text: String, list: &mut Vec<u8>) -> u8 {
            list.clear();
            *n
        }
    }

    /// Does not say that `close` takes the handle away.
    #[derive(Debug)]
    pub(super) struct Keeping;
    #[model(system = Table)]
    impl Keeping {
        #[start]
        fn new() -> (Self, Table) {
            (Keeping, Table::default())
        }
        #[op]
        fn open(&mut self, #[result] h: Ref<Handle>) {
            let _ = h;
        }
        #[op]
        fn close(&mut self, h: Ref<Handle>) -> bool {
            let _ = h;
            true
        }
    }

    #[derive(Debug)]
    pub(super) struct Dishonest;
    #[model(system = Counter)]
    impl Dishonest {
        #[start]
        fn new() -> (Self, Counter) {
            (Dishonest, Counter::default())
        }
        #[op(call = system.n)]
        fn get(&self) -> u32 {
            0
        }
        #[invariant]
        fn is_odd(&self, system: &Counter) -> bool {
            system.n % 2 == 1
        }
    }
}

#[test]
fn a_panic_in_the_model_is_the_specifications_fault() {
    let report = quiet(small::Panicking::checker(), 1).report();
    let found = falsified(&report);
    assert!(
        failure_words::identity(&found.failure).starts_with("panic in the specification at"),
        "{}",
        failure_words::identity(&found.failure)
    );
    assert_eq!(program(found).len(), 3, "the step that panicked is shown: {report}");
}

#[test]
fn a_result_that_is_gone_although_nothing_says_so_is_the_specifications_fault() {
    let report = quiet(small::Keeping::checker(), 1).report();
    let found = falsified(&report);
    assert!(
        failure_words::identity(&found.failure).starts_with("panic in the specification at"),
        "{}",
        failure_words::identity(&found.failure)
    );
    assert_eq!(
        failure_words::message(&found.failure),
        "`close` takes `h` by value, and it cannot be cloned: write `#[op(consumes = h)]`"
    );
}

#[test]
fn parameters_may_have_any_name() {
    let report = quiet(small::Named::checker(), 1).demand_all().report();
    assert!(report.is_success(), "{report}");
}

#[test]
fn a_panic_in_the_system_is_its_own_and_shows_its_step() {
    let report = quiet(small::Overflowing::checker(), 1).report();
    let found = falsified(&report);
    assert!(failure_words::identity(&found.failure).starts_with("panic at"), "{:?}", found.failure);
    let last = found.observed.steps.last().unwrap();
    assert_eq!((last.name, last.arguments.len(), last.answer.as_str()), ("add", 1, ""), "{report}");
}

#[test]
fn a_state_in_which_nothing_is_possible_is_an_error_unless_it_is_declared() {
    let report = quiet(small::Stuck::checker(), 1).report();
    let found = falsified(&report);
    assert_eq!(found.failure.kind, FailureKind::Stuck);
    assert_eq!(program(found).len(), 2);
    assert!(quiet(small::Ending::checker(), 1).report().is_success());
}

#[test]
fn an_operation_that_never_ran_fails_where_all_are_demanded() {
    let report = quiet(small::Ending::checker(), 1).demand_all().report();
    assert!(!report.is_success());
    assert!(report.to_string().contains("the operation `never`"), "{report}");
}

#[test]
fn the_end_of_a_program_is_compared_too() {
    // Longer programs may panic in the system first.
    let report = quiet(small::Forgetful::checker(), 1).steps(2).report();
    assert_eq!(program(falsified(&report)), ["add(2) -> ()", "stop() -> 2"]);
}

#[test]
fn async_systems_are_awaited_and_results_are_copied_where_they_can_be() {
    let report = quiet(small::Awaiting::checker(), 1).demand_all().report();
    assert!(report.is_success(), "{report}");
    assert!(report.result.statistics.program.n_refused.iter().all(|n| *n == 0));
}

#[test]
fn a_model_and_a_system_that_disagree_at_the_start() {
    let report = quiet(small::Dishonest::checker(), 1).report();
    let message = failure_words::message(&falsified(&report).failure);
    assert_eq!(message, "the invariant `is_odd` does not hold at the start\n  system.n = 0");
}

#[test]
fn check_runs_and_a_checker_that_is_dropped_says_so() {
    Bag::<false>::check();
    let dropped = std::panic::catch_unwind(|| drop(Bag::<false>::checker().cases(3)));
    let message = *dropped.unwrap_err().downcast::<String>().unwrap();
    assert!(message.starts_with("the checker of `models::Bag<false>` was dropped"), "{message}");
}

/// The text of a report, without backtraces.
fn text(mut report: Report) -> String {
    if let Outcome::Falsified(found) = &mut report.result.outcome {
        found.failure.details.clear();
    }
    without_places(&report.to_string(), None)
}

#[test]
fn a_program_is_reported_step_by_step() {
    insta::assert_snapshot!("a_wrong_answer", text(quiet(Fifo::<true>::checker(), 1).report()));
    insta::assert_snapshot!("results", text(quiet(Handles::<true>::checker(), 1).report()));
    insta::assert_snapshot!("a_panic_in_the_model", text(quiet(small::Panicking::checker(), 1).report()));
    insta::assert_snapshot!("a_panic_in_the_system", text(quiet(small::Overflowing::checker(), 1).report()));
    insta::assert_snapshot!("stuck", text(quiet(small::Stuck::checker(), 1).report()));
}

#[test]
fn a_system_that_answers_otherwise_each_time_is_flaky_and_both_runs_are_shown() {
    let report = quiet(small::Moody::<7>::checker(), 1).steps(4).min_steps(4).report();
    let Outcome::Flaky(flaky) = &report.result.outcome else { panic!("{report}") };
    let answers = |steps: &[stairway::engine::ShownStep]| -> Vec<String> {
        steps.iter().map(|step| step.answer.clone()).collect()
    };
    let failing = flaky.failing.as_ref().expect("one run in seven fails");
    assert_eq!(answers(&failing.steps), ["1"]);
    assert_eq!(answers(&flaky.observed.steps), ["0"; 4]);
    let text = report.to_string();
    assert!(text.starts_with("model `models::small::Moody<7>` is flaky"), "{text}");
    let (first, then) = text.split_once("again:").unwrap();
    assert!(first.contains("  -> 1"), "{text}");
    assert!(then.contains("  -> 0") && !then.contains("-> 1"), "{text}");

    // What fails once in a blue moon cannot be shown again.
    let report = quiet(small::Moody::<1000>::checker(), 1).steps(4).min_steps(4).report();
    let Outcome::Flaky(flaky) = &report.result.outcome else { panic!("{report}") };
    assert!(flaky.failing.is_none());
    assert!(report.to_string().contains("it did not fail this way again"), "{report}");
}

#[test]
fn operations_and_what_followed_them_are_reported() {
    insta::assert_snapshot!("operations", text(quiet(Fifo::<false>::checker(), 1).report()));
    insta::assert_snapshot!("never_done", text(quiet(small::Ending::checker(), 1).demand_all().report()));
}

#[test]
fn too_many_explanations_are_the_specifications_fault() {
    /// Cannot be compared, so every way of explaining an answer is another model.
    #[derive(Clone, Debug)]
    struct Guess(u32);

    struct Coin;

    impl Coin {
        fn toss(&self) {}
    }

    #[model(system = Coin)]
    impl Guess {
        #[start]
        fn new() -> (Guess, Coin) {
            (Guess(0), Coin)
        }

        #[op]
        fn toss(&self) -> Allowed<'_, Self, ()> {
            Allowed::of(self).answer("heads", (), |guess| guess.0 += 1).answer("tails", (), |_| ())
        }
    }

    let report = Guess::checker().settings(Settings::new().without_regressions()).report();
    let Outcome::Falsified(found) = &report.result.outcome else { panic!("{report}") };
    assert_eq!(failure_words::identity(&found.failure), "the specification: too many models");
    assert_eq!(found.observed.steps.len(), 9);
}

#[test]
fn models_of_one_block_have_names_of_their_own() {
    struct Cell<const N: u8>(u8);

    impl<const N: u8> Cell<N> {
        fn get(&self) -> u8 {
            self.0
        }
    }

    #[derive(Debug)]
    struct Constant<const N: u8>;

    #[model(system = Cell<N>)]
    impl<const N: u8> Constant<N> {
        #[start]
        fn new() -> (Self, Cell<N>) {
            (Constant, Cell(N))
        }

        #[op]
        fn get(&self) -> u8 {
            N
        }
    }

    let name = |report: stairway::Report| report.name;
    let settings = || Settings::new().without_regressions();
    let (one, two) = (Constant::<1>::checker(), Constant::<2>::checker());
    assert_ne!(name(one.settings(settings()).report()), name(two.settings(settings()).report()));
}

/// What the user's own `Debug`, `PartialEq` and `Drop` do to a verdict: nothing.
mod of_the_users {
    use super::*;
    use std::fmt;

    /// An answer whose traits panic at will.
    struct Answer<const TRAIT: char>(u8);

    impl<const TRAIT: char> fmt::Debug for Answer<TRAIT> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            assert!(TRAIT != 'd' || self.0 != 200, "no text for it");
            write!(f, "Answer({})", self.0)
        }
    }

    impl<const TRAIT: char> PartialEq for Answer<TRAIT> {
        fn eq(&self, other: &Self) -> bool {
            assert!(TRAIT != 'e' || self.0 == other.0, "cannot compare");
            self.0 == other.0
        }
    }

    impl<const TRAIT: char> Drop for Answer<TRAIT> {
        fn drop(&mut self) {
            assert!(TRAIT != 'a' || self.0 != 200 || std::thread::panicking(), "cannot drop it");
        }
    }

    /// Answers 200 when it holds three.
    #[derive(Debug, Default)]
    struct Stack<const TRAIT: char>(Vec<u8>);

    impl<const TRAIT: char> Stack<TRAIT> {
        fn push(&mut self, n: u8) {
            self.0.push(n);
        }

        fn last(&self) -> Option<Answer<TRAIT>> {
            let last = self.0.last().copied();
            last.map(|n| Answer(if self.0.len() == 3 { 200 } else { n }))
        }
    }

    impl<const TRAIT: char> Drop for Stack<TRAIT> {
        fn drop(&mut self) {
            assert!(TRAIT != 's' || self.0.len() < 3 || std::thread::panicking(), "cannot drop three");
        }
    }

    #[derive(Clone, Debug, Default)]
    struct Items<const TRAIT: char>(Vec<u8>);

    #[model(system = Stack<TRAIT>)]
    impl<const TRAIT: char> Items<TRAIT> {
        #[start]
        fn new() -> (Items<TRAIT>, Stack<TRAIT>) {
            (Items(Vec::new()), Stack(Vec::new()))
        }

        #[op]
        fn push(&mut self, #[from(0..100)] n: u8) {
            self.0.push(n);
        }

        #[op]
        fn last(&self) -> Option<Answer<TRAIT>> {
            self.0.last().copied().map(Answer)
        }
    }

    fn report<const TRAIT: char>() -> String {
        without_places(&quiet(Items::<TRAIT>::checker(), 1).report().to_string(), None)
    }

    #[test]
    fn a_debug_that_panics_is_a_value_that_cannot_be_shown() {
        let report = report::<'d'>();
        let said = "`last` answered (cannot be shown: no text for it), but the model says Some(Answer(0))";
        assert!(report.contains(said) && report.contains("the system does not do what"), "{report}");
    }

    #[test]
    fn a_comparison_that_panics_is_the_systems() {
        let report = report::<'e'>();
        assert!(report.contains("4. last()   -> Some(Answer(200))"), "{report}");
        assert!(report.contains("cannot compare") && !report.contains("specification"), "{report}");
    }

    #[test]
    fn a_drop_that_panics_after_a_mismatch_is_said_beside_it() {
        let report = report::<'a'>();
        assert!(
            report.contains("`last` answered Some(Answer(200)), but the model says Some(Answer(0))"),
            "{report}"
        );
        let then = "afterwards, dropping what the program held panicked at ";
        assert!(report.contains(then) && report.contains(": cannot drop it"), "{report}");
    }

    #[test]
    fn a_drop_of_the_system_that_panics_is_the_systems_and_leads() {
        let report = report::<'s'>();
        assert!(report.contains("3. push(0)") && !report.contains("flaky"), "{report}");
        assert!(report.contains("cannot drop three") && !report.contains("specification"), "{report}");
    }
}

/// A mistake that several operations notice.
mod noticed {
    use super::*;
    use std::collections::BTreeSet;

    /// Keeps an element twice that is added when there are three. `get` notices it at once, the others later.
    #[derive(Debug, Default)]
    struct Bag(Vec<u8>);

    impl Bag {
        fn add(&mut self, n: u8) {
            if !self.0.contains(&n) || self.0.len() == 3 {
                self.0.push(n);
            }
        }

        fn len(&self) -> usize {
            self.0.len()
        }

        fn sorted(&mut self) -> Vec<u8> {
            self.0.sort_unstable();
            self.0.clone()
        }
    }

    #[derive(Clone, Debug, Default)]
    struct Elements(BTreeSet<u8>);

    #[model(system = Bag)]
    impl Elements {
        #[start]
        fn new() -> (Elements, Bag) {
            Default::default()
        }

        #[op]
        fn add(&mut self, #[from(0..6)] n: u8) {
            self.0.insert(n);
        }

        #[op]
        fn len(&self) -> usize {
            self.0.len()
        }

        #[op]
        fn sorted(&self) -> Vec<u8> {
            self.0.iter().copied().collect()
        }
    }

    #[test]
    fn one_mistake_has_one_headline_and_the_shortest_program() {
        for seed in 0..40 {
            let report = quiet(Elements::checker(), seed).report();
            let leading = falsified(&report).observed.steps.len();
            assert!(
                report.result.others.iter().all(|other| other.observed.steps.len() >= leading),
                "{report}"
            );
            assert!(report.result.others.iter().all(|other| other.is_of_group), "{report}");
            assert!(!report.to_string().contains("further failure"), "{report}");
        }
    }
}

/// Invariants that have words of their own.
mod worded_invariants {
    use super::*;

    #[derive(Clone, Debug, Default)]
    struct Sums(u32);

    #[derive(Debug, Default)]
    struct Adder(u32);

    impl Adder {
        fn add(&mut self, n: u32) {
            self.0 += if self.0 > 20 { n + 1 } else { n };
        }
    }

    #[model(system = Adder)]
    impl Sums {
        #[start]
        fn new() -> (Sums, Adder) {
            Default::default()
        }

        #[op]
        fn add(&mut self, #[from(0..30)] n: u32) {
            self.0 += n;
        }

        #[invariant]
        fn agree(&self, system: &Adder) {
            assert_eq!(self.0, system.0, "the sums differ");
        }

        #[invariant]
        fn is_small(&self) -> Result<(), String> {
            if self.0 < 1_000_000 { Ok(()) } else { Err(format!("{} is too much", self.0)) }
        }
    }

    #[test]
    fn an_invariant_that_asserts() {
        let report = quiet(Sums::checker(), 1).report().to_string();
        insta::assert_snapshot!(without_places(&report, None));
    }
}

/// States whose own text looks like something of ours.
mod odd_texts {
    use super::*;
    use std::fmt;

    struct Tag(u8);

    impl fmt::Debug for Tag {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "<tag {}>", self.0)
        }
    }

    impl Tag {
        fn set(&mut self, n: u8) -> u8 {
            self.0 = n;
            n.min(9)
        }
    }

    struct Mark(u8);

    impl fmt::Debug for Mark {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "__{}__", self.0)
        }
    }

    #[model(system = Tag)]
    impl Mark {
        #[start]
        fn new() -> (Mark, Tag) {
            (Mark(0), Tag(0))
        }

        #[op]
        fn set(&mut self, n: u8) -> u8 {
            self.0 = n;
            n
        }
    }

    #[test]
    fn states_are_shown_whatever_their_text_begins_with() {
        let report = quiet(Mark::checker(), 1).report().to_string();
        assert!(report.contains("     model:  __10__\n     system: <tag 10>\n"), "{report}");
    }

    /// A model without a text.
    struct Plain(u8);

    #[model(system = Tag)]
    impl Plain {
        #[start]
        fn new() -> (Plain, Tag) {
            (Plain(0), Tag(0))
        }

        #[op]
        fn set(&mut self, n: u8) -> u8 {
            self.0 = n;
            n
        }
    }

    #[test]
    fn a_model_without_a_text_is_left_out() {
        let report = quiet(Plain::checker(), 1).report().to_string();
        assert!(report.contains("     system: <tag 10>\n") && !report.contains("model:  "), "{report}");
    }
}

/// An answer that is not equal to itself.
mod nan {
    use super::*;

    #[derive(Clone, Debug)]
    struct Mean;

    #[derive(Debug)]
    struct Numbers;

    impl Numbers {
        fn mean(&self) -> f64 {
            f64::NAN
        }
    }

    #[model(system = Numbers)]
    impl Mean {
        #[start]
        fn new() -> (Mean, Numbers) {
            (Mean, Numbers)
        }

        #[op]
        fn mean(&self) -> f64 {
            f64::NAN
        }
    }

    #[test]
    fn nan_beside_nan_says_why_it_differs() {
        let report = quiet(Mean::checker(), 1).report().to_string();
        assert!(report.contains("the answer is not equal to itself, as NAN is not"), "{report}");
    }
}

#[test]
fn a_run_that_its_time_has_cut_says_so() {
    let settings =
        Settings::new().without_regressions().cases(100_000_000).time(std::time::Duration::from_millis(1));
    let report = worded_report(settings);
    assert!(report.contains("\ncut short: the time was up after "), "{report}");
    assert!(report.contains(" of 100,000,000 programs"), "{report}");
}

fn worded_report(settings: Settings) -> String {
    stairway::program::ModelBuilder::new("counter", || (0u8, 0u8))
        .op_with("set", any::<u8>(), |model, n| *model = *n, |system, n| *system = *n)
        .checker()
        .settings(settings)
        .report()
        .to_string()
}
