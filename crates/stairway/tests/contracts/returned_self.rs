//! Functions that return `&mut Self`, so that calls can be written in a row: their clauses speak of `self` all the
//! same, and so do invariants.

use super::{check_calls, identity, program};
use stairway::prelude::*;

mod request {
    use super::*;

    #[derive(Debug, Default)]
    pub(super) struct Request {
        headers: Vec<u8>,
        n_bytes: usize,
    }

    #[contract]
    impl Request {
        pub fn new() -> Self {
            Request::default()
        }

        /// The third header is counted twice.
        #[ensures(self.n_bytes == old(self.n_bytes) + 1)]
        #[ensures(self.headers.last() == Some(&header))]
        pub fn header(&mut self, #[from(0..5)] header: u8) -> &mut Self {
            self.headers.push(header);
            self.n_bytes += if self.headers.len() == 3 { 2 } else { 1 };
            self
        }
    }
}

#[test]
fn a_clause_mentions_self_after_a_call_that_returns_it() {
    for seed in 0..5 {
        let report = check_calls::<request::Request>(seed);
        assert_eq!(
            identity(&report),
            "ensures `self.n_bytes == old(self.n_bytes) + 1` of header",
            "{report}"
        );
        assert_eq!(
            program(&report),
            [
                "r1 = Request::new()",
                "r2 = Request::header(&mut r1, 0)",
                "r3 = Request::header(&mut r1, 0)",
                "r4 = Request::header(&mut r1, 0)"
            ],
            "{report}"
        );
    }
}

mod canvas {
    use super::*;

    #[derive(Debug, Default)]
    pub(super) struct Canvas {
        width: u8,
        at: u8,
    }

    #[contract]
    impl Canvas {
        pub fn new() -> Self {
            Canvas { width: 9, at: 0 }
        }

        pub fn right(&mut self, #[from(0..=4)] n: u8) -> &mut Self {
            self.at += n;
            self
        }

        #[invariant]
        fn is_inside(&self) -> bool {
            self.at <= self.width
        }
    }
}

#[test]
fn an_invariant_is_checked_after_a_call_that_returns_self() {
    let report = check_calls::<canvas::Canvas>(1);
    assert_eq!(identity(&report), "invariant is_inside", "{report}");
    assert_eq!(program(&report).len(), 4, "{report}");
}

mod chain {
    use super::*;

    #[derive(Debug, Default)]
    pub(super) struct Chain {
        value: u8,
        rest: Option<Box<Chain>>,
    }

    #[contract]
    impl Chain {
        pub fn new() -> Self {
            Chain::default()
        }

        #[ensures(self.value == 0)]
        pub fn rest(&mut self) -> &mut Self {
            self.rest.get_or_insert_with(Box::default)
        }
    }
}

#[test]
#[should_panic(expected = "a clause of `rest` mentions `self`, but the call returned another value")]
fn self_that_nobody_can_look_at_is_not_mistaken_for_the_result() {
    chain::Chain::new().rest();
}
