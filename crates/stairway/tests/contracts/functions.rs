//! Parameters that are functions get drawn ones: mistakes that only some functions show are found, and the closure
//! that shows them is printed.
#![allow(clippy::type_complexity, reason = "types of parameters as people write them")]

use super::{check_calls, identity, program};
use stairway::prelude::*;

mod list {
    use super::*;

    #[derive(Debug, Default)]
    pub(super) struct List(Vec<u8>);

    #[contract]
    impl List {
        pub fn new() -> Self {
            List::default()
        }

        #[requires(self.0.len() < 4)]
        pub fn push(&mut self, #[from(0..5)] v: u8) {
            self.0.push(v);
        }

        /// Looks at every second element only, once one is gone.
        #[ensures(self.0.iter().all(|v| keep(v)))]
        pub fn retain(&mut self, keep: &dyn Fn(&u8) -> bool) {
            let mut at = 0;
            while at < self.0.len() {
                if !keep(&self.0[at]) {
                    self.0.remove(at);
                }
                at += 1;
            }
        }
    }
}

#[test]
fn a_function_that_shows_the_mistake_is_found_and_printed() {
    for seed in 0..5 {
        let report = check_calls::<list::List>(seed);
        assert_eq!(identity(&report), "ensures `self.0.iter().all(|v| keep(v))` of retain", "{report}");
        assert_eq!(
            program(&report),
            [
                "r1 = List::new()",
                "r2 = List::push(&mut r1, 0)",
                "r3 = List::push(&mut r1, 0)",
                "r4 = List::retain(&mut r1, &|_| false)"
            ],
            "{report}"
        );
        let test = report.test().expect("a test to paste");
        assert!(test.contains("r1.retain(&|_| false);"), "{test}");
    }
}

mod sorted {
    use super::*;

    /// A mistake that needs a function with two results.
    #[derive(Debug, Default)]
    pub(super) struct Pair(u8, u8);

    #[contract]
    impl Pair {
        pub fn new() -> Self {
            Pair(3, 5)
        }

        #[ensures(score(self.0) <= score(self.1))]
        pub fn sort<F>(&mut self, score: &F)
        where
            F: Fn(u8) -> u8 + Send + 'static,
        {
            if score(self.0) > score(self.1) && score(self.1) > 0 {
                std::mem::swap(&mut self.0, &mut self.1);
            }
        }
    }
}

#[test]
fn a_function_of_its_argument_is_printed_as_such() {
    let report = check_calls::<sorted::Pair>(1);
    assert_eq!(identity(&report), "ensures `score(self.0) <= score(self.1)` of sort", "{report}");
    let test = report.test().expect("a test to paste");
    assert!(test.contains("r1.sort(&|a| if a == 5 { 0 } else { 1 });"), "{test}");
}

/// While a case is shrunk nothing of it is shown, and a function must answer then as it did before.
#[test]
fn a_program_with_functions_is_shrunk_as_others_are() {
    for seed in 1..=10 {
        let report = check_calls::<sorted::Pair>(seed);
        // One function, written in two ways.
        let functions = ["|a| if a == 5 { 0 } else { 1 }", "|a| if a == 3 { 1 } else { 0 }"];
        let sorts = functions.map(|function| format!("r2 = Pair::sort(&mut r1, &{function})"));
        let program = program(&report);
        assert!(program.len() == 2 && sorts.contains(&program[1]), "{report}");
    }
}

mod every_form {
    use super::*;
    use std::rc::Rc;
    use std::sync::Arc;

    #[derive(Debug, Default)]
    pub(super) struct Forms(Vec<u8>);

    /// Cannot be drawn.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Token;

    #[contract]
    impl Forms {
        pub fn new() -> Self {
            Forms(vec![1, 2, 3])
        }

        pub fn shared(&self, f: &dyn Fn(&u8) -> bool) -> usize {
            self.0.iter().filter(|v| f(v)).count()
        }

        pub fn mutable(&mut self, f: &mut dyn FnMut(u8) -> u8) {
            self.0.iter_mut().for_each(|v| *v = f(*v));
        }

        pub fn once(&mut self, f: impl FnOnce() -> Vec<u8>) {
            self.0 = f();
        }

        pub fn boxed(&self, f: Box<dyn Fn(u8, &str) -> Option<u8> + Send>) -> usize {
            self.0.iter().filter_map(|v| f(*v, "x")).count()
        }

        pub fn counted(
            &self,
            f: Rc<dyn Fn(u8) -> bool>,
            g: Arc<dyn Fn(&[u8]) -> bool + Send + Sync>,
        ) -> bool {
            g(&self.0) && self.0.iter().all(|v| f(*v))
        }

        #[ensures(self.0.len() == old(self.0.len()))]
        pub fn each<F: FnMut(&mut u8)>(&mut self, f: F) {
            self.0.iter_mut().for_each(f);
        }

        pub fn maybe(&mut self, f: Option<impl Fn(&u8) -> u8>) -> u8 {
            f.map_or(0, |f| self.0.iter().map(f).fold(0, u8::wrapping_add))
        }

        pub fn maybe_lent(&self, f: Option<&dyn Fn(u8) -> bool>) -> bool {
            f.is_some_and(|f| f(1))
        }

        pub fn pointer(&self, f: fn(u8) -> u64) -> Vec<u64> {
            self.0.iter().copied().map(f).collect()
        }

        pub fn maybe_pointer(&self, f: Option<fn(&u8) -> bool>) -> usize {
            f.map_or(0, |f| self.0.iter().filter(|v| f(v)).count())
        }

        pub fn undrawn(&self, f: impl Fn(u8) -> Token) -> Token {
            f(1)
        }

        pub fn borrowing(&self, f: impl Fn(&u8) -> &u8) -> u8 {
            *f(&self.0[0])
        }

        pub fn copied(&self, f: impl Fn(u8) -> u8 + Copy) -> u8 {
            f(1)
        }

        pub fn open<T: Clone>(&self, f: impl Fn(u8) -> T) -> T {
            f(1)
        }
    }
}

#[test]
fn functions_are_passed_in_every_form() {
    let report = check_calls::<every_form::Forms>(1);
    assert!(report.counterexample().is_none(), "{report}");
    let uncalled: Vec<(&str, &str)> = report.uncalled.clone();
    assert_eq!(
        uncalled,
        [
            ("Forms::borrowing", "it takes an `impl` argument"),
            ("Forms::copied", "it takes an `impl` argument"),
            ("Forms::open", "it is generic"),
            ("Forms::undrawn", "what its function returns cannot be drawn: derive `Arbitrary` for that"),
        ]
    );
    let text = report.to_string();
    for called in ["shared", "mutable", "once", "boxed", "counted", "each", "maybe", "maybe_lent", "pointer"]
    {
        assert!(text.contains(&format!("Forms::{called}")), "{called} was not called: {text}");
    }
}

mod pointers {
    use super::*;

    /// Keeps what it is given.
    #[derive(Debug, Default)]
    pub(super) struct Hooks(Vec<fn(u8) -> u8>);

    #[contract]
    impl Hooks {
        pub fn new() -> Self {
            Hooks::default()
        }

        pub fn add(&mut self, hook: fn(u8) -> u8) {
            self.0.push(hook);
        }

        #[ensures(*result < 7)]
        pub fn sum(&self) -> u32 {
            self.0.iter().map(|hook| u32::from(hook(3))).sum()
        }
    }
}

#[test]
fn a_pointer_that_is_kept_keeps_its_function() {
    let report = check_calls::<pointers::Hooks>(1);
    assert_eq!(
        program(&report),
        ["r1 = Hooks::new()", "r2 = Hooks::add(&mut r1, |_| 7)", "r3 = Hooks::sum(&r1)"],
        "{report}"
    );
}

mod panicking {
    use super::*;

    #[derive(Debug, Default)]
    pub(super) struct Cell(u8);

    #[contract]
    impl Cell {
        pub fn new() -> Self {
            Cell::default()
        }

        pub fn update(&mut self, f: impl FnOnce(&mut u8) -> bool) {
            assert!(!f(&mut self.0) || self.0 < 100, "too large");
        }
    }
}

#[test]
fn a_call_that_panics_shows_what_its_function_did() {
    let report = check_calls::<panicking::Cell>(1);
    assert_eq!(
        program(&report),
        ["r1 = Cell::new()", "r2 = Cell::update(&mut r1, |a| { *a = 100; true })"],
        "{report}"
    );
}
