//! What the environment answers is drawn for each call of a contract, where that is asked for; and clauses may be
//! there for tests alone.

use super::program;
use stairway::prelude::*;

/// Counts what it has written, and what it has not.
#[derive(Debug)]
pub(crate) struct Counter {
    n: u32,
    n_written: u32,
}

#[cfg_attr(test, contract)]
impl Counter {
    pub fn new() -> Counter {
        Counter { n: 0, n_written: 0 }
    }

    #[cfg_attr(test, ensures(self.n == self.n_written))]
    pub fn add(&mut self, #[cfg_attr(test, from(1..=9u32))] n: u32) -> Result<(), &'static str> {
        self.n += n;
        stairway::ask("write", [Ok(()), Err("torn")])?;
        self.n_written = self.n;
        Ok(())
    }

    #[ensures(*result)]
    pub fn is_right(&self) -> bool {
        self.n == self.n_written
    }
}

#[test]
fn a_call_has_the_fault_that_it_needs() {
    for seed in 0..5 {
        let settings = Settings::new().seed(seed).without_regressions();
        let report = Checker::contracts::<Counter>().with_oracle().settings(settings).report();
        assert_eq!(program(&report), ["r1 = Counter::new()", "r2 = Counter::add(&mut r1, 1)"], "seed {seed}");
        let text = report.to_string();
        assert!(text.contains("the oracle said: write -> Err(\"torn\")"), "{text}");
        assert!(text.contains("let mut r1 = Counter::new();"), "nobody asked: {text}");
        assert!(text.contains("Oracle::of([1]).during(|| r1.add(1));"), "{text}");
    }
}

/// Writes in pieces, and miscounts when the last piece is torn.
#[derive(Debug)]
pub(crate) struct Pieces {
    n: u32,
    is_whole: bool,
}

#[contract]
impl Pieces {
    pub fn new() -> Pieces {
        Pieces { n: 0, is_whole: true }
    }

    #[ensures(self.is_whole)]
    pub fn write(&mut self) {
        let n_written = (0..30).take_while(|_| stairway::ask("piece", [true, false])).count();
        self.is_whole = n_written != 29;
        self.n += 1;
    }
}

#[test]
fn every_question_of_a_call_fails_once() {
    for seed in 0..5 {
        let settings = Settings::new().seed(seed).cases(2).without_regressions();
        let report = Checker::contracts::<Pieces>().each_fault().settings(settings).report();
        assert_eq!(program(&report), ["r1 = Pieces::new()", "r2 = Pieces::write(&mut r1)"], "seed {seed}");
        let text = report.to_string();
        assert!(text.contains("Oracle::after(29, [1]).during(|| r1.write());"), "{text}");
    }
}
