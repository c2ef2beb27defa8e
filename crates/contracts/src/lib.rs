//! The attribute `#[contract]` for production code, so that the test library stays a dev-dependency.
//!
//! ```toml
//! [dependencies]
//! stairway-contracts = "0.1"
//!
//! [dev-dependencies]
//! stairway = "0.1"
//! ```
//!
//! In tests (`cfg(test)`) the functions check what they require and ensure, and `stairway::check_contracts`
//! calls them at random. In every other build the block is what it would be without the attribute, and
//! nothing of Stairway is compiled into it.
//!
//! ```
//! use stairway_contracts::contract;
//!
//! pub struct Account {
//!     cents: u64,
//! }
//!
//! #[contract]
//! impl Account {
//!     pub fn open() -> Account {
//!         Account { cents: 0 }
//!     }
//!
//!     #[ensures(self.cents == old(self.cents) + amount)]
//!     pub fn deposit(&mut self, #[from(0..1000)] amount: u64) {
//!         self.cents += amount;
//!     }
//! }
//!
//! let mut account = Account::open();
//! account.deposit(5);
//! assert_eq!(account.cents, 5);
//! ```
//!
//! Integration tests see a crate without `cfg(test)`, and so without checks. There,
//! `#[contract(of = bank::Account)]` on a trait lists the functions together with their contracts; see the
//! chapter on programs of calls in Stairway's book.
#![no_std]

pub use stairway_macros::contract;

#[cfg(test)]
extern crate std;

#[cfg(test)]
mod tests {
    use super::contract;

    struct Tank(u32);

    #[contract]
    impl Tank {
        pub fn new() -> Tank {
            Tank(0)
        }

        #[ensures(self.0 >= old(self.0))]
        pub fn fill(&mut self, #[from(0..9)] litres: u32) {
            self.0 = (self.0 + litres) % 30;
        }
    }

    /// A crate that depends on this one, and on `stairway` in its tests, has its contracts checked there.
    #[test]
    fn contracts_are_checked_in_tests() {
        let settings = stairway::Settings::new().seed(1).without_regressions();
        let report = stairway::Checker::contracts::<Tank>().settings(settings).report();
        assert!(std::format!("{report}").contains("self.0 >= old(self.0)"), "{report}");
    }
}
