//! Every program up to a length, and what may be left out.

use stairway::Report;
use stairway::prelude::*;
use stairway::report::Outcome;
use std::cell::Cell;
use std::collections::VecDeque;
use std::hash::Hash;

/// Which mistake the rings made on this thread have.
#[derive(Clone, Copy, Debug, PartialEq, Hash)]
enum Bug {
    None,
    /// The fourth push in a row is refused, full or not.
    FourthPush,
    /// Each `clear` loses a cell, which shows only when the ring is full.
    ClearShrinks,
}

thread_local! {
    static BUG: Cell<Bug> = const { Cell::new(Bug::None) };
}

#[derive(Debug, Hash)]
struct Ring {
    items: VecDeque<u8>,
    capacity: usize,
    n_in_a_row: u8,
    bug: Bug,
}

impl Ring {
    fn new(capacity: usize) -> Ring {
        Ring { items: VecDeque::new(), capacity, n_in_a_row: 0, bug: BUG.get() }
    }

    fn push(&mut self, v: u8) -> bool {
        self.n_in_a_row = (self.n_in_a_row + 1).min(4);
        let is_full =
            self.items.len() >= self.capacity || (self.bug == Bug::FourthPush && self.n_in_a_row == 4);
        if !is_full {
            self.items.push_back(v);
        }
        !is_full
    }

    fn pop(&mut self) -> Option<u8> {
        self.n_in_a_row = 0;
        self.items.pop_front()
    }

    fn clear(&mut self) {
        self.n_in_a_row = 0;
        self.items.clear();
        self.capacity -= usize::from(self.bug == Bug::ClearShrinks && self.capacity > 1);
    }
}

#[derive(Clone, Debug, Hash, PartialEq)]
struct Fifo {
    items: VecDeque<u8>,
    capacity: usize,
}

#[model(system = Ring)]
impl Fifo {
    #[start]
    fn new(#[from(2..=4)] capacity: usize) -> (Fifo, Ring) {
        (Fifo { items: VecDeque::new(), capacity }, Ring::new(capacity))
    }

    #[op]
    fn pop(&mut self) -> Option<u8> {
        self.items.pop_front()
    }

    #[op]
    fn push(&mut self, #[from(0..2)] v: u8) -> bool {
        let fits = self.items.len() < self.capacity;
        if fits {
            self.items.push_back(v);
        }
        fits
    }

    #[op]
    fn clear(&mut self) {
        self.items.clear();
    }

    #[fingerprint]
    fn state(system: &Ring) -> impl Hash {
        (system.items.clone(), system.capacity, system.n_in_a_row)
    }
}

/// The same, without anything to tell rings apart.
#[derive(Clone, Debug, Hash, PartialEq)]
struct Blind(Fifo);

#[model(system = Ring)]
impl Blind {
    #[start]
    fn new(#[from(2..=4)] capacity: usize) -> (Blind, Ring) {
        let (model, system) = Fifo::new(capacity);
        (Blind(model), system)
    }

    #[op]
    fn pop(&mut self) -> Option<u8> {
        self.0.pop()
    }

    #[op]
    fn push(&mut self, #[from(0..2)] v: u8) -> bool {
        self.0.push(v)
    }

    #[op]
    fn clear(&mut self) {
        self.0.clear();
    }
}

fn settings() -> Settings {
    Settings::new().without_regressions()
}

fn with_bug(bug: Bug, report: impl FnOnce() -> Report) -> Report {
    BUG.set(bug);
    let report = report();
    BUG.set(Bug::None);
    report
}

fn explored(report: &Report) -> (u64, Option<u64>, u64, u64) {
    match report.result.outcome {
        Outcome::Explored { depth, bound, n_programs, n_pruned } => (depth, bound, n_programs, n_pruned),
        ref other => panic!("this was to be complete: {other:?}"),
    }
}

/// The names of the steps of the counterexample.
fn steps(report: &Report) -> Vec<&'static str> {
    match &report.result.outcome {
        Outcome::Falsified(found) => found.observed.steps.iter().map(|step| step.name).collect(),
        other => panic!("this was to fail: {other:?}\n{report}"),
    }
}

#[test]
fn every_program_is_tried() {
    #[derive(Debug)]
    struct Plain(u8);

    #[derive(Debug)]
    struct Counter(u8);

    impl Counter {
        fn up(&mut self) -> u8 {
            self.0 += 1;
            self.0
        }
        fn reset(&mut self) {
            self.0 = 0;
        }
    }

    #[model(system = Counter)]
    impl Plain {
        #[start]
        fn new() -> (Plain, Counter) {
            (Plain(0), Counter(0))
        }
        #[op]
        fn up(&mut self) -> u8 {
            self.0 += 1;
            self.0
        }
        #[op]
        fn reset(&mut self) {
            self.0 = 0;
        }
    }

    let report = Plain::checker().settings(settings()).exhaustive(10).report();
    assert_eq!(explored(&report), (10, None, 1024, 0));
}

#[test]
fn numbers_take_their_simplest_values_and_the_report_says_so() {
    let of = |n| Blind::checker().settings(settings()).exhaustive(2).values(n).report();
    // Pop, clear, and push with so many arguments, twice; with so many capacities.
    assert_eq!(explored(&of(1)), (2, Some(0), 9, 0));
    let report = of(2);
    assert_eq!(explored(&report), (2, Some(1), 2 * 16, 0));
    assert!(report.to_string().contains("(every number among its 2 simplest values)"), "{report}");
    assert_eq!(explored(&of(3)), (2, None, 3 * 16, 0));
}

#[test]
fn what_follows_a_known_state_is_tried_once() {
    let report = Fifo::checker().settings(settings()).exhaustive(8).report();
    let (depth, _, n_programs, n_pruned) = explored(&report);
    assert_eq!(depth, 8);
    assert!(n_pruned > 0 && n_programs < 20_000, "{n_programs} programs, {n_pruned} cut short");
}

#[test]
fn the_first_failure_is_a_shortest_one() {
    let report = with_bug(Bug::FourthPush, || Fifo::checker().settings(settings()).exhaustive(6).report());
    assert_eq!(steps(&report), ["push", "push", "push", "push"]);
    let report = with_bug(Bug::ClearShrinks, || Fifo::checker().settings(settings()).exhaustive(6).report());
    assert_eq!(steps(&report), ["clear", "push", "push"]);
}

#[test]
fn equal_models_do_not_mean_equal_systems() {
    let modulo =
        |bug| with_bug(bug, || Fifo::checker().settings(settings()).exhaustive_modulo_model(6).report());
    // After `clear` the model is one that was seen, the system is not: what would show it is left out.
    let (depth, ..) = explored(&modulo(Bug::ClearShrinks));
    assert_eq!(depth, 6);
    assert_eq!(steps(&modulo(Bug::FourthPush)).len(), 4);
}

#[test]
fn a_model_without_a_fingerprint_is_not_cut_short() {
    let of = |report: Report| explored(&report);
    let (.., n_programs, n_pruned) = of(Fifo::checker().settings(settings()).exhaustive(5).report());
    assert!(n_pruned > 0 && n_programs < 3 * 4u64.pow(5));
    assert_eq!(
        of(Blind::checker().settings(settings()).exhaustive(5).report()),
        (5, None, 3 * 4u64.pow(5), 0)
    );
}

#[test]
fn calls_are_tried_too() {
    struct Door {
        is_open: bool,
        n_slams: u32,
    }

    #[contract]
    impl Door {
        pub fn new() -> Door {
            Door { is_open: false, n_slams: 0 }
        }

        #[requires(!self.is_open)]
        pub fn open(&mut self) {
            self.is_open = true;
        }

        #[ensures(self.n_slams < 2)]
        pub fn slam(&mut self) {
            self.n_slams += u32::from(self.is_open);
            self.is_open = false;
        }
    }

    let report = Checker::contracts::<Door>().settings(settings()).exhaustive(5).report();
    assert_eq!(steps(&report), ["Door::new", "Door::open", "Door::slam", "Door::open", "Door::slam"]);
}

#[test]
fn a_program_written_by_hand_is_run_and_shrunk() {
    let by_hand = |bug, steps: &[&str]| {
        with_bug(bug, || Fifo::checker().settings(settings()).program("4", steps).report())
    };
    let program =
        ["push 1", "pop", "push 0", "push 1", "push 1", "pop", "push 1", "push 0", "push 1", "push 1"];
    assert!(matches!(by_hand(Bug::None, &program).result.outcome, Outcome::Passed));
    let report = by_hand(Bug::FourthPush, &["push 1", "pop", "push 0", "push 1", "push 1", "push 1", "pop"]);
    assert_eq!(steps(&report), ["push"; 4]);
}

#[test]
fn a_program_that_does_not_fit_is_told_where() {
    let message = |start: &str, steps: &[&str]| {
        let checker = Fifo::checker().settings(settings()).program(start, steps);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(checker.report())));
        let payload = panicked.expect_err("this does not fit");
        payload.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    let wrong = message("4", &["push 1", "peek"]);
    assert!(wrong.ends_with("do not fit: `peek`, the choice number 5, is not possible there"), "{wrong}");
    assert!(message("9", &[]).contains("`9`, the choice number 1,"));
    assert!(message("4", &["push"]).contains("at their end after 3"));
    assert!(message("4", &["(("]).contains("cannot be read: `((` is not a choice"));
}

/// The states that were reached are known where the cases run.
#[test]
#[cfg(target_os = "linux")]
fn what_runs_in_a_process_of_its_own_is_pruned_alike() {
    let of = |settings: Settings| explored(&Fifo::checker().settings(settings).exhaustive(5).report());
    let isolated = of(settings().isolate());
    let here = of(settings());
    assert!(here.3 > 0, "{here:?}");
    assert_eq!(isolated, here);
}
