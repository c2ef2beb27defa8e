//! Users rely on contracts for types that they cannot change, and for their own from the tests alone: listed in a trait, checked by
//! programs, and printed as a test that fails by itself.

use stairway::Checker;
use stairway::prelude::*;
use stairway::report::{Outcome, words as failure_words};
use std::collections::VecDeque;

/// Stands for another crate.
mod bank {
    #[derive(Debug)]
    pub(super) struct Account {
        cents: u64,
        n_payments: u32,
    }

    impl Account {
        pub(super) fn open() -> Account {
            Account { cents: 0, n_payments: 0 }
        }

        pub(super) fn deposit(&mut self, amount: u64) {
            self.cents += amount;
        }

        /// Takes a fee from the third payment on.
        pub(super) fn withdraw(&mut self, amount: u64) {
            self.n_payments += 1;
            self.cents -= amount;
            self.cents = self.cents.saturating_sub(u64::from(self.n_payments > 2));
        }

        pub(super) fn balance(&self) -> u64 {
            self.cents
        }
    }
}

#[contract(of = bank::Account)]
trait AccountContract {
    fn open() -> Self;

    #[ensures(self.balance() == old(self.balance()) + amount)]
    fn deposit(&mut self, #[from(0..1000)] amount: u64);

    #[requires(amount <= self.balance())]
    #[ensures(self.balance() == old(self.balance()) - amount)]
    fn withdraw(&mut self, #[from(0..1000)] amount: u64);

    fn balance(&self) -> u64;
}

#[contract(of = VecDeque<u8>)]
trait DequeContract {
    fn new() -> Self;

    #[ensures(self.len() == old(self.len()) + 1 && self.back() == Some(&v))]
    fn push_back(&mut self, v: u8);

    #[requires(self.holds_something())]
    #[ensures(*result == old(self.front().copied()))]
    fn pop_front(&mut self) -> Option<u8>;

    #[ensures(result.is_some() == self.holds_something())]
    fn front(&self) -> Option<&u8>;

    /// A method of a trait.
    fn extend_from(&mut self, others: &VecDeque<u8>) {
        self.extend(others);
    }

    fn append(&mut self, others: &mut VecDeque<u8>);

    fn holds_something(&self) -> bool {
        !self.is_empty()
    }

    #[invariant]
    fn fits(&self) -> bool {
        self.len() <= self.capacity()
    }
}

#[test]
fn contracts_of_another_crates_type_are_checked() {
    let settings = Settings::new().seed(1).without_regressions();
    let report = Checker::contracts::<AccountContract>().settings(settings).report();
    let Outcome::Falsified(found) = &report.result.outcome else { panic!("{report}") };
    let failure = failure_words::message(&found.failure);
    assert!(failure.contains("self.balance() == old(self.balance()) - amount"), "{failure}");
    let names: Vec<&str> = found.observed.steps.iter().map(|step| step.name).collect();
    let withdraw = "Account::withdraw";
    assert_eq!(names, ["Account::open", "Account::deposit", withdraw, withdraw, withdraw]);
    // The test calls functions that check their contracts, although the type's own do not.
    let test = report.test().expect("a test to paste");
    assert!(test.contains("let mut r1 = AccountContract::open();"), "{test}");
    assert!(test.contains("AccountContract::withdraw(&mut r1, 0);"), "{test}");
}

#[test]
#[should_panic(expected = "self.balance() == old(self.balance()) - amount")]
fn what_is_printed_fails_by_itself() {
    let mut account = AccountContract::open();
    AccountContract::deposit(&mut account, 1);
    for _ in 0..3 {
        AccountContract::withdraw(&mut account, 0);
    }
}

#[test]
fn a_chosen_instance_of_a_generic_type_keeps_its_contracts() {
    let settings = Settings::new().seed(1).without_regressions();
    let report = Checker::contracts::<DequeContract>().settings(settings).demand_all().report();
    assert!(matches!(report.result.outcome, Outcome::Passed), "{report}");
    let mut deque = DequeContract::new();
    DequeContract::push_back(&mut deque, 3);
    assert_eq!(DequeContract::front(&deque), Some(&3));
}

/// Another crate's async type.
mod remote {
    #[derive(Debug)]
    pub(super) struct Client(pub(super) u32);

    impl Client {
        pub(super) async fn connect() -> Result<Client, ()> {
            Ok(Client(0))
        }

        pub(super) async fn send(&mut self, n: u32) -> u32 {
            self.0 += n % 7;
            self.0
        }
    }
}

#[contract(of = remote::Client, executor = stairway::block_on)]
trait ClientContract {
    async fn connect() -> Result<Self, ()>;

    #[ensures(*result == old(self.0) + n)]
    async fn send(&mut self, #[from(0..100)] n: u32) -> u32;
}

#[test]
fn async_functions_keep_their_contracts_too() {
    let settings = Settings::new().seed(1).without_regressions();
    let report = Checker::contracts::<ClientContract>().settings(settings).report();
    let Outcome::Falsified(found) = &report.result.outcome else { panic!("{report}") };
    let names: Vec<&str> = found.observed.steps.iter().map(|step| step.name).collect();
    assert_eq!(names, ["Client::connect", "Client::send"]);
    assert_eq!(found.observed.steps[1].arguments[1].1, "7");
    let test = report.test().expect("a test to paste");
    assert!(test.contains("stairway::block_on(ClientContract::send(&mut r1, 7));"), "{test}");
}
