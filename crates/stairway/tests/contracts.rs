//! Users rely on contracts being checked where they are written, and on programs of calls that
//! break them being found and shrunk to the shortest.

#[path = "contracts/arguments.rs"]
mod arguments;
#[path = "contracts/blocks.rs"]
mod blocks;
mod common;
#[path = "contracts/faults.rs"]
mod faults;
#[path = "contracts/feedback.rs"]
mod feedback;
#[path = "contracts/foreign.rs"]
mod foreign;
#[path = "contracts/functions.rs"]
mod functions;
#[path = "contracts/returned_self.rs"]
mod returned_self;

use common::{Specimen, without_places};
use stairway::Report;
use stairway::prelude::*;
use stairway::program::Contract;
use stairway::report::Outcome;
use stairway::report::words as failure_words;

/// The program that breaks a contract, as `name(arguments) = answer` lines.
fn program(report: &Report) -> Vec<String> {
    let found = report.counterexample().unwrap_or_else(|| panic!("nothing was found: {report}"));
    let line = |step: &stairway::engine::ShownStep| {
        let arguments: Vec<&str> = step.arguments.iter().map(|(_, value)| value.as_str()).collect();
        format!("r{} = {}({})", step.ordinal + 1, step.name, arguments.join(", "))
    };
    found.observed.steps.iter().map(line).collect()
}

fn identity(report: &Report) -> String {
    failure_words::identity(&report.counterexample().expect("something was found").failure)
}

fn check_calls<C: Contract>(seed: u64) -> Report {
    let settings = Settings::new().cases(2000).seed(seed).without_regressions();
    stairway::Checker::contracts::<C>().settings(settings).steps(30).report()
}

mod fee {
    use super::*;

    pub(super) struct Account {
        balance: u64,
    }

    #[contract]
    impl Account {
        pub fn open() -> Account {
            Account { balance: 0 }
        }

        pub fn balance(&self) -> u64 {
            self.balance
        }

        #[ensures(self.balance() == old(self.balance()) + amount)]
        pub fn deposit(&mut self, #[from(0..1000)] amount: u64) {
            self.balance += amount;
        }

        #[requires(amount <= self.balance())]
        #[ensures(self.balance() == old(self.balance()) - amount)]
        pub fn withdraw(&mut self, amount: u64) {
            let fee = u64::from(amount > 10 && amount < self.balance);
            self.balance -= amount + fee;
        }
    }
}

#[test]
fn a_forgotten_fee_is_found() {
    for seed in 0..10 {
        let report = check_calls::<fee::Account>(seed);
        println!("{report}");
        assert_eq!(identity(&report), "ensures `self.balance() == old(self.balance()) - amount` of withdraw");
        assert_eq!(
            program(&report),
            [
                "r1 = Account::open()",
                "r2 = Account::deposit(&mut r1, 12)",
                "r3 = Account::withdraw(&mut r1, 11)"
            ]
        );
    }
}

mod bounded {
    use super::*;

    pub(super) const MOST: u64 = 100;

    pub(super) struct Account {
        balance: u64,
    }

    #[contract]
    impl Account {
        #[requires(balance <= MOST)]
        pub fn open(#[from(0..=MOST)] balance: u64) -> Self {
            Account { balance }
        }

        #[requires(amount <= self.balance)]
        #[ensures(self.balance + to.balance == old(self.balance + to.balance))]
        pub fn transfer(&mut self, to: &mut Account, #[from(1..=MOST)] amount: u64) -> bool {
            self.balance -= amount;
            // Money that does not fit is lost.
            to.balance = (to.balance + amount).min(MOST);
            true
        }
    }
}

#[test]
fn a_transfer_to_a_full_account_loses_money() {
    // So many because some programs fill the account by a transfer first: what that has brought must
    // be put in at the beginning before it can go.
    for seed in 0..100 {
        let report = check_calls::<bounded::Account>(seed);
        let clause = "self.balance + to.balance == old(self.balance + to.balance)";
        assert_eq!(identity(&report), format!("ensures `{clause}` of transfer"));
        // Two accounts that are not the same.
        let program = program(&report);
        assert_eq!(program.len(), 3, "{program:?}");
        let is_between =
            ["(&mut r1, &mut r2, ", "(&mut r2, &mut r1, "].iter().any(|s| program[2].contains(s));
        assert!(is_between, "{program:?}");
    }
}

mod unlimited {
    use super::*;

    pub(super) struct Account {
        balance: u64,
    }

    #[contract]
    impl Account {
        pub fn open() -> Account {
            Account { balance: 0 }
        }

        pub fn deposit(&mut self, amount: u64) {
            self.balance += amount;
        }
    }
}

#[test]
fn an_overflow_is_found_where_it_is() {
    let report = check_calls::<unlimited::Account>(1);
    assert!(identity(&report).starts_with("panic at "), "{report}");
    let program = program(&report);
    assert_eq!(program.len(), 3, "{program:?}");
    assert_eq!(program[0], "r1 = Account::open()");
}

/// The queue of figure 3.12: `pop` of a queue with more than one element gives 0.
mod queue {
    use super::*;
    use std::collections::VecDeque;

    pub(super) struct Queue {
        items: VecDeque<i32>,
    }

    #[contract]
    impl Queue {
        pub fn empty() -> Queue {
            Queue { items: VecDeque::new() }
        }

        pub fn push(&mut self, value: i32) {
            self.items.push_back(value);
        }

        #[requires(!self.items.is_empty())]
        #[ensures(Some(*result) == old(self.items.front().copied()))]
        pub fn pop(&mut self) -> i32 {
            let front = self.items.pop_front().expect("it is not empty");
            if self.items.is_empty() { front } else { 0 }
        }
    }
}

/// Figure 3.13b: a value popped from another queue is replaced by a number, and that queue goes.
#[test]
fn a_queue_that_only_supplies_a_value_disappears() {
    for seed in 0..20 {
        let report = check_calls::<queue::Queue>(seed);
        let program = program(&report);
        assert_eq!(
            program,
            [
                "r1 = Queue::empty()",
                "r2 = Queue::push(&mut r1, 1)",
                "r3 = Queue::push(&mut r1, 0)",
                "r4 = Queue::pop(&mut r1)"
            ],
            "seed {seed}"
        );
    }
}

mod nested {
    use super::*;

    pub(super) struct Counter {
        n: u32,
    }

    #[contract]
    impl Counter {
        pub fn new() -> Self {
            Counter { n: 0 }
        }

        #[requires(self.n > 0)]
        fn lower(&mut self) {
            self.n = self.n.saturating_sub(1);
        }

        pub fn reset(&mut self) {
            self.lower();
        }
    }
}

#[test]
fn a_nested_call_without_what_it_requires_is_its_callers_failure() {
    let report = check_calls::<nested::Counter>(3);
    assert_eq!(identity(&report), "requires `self.n > 0` of lower");
    let failure = &report.counterexample().unwrap().failure;
    assert_eq!(
        failure_words::message(failure),
        "`lower` was called, but its precondition does not hold: self.n > 0\n  self.n = 0"
    );
    assert!(failure.place.as_ref().is_some_and(|place| place.file.ends_with("contracts.rs")), "{failure:?}");
    assert_eq!(program(&report), ["r1 = Counter::new()", "r2 = Counter::reset(&mut r1)"]);
}

#[test]
#[should_panic(expected = "`lower` was called, but its precondition does not hold: self.n > 0")]
fn contracts_are_checked_outside_of_programs_too() {
    nested::Counter::new().reset();
}

mod quiet {
    use super::*;

    pub(super) struct Number(u32);

    #[contract]
    impl Number {
        pub(crate) const fn new(n: u32) -> Self {
            Number(n)
        }

        /// Checked, this would never end, and never hold.
        #[requires(self.get() == self.0)]
        #[ensures(self.get() > u32::MAX - 1)]
        #[ensures(*result == self.get())]
        fn get(&self) -> u32 {
            self.0
        }

        #[ensures(self.get() == old(self.get()).wrapping_add(1) && matches!(result, Some(n) if *n == old(self.0)))]
        pub fn add(&mut self) -> Option<u32> {
            let before = self.0;
            self.0 = before.wrapping_add(1);
            Some(before)
        }
    }
}

#[test]
fn clauses_do_not_check_contracts() {
    let report = check_calls::<quiet::Number>(4);
    assert!(report.is_success(), "{report}");
    assert_eq!(report.result.statistics.program.names, ["Number::new", "Number::add"]);
}

mod invariants {
    use super::*;

    pub(super) struct Even(u8);

    #[contract]
    impl Even {
        pub fn new(#[from(0..=2)] n: u8) -> Option<Even> {
            n.is_multiple_of(2).then_some(Even(n))
        }

        pub fn half(&mut self) {
            self.0 /= 2;
        }

        #[invariant]
        fn is_even(&self) -> bool {
            self.0.is_multiple_of(2)
        }
    }
}

#[test]
fn invariants_hold_after_every_call() {
    let report = check_calls::<invariants::Even>(5);
    assert_eq!(identity(&report), "invariant is_even");
    let message = failure_words::message(&report.counterexample().unwrap().failure);
    assert!(message.starts_with("the invariant `is_even` does not hold after `half`"), "{message}");
    assert_eq!(program(&report), ["r1 = Even::new(2)", "r2 = Even::half(&mut r1)"]);
}

mod consumed {
    use super::*;

    /// Can be passed once.
    pub(super) struct Ticket(bool);
    pub(super) struct Gate;

    #[contract]
    impl Ticket {
        pub fn buy() -> Result<Ticket, String> {
            Ok(Ticket(true))
        }

        #[requires(self.0)]
        pub fn stamp(&mut self) {
            self.0 = false;
        }
    }

    #[contract]
    impl Gate {
        pub fn build() -> Self {
            Gate
        }

        #[requires(!ticket.0)]
        pub fn pass(&self, ticket: Ticket) {
            assert!(!ticket.0);
        }
    }
}

#[test]
fn a_result_passed_by_value_is_gone_and_a_refused_one_is_not() {
    type Both = (consumed::Ticket, consumed::Gate);
    let settings = Settings::new().cases(300).seed(6).without_regressions();
    let report = Checker::contracts::<Both>().settings(settings).demand_all().report();
    assert!(report.is_success(), "{report}");
    let counts = &report.result.statistics.program;
    assert_eq!(counts.names, ["Ticket::buy", "Ticket::stamp", "Gate::build", "Gate::pass"]);
    assert!(counts.n_done[3] <= counts.n_done[1] && counts.n_done[1] <= counts.n_done[0], "{counts:?}");
    assert!(counts.n_refused[1] > 0 && counts.n_refused[3] > 0, "{counts:?}");
}

#[contract]
mod free {
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct Pile(Vec<u8>);

    pub fn pile() -> Pile {
        Pile(Vec::new())
    }

    #[ensures(pile.0.len() == old(pile.0.len()) + 1)]
    pub fn lay(pile: &mut Pile, card: u8) {
        if card != 7 {
            pile.0.push(card);
        }
    }

    #[ensures(*result == old(a.0.len() + b.0.len()))]
    pub fn both(a: Pile, b: &Pile) -> usize {
        a.0.len() + b.0.len()
    }
}

#[test]
fn free_functions_have_contracts_too() {
    let report = check_calls::<free::Contracts>(7);
    assert_eq!(identity(&report), "ensures `pile.0.len() == old(pile.0.len()) + 1` of lay");
    assert_eq!(program(&report), ["r1 = pile()", "r2 = lay(&mut r1, 7)"]);
}

/// Not for all types at once: programs are for one of them.
struct Stack<T> {
    items: Vec<T>,
}

#[contract]
impl<T: PartialEq + Clone> Stack<T> {
    pub fn new() -> Self {
        Stack { items: Vec::new() }
    }

    #[ensures(self.items.last() == Some(&old(item.clone())))]
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    pub fn last(&self) -> Option<&T> {
        self.items.last()
    }

    pub fn last_mut(&mut self) -> Option<&mut T> {
        self.items.last_mut()
    }

    pub fn extend(&mut self, others: &[T]) {
        self.items.extend_from_slice(others);
    }

    #[invariant]
    fn is_short(&self) -> bool {
        self.items.len() < 3
    }
}

#[test]
fn generic_types_are_checked_for_a_type() {
    let report = check_calls::<Stack<u16>>(8);
    assert_eq!(identity(&report), "invariant is_short");
    let program = program(&report);
    assert_eq!(program[0], "r1 = Stack::new()");
    assert!(program[1..].iter().all(|step| step.contains("(&mut r1, ")), "{program:?}");
}

#[test]
fn a_panic_in_a_clause_is_the_specifications_fault() {
    struct Odd {
        _n: u8,
    }

    #[contract]
    impl Odd {
        #[requires(100 / n > 0)]
        pub fn new(n: u8) -> Self {
            Odd { _n: n }
        }
    }
    let report = check_calls::<Odd>(9);
    assert!(identity(&report).starts_with("panic in the specification at "), "{report}");
    assert_eq!(program(&report), ["r1 = Odd::new(0)"]);
}

#[test]
#[should_panic(expected = "was dropped without `run` or `report`")]
fn a_checker_that_is_not_run_says_so() {
    drop(Checker::contracts::<nested::Counter>());
}

#[test]
fn the_report_names_the_clause() {
    let report = check_calls::<invariants::Even>(5).to_string();
    assert!(report.contains("the invariant `is_even` does not hold after `half`"), "{report}");
}

#[test]
#[ignore = "fails, on purpose"]
fn counter_keeps_its_contracts() {
    check_contracts::<nested::Counter>();
}

#[test]
fn a_failure_is_stored_and_replayed() {
    let specimen = Specimen::new("counter_keeps_its_contracts");
    let first = specimen.failing_report();
    assert!(first.contains("`lower` was called, but its precondition does not hold: self.n > 0"), "{first}");
    let again = specimen.failing_report();
    assert!(again.contains("replayed from a stored failure"), "{again}");
    let replay = first.split("STAIRWAY_REPLAY='").nth(1).and_then(|rest| rest.split('\'').next()).unwrap();
    let replayed = Specimen::new("counter_keeps_its_contracts").set("STAIRWAY_REPLAY", replay);
    let replayed = replayed.failing_report();
    assert!(replayed.contains("replayed from STAIRWAY_REPLAY"), "{replayed}");
}

#[test]
fn isolated_programs_fail_by_the_same_clause() {
    let specimen = Specimen::new("counter_in_a_process_of_its_own");
    let report = specimen.failing_report();
    assert!(
        report.contains(
            "`lower` was called, but its precondition does not hold: self.n > 0\n    self.n = 0\n  at "
        ),
        "{report}"
    );
}

#[test]
fn backtraces_have_the_names_that_were_written() {
    let specimen = Specimen::new("counter_keeps_its_contracts").set("RUST_BACKTRACE", "1");
    let report = specimen.failing_report();
    for name in ["contracts::nested::Counter::lower", "contracts::nested::Counter::reset"] {
        assert_eq!(report.matches(name).count(), 1, "{report}");
    }
    for ours in ["__ensured_", "__attempt_", "__unchecked_", "call_once", "stairway_engine"] {
        assert!(!report.contains(ours), "{report}");
    }
}

#[test]
#[ignore = "fails, on purpose"]
fn counter_in_a_process_of_its_own() {
    Checker::contracts::<nested::Counter>().settings(Settings::new().isolate()).run();
}

#[test]
fn programs_are_the_same_for_any_number_of_threads() {
    let report = |jobs| {
        let settings = Settings::new().cases(500).seed(2).jobs(jobs).without_regressions();
        Checker::contracts::<queue::Queue>().settings(settings).report()
    };
    assert_eq!(program(&report(1)), program(&report(2)));
}

#[test]
fn without_a_constructor_nothing_can_be_called() {
    struct Lonely;

    #[contract]
    impl Lonely {
        pub fn look(&self) {}
    }
    Lonely.look();
    let report = check_calls::<Lonely>(1);
    assert_eq!(identity(&report), "nothing can be called");
}

/// Lists that must not be mixed.
mod lists {
    use super::*;

    #[derive(Debug)]
    pub(super) struct List {
        items: Vec<u8>,
    }

    #[contract]
    impl List {
        pub fn new() -> List {
            List { items: Vec::new() }
        }

        pub fn push(&mut self, item: u8) -> usize {
            self.items.push(item);
            self.items.len()
        }

        /// Gives the wrong item where there are three.
        #[requires(at < self.items.len())]
        #[ensures({
            let mut items = old(self.items.clone());
            let removed = items.remove(at);
            // One that is long enough not to fit on one line.
            self.items == items && *result == removed
        })]
        pub fn remove(&mut self, at: usize) -> u8 {
            let at = if self.items.len() == 3 { 0 } else { at };
            self.items.remove(at)
        }

        pub fn append(&mut self, other: &List) {
            self.items.extend(&other.items);
        }
    }
}

#[test]
fn results_are_called_by_their_names_and_clauses_are_said_once() {
    let mut report = check_calls::<lists::List>(1);
    let clause =
        "{ let mut items = old(self.items.clone()); let removed = items.remove(at); // One that is long ..";
    assert_eq!(identity(&report), format!("ensures `{clause} (169 characters)` of remove"));
    if let Outcome::Falsified(found) = &mut report.result.outcome {
        // There is a backtrace if RUST_BACKTRACE asks for one.
        found.failure.details.clear();
    }
    insta::assert_snapshot!("a_clause_of_several_lines", without_places(&report.to_string(), None));
}

/// Everything can be called once there are two lists.
#[test]
fn constructors_are_rare_once_there_is_enough_to_call_everything() {
    let settings = Settings::new().cases(300).seed(3).without_regressions();
    let report = Checker::contracts::<fine::Pair>().settings(settings).report();
    assert!(report.is_success(), "{report}");
    let counts = &report.result.statistics.program;
    assert_eq!(counts.names, ["Pair::new", "Pair::swap"]);
    let (made, swapped, impossible) = (counts.n_done[0], counts.n_done[1], counts.n_impossible[1]);
    // Nothing else is possible before, and that is over after two steps.
    assert!(impossible <= 600, "{counts:?}");
    assert!(made - impossible < swapped / 3, "{counts:?}");
}

mod fine {
    use super::*;

    pub(super) struct Pair(u8);

    #[contract]
    impl Pair {
        pub fn new(n: u8) -> Pair {
            Pair(n)
        }

        #[ensures(self.0 == old(other.0) && other.0 == old(self.0))]
        pub fn swap(&mut self, other: &mut Pair) {
            std::mem::swap(&mut self.0, &mut other.0);
        }
    }
}

/// A type with functions that no program can call.
mod uncalled {
    use super::*;

    pub(super) struct Shelf(Vec<u8>);

    #[contract]
    impl Shelf {
        pub fn new() -> Shelf {
            Shelf(Vec::new())
        }

        #[ensures(self.0.len() == old(self.0.len()) + 1)]
        pub fn put(&mut self, n: u8) {
            self.0.push(n);
        }

        pub fn fill<I: IntoIterator<Item = u8>>(&mut self, items: I) {
            self.0.extend(items);
        }

        pub fn each(&self, look: &dyn ToString) -> usize {
            self.0.len() + look.to_string().len()
        }

        #[invariant]
        fn is_small(&self) -> Result<(), String> {
            if self.0.len() < 1000 { Ok(()) } else { Err(format!("{} things", self.0.len())) }
        }
    }

    #[test]
    fn what_programs_could_not_call_is_reported_with_the_reason() {
        let report = Checker::contracts::<Shelf>().settings(Settings::new().without_regressions()).report();
        let text = report.to_string();
        assert!(report.is_success(), "{text}");
        assert!(text.contains("never called, because it is generic: Shelf::fill"), "{text}");
        assert!(text.contains("never called, because it takes a `dyn` argument: Shelf::each"), "{text}");
    }
}
