use stairway::prelude::*;

/// An account that may be overdrawn, down to a limit.
#[derive(Debug)]
pub struct Account {
    cents: i64,
    limit: i64,
}

#[contract]
impl Account {
    pub fn open(#[from(0..=500)] limit: i64) -> Account {
        Account { cents: 0, limit }
    }

    pub fn balance(&self) -> i64 {
        self.cents
    }

    #[ensures(self.balance() == old(self.balance()) + amount)]
    pub fn deposit(&mut self, #[from(1..=1000)] amount: i64) {
        self.cents += amount;
    }

    #[requires(amount <= self.balance() + self.limit)]
    #[ensures(self.balance() == old(self.balance()) - amount)]
    pub fn withdraw(&mut self, #[from(1..=1000)] amount: i64) {
        self.cents -= amount;
    }

    pub fn set_limit(&mut self, #[from(0..=500)] limit: i64) {
        self.limit = limit;
    }

    #[invariant]
    fn is_within_its_limit(&self) -> bool {
        self.cents >= -self.limit
    }
}

#[cfg(test)]
mod tests {
    #[test] #[ignore]
    fn accounts_keep_their_contracts() {
        stairway::check_contracts::<super::Account>();
    }
}
