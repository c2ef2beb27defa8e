//! The account, and what each of its functions requires and ensures.

use crate::bug::Bug;
use stairway::contract;

/// An account with some money in it, until it is closed.
#[derive(Debug)]
pub struct Account {
    cents: u64,
    is_open: bool,
    bug: Bug,
}

/// Why money was not moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There is less than was asked for.
    NotEnough,
    /// The account that was to receive it is closed.
    Closed,
}

#[contract]
impl Account {
    /// Opens an account.
    #[ensures(result.is_open() && result.balance() == 0)]
    pub fn open() -> Account {
        Account { cents: 0, is_open: true, bug: Bug::planted() }
    }

    /// The money in it.
    pub fn balance(&self) -> u64 {
        self.cents
    }

    /// Whether it has not been closed.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Puts money in.
    #[requires(self.is_open())]
    #[ensures(self.balance() == old(self.balance()) + cents)]
    pub fn deposit(&mut self, #[from(0..1000)] cents: u64) {
        self.cents += cents;
    }

    /// Takes money out, if there is enough.
    ///
    /// # Errors
    /// If there is not.
    #[requires(self.is_open())]
    #[ensures(result.is_ok() == (cents <= old(self.balance())))]
    #[ensures(self.balance() == old(self.balance()) - if result.is_ok() { cents } else { 0 })]
    pub fn withdraw(&mut self, #[from(0..1000)] cents: u64) -> Result<(), Refused> {
        let keeps_the_last = self.bug == Bug::KeepsTheLast && cents == self.cents;
        if cents > self.cents || keeps_the_last {
            return Err(Refused::NotEnough);
        }
        self.cents -= cents;
        Ok(())
    }

    /// Moves money to another account, if there is enough and it is open.
    ///
    /// # Errors
    /// If one of the two is not so; then nothing is moved.
    #[requires(self.is_open())]
    #[ensures(self.balance() + to.balance() == old(self.balance() + to.balance()))]
    #[ensures(result.is_ok() == (to.is_open() && cents <= old(self.balance())))]
    #[ensures(result.is_err() || to.balance() == old(to.balance()) + cents)]
    pub fn transfer(&mut self, to: &mut Account, #[from(0..1000)] cents: u64) -> Result<(), Refused> {
        if cents > self.cents {
            return Err(Refused::NotEnough);
        }
        if self.bug == Bug::TakesFirst && !to.is_open {
            self.cents -= cents;
        }
        if !to.is_open {
            return Err(Refused::Closed);
        }
        self.cents -= cents;
        to.cents += cents;
        Ok(())
    }

    /// Closes it and pays out what was left.
    #[requires(self.is_open())]
    #[ensures(*result == old(self.balance()) && !self.is_open())]
    pub fn close(&mut self) -> u64 {
        self.is_open = false;
        let left = self.cents;
        if self.bug != Bug::PaysTwice {
            self.cents = 0;
        }
        left
    }

    /// Nothing is left behind.
    #[invariant]
    fn is_empty_when_closed(&self) -> bool {
        self.is_open || self.cents == 0
    }
}
