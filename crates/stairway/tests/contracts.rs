//! Users rely on contracts being checked where they are written, and on programs of calls that
//! break them being found and shrunk to the shortest.

use stairway::prelude::*;
use stairway::{Contract, Report};

/// The program that breaks a contract, as `name(arguments) = answer` lines.
fn program(report: &Report) -> Vec<String> {
    let found = report.counterexample().unwrap_or_else(|| panic!("nothing was found: {report}"));
    let line = |step: &stairway::ShownStep| {
        let arguments: Vec<&str> = step.arguments.iter().map(|(_, value)| value.as_str()).collect();
        format!("r{} = {}({})", step.ordinal + 1, step.name, arguments.join(", "))
    };
    found.observed.steps.iter().map(line).collect()
}

fn identity(report: &Report) -> &str {
    &report.counterexample().expect("something was found").failure.identity
}

fn check_calls<C: Contract>(seed: u64) -> Report {
    let settings = Settings::new().cases(2000).seed(seed).without_regressions();
    stairway::calls_checker::<C>().settings(settings).steps(30).report()
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
        assert_eq!(
            identity(&report),
            "ensures `self.balance() == old(self.balance()) - amount` of withdraw"
        );
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
