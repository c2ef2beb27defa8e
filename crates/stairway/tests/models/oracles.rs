//! What the environment answers belongs to the step in which it is asked: an operation with an oracle puts it in
//! charge of the model and of the system, and a counterexample has the faults that it needs and no other.

use super::{falsified, program};
use stairway::prelude::*;
use stairway::{Report, ask};

/// Writes blocks twice, and believes the second copy to be there when the first one is.
#[derive(Debug, Default)]
struct Mirror {
    first: Vec<u8>,
    second: Vec<u8>,
    name: String,
}

impl Mirror {
    fn write(&mut self, block: u8) -> Result<(), String> {
        ask("first copy", [Ok(()), Err("broken\ncable".to_string())])?;
        self.first.push(block);
        if ask("second copy", [true, false]) {
            self.second.push(block);
        }
        Ok(())
    }

    fn repair(&mut self) -> &str {
        if ask("repair", [true, false]) {
            self.second = self.first.clone();
        }
        &self.name
    }

    fn lost(&self) -> Option<&u8> {
        assert!(self.first.len() < self.second.len() + 3, "three blocks have one copy");
        None
    }

    async fn flush(&mut self) -> bool {
        ask("flush", [true, false])
    }
}

#[derive(Debug, Default)]
struct Blocks(Vec<u8>);

#[model(system = Mirror)]
impl Blocks {
    #[start]
    fn new() -> (Blocks, Mirror) {
        Default::default()
    }

    #[op]
    fn write(&mut self, block: u8, oracle: Oracle) -> Result<(), String> {
        ask("first copy", [Ok(()), Err("broken\ncable".to_string())])?;
        self.0.push(block);
        Ok(())
    }

    #[op]
    fn repair(&self, _oracle: Oracle) -> String {
        String::new()
    }

    #[op(call = system.lost().copied())]
    fn lost(&self, oracle: Oracle) -> Option<u8> {
        None
    }

    #[op(awaits)]
    fn flush(&self, oracle: Oracle) -> bool {
        ask("flush", [true, false])
    }
}

fn found(seed: u64) -> Report {
    let settings = Settings::new().seed(seed).cases(4000).without_regressions();
    Blocks::checker().settings(settings).report()
}

#[test]
fn a_counterexample_has_the_faults_that_it_needs() {
    for seed in 0..10 {
        let report = found(seed);
        let steps = program(falsified(&report));
        assert_eq!(steps.len(), 4, "seed {seed}: {report}");
        assert_eq!(steps[..3], ["write(0, Oracle::of([0, 1])) -> Ok(())"; 3], "seed {seed}");
        assert_eq!(steps[3], "lost(Oracle::calm()) -> ", "seed {seed}");
    }
}

#[test]
fn the_report_says_what_the_oracle_said() {
    let report = found(1).to_string();
    let expected = "  1. write(0, Oracle::of([0, 1]))  -> Ok(())\n     \
                    the oracle said: first copy -> Ok(()), second copy -> false\n";
    assert!(report.contains(expected), "{report}");
    assert!(
        report.contains("assert_eq!(Oracle::of([0, 1]).during(|| system.write(0)), Ok(()));"),
        "{report}"
    );
    assert!(report.contains("Oracle::calm().during(|| system.lost().copied()); // panics here"), "{report}");
}

#[test]
fn without_an_oracle_the_message_says_how_to_have_one() {
    let none = std::panic::catch_unwind(|| ask("first copy", [0, 1])).expect_err("nobody is in charge");
    let said = none.downcast_ref::<String>().expect("it is a text");
    assert!(said.contains("give the operation or refinement a parameter `oracle: Oracle`"), "{said}");
}

/// Falls as the environment says.
struct Coin;

impl Coin {
    fn flip(&mut self) -> u8 {
        ask("side", [0, 1, 2])
    }
}

struct AnySide;

#[model(system = Coin)]
impl AnySide {
    #[start]
    fn new() -> (AnySide, Coin) {
        (AnySide, Coin)
    }

    #[op]
    fn flip(&self, oracle: Oracle) -> u8 {
        ask("side", [0, 1, 2])
    }
}

laws! { AnySide:
    both_sides_of_a_law_hear_the_same(oracle: Oracle): [x = flip(oracle)] == [x = flip(oracle)];
}

laws! { AnySide:
    #[ignore = "it is wrong"]
    another_oracle_says_something_else(one: Oracle, two: Oracle): [x = flip(one)] == [x = flip(two)];
}

#[test]
fn a_law_that_an_oracle_breaks_has_the_fault_it_needs() {
    let settings = Settings::new().seed(1).without_regressions();
    let report = another_oracle_says_something_else_law().settings(settings).report().to_string();
    assert!(report.contains("Oracle::calm().during(|| system.flip())"), "{report}");
    assert!(report.contains("Oracle::of([1]).during(|| system.flip())"), "{report}");
}

/// Writes ten blocks for each value, and forgets to take back the seventh.
#[derive(Debug, Default)]
struct Journal {
    n_blocks: usize,
}

impl Journal {
    fn append(&mut self) -> bool {
        let before = self.n_blocks;
        for n in 0..40 {
            if !ask("write", [true, false]) {
                self.n_blocks = if n == 37 { before + 1 } else { before };
                return false;
            }
            self.n_blocks += 1;
        }
        true
    }

    fn n_blocks(&self) -> usize {
        self.n_blocks
    }
}

#[derive(Debug, Default)]
struct Values(usize);

#[model(system = Journal)]
impl Values {
    #[start]
    fn new() -> (Values, Journal) {
        Default::default()
    }

    #[op]
    fn append(&mut self, oracle: Oracle) -> bool {
        let is_written = (0..40).all(|_| ask("write", [true, false]));
        self.0 += usize::from(is_written);
        is_written
    }

    #[op]
    fn n_blocks(&self) -> usize {
        40 * self.0
    }
}

#[test]
fn every_question_of_a_program_fails_once() {
    for seed in 0..10 {
        let settings = Settings::new().seed(seed).cases(3).without_regressions();
        let report = Values::checker().settings(settings).each_fault().report();
        let steps = program(falsified(&report));
        assert_eq!(steps, ["append(Oracle::after(37, [1])) -> false", "n_blocks() -> 1"], "seed {seed}");
    }
}

#[test]
fn a_failure_under_one_fault_is_replayed() {
    let settings = || Settings::new().seed(1).cases(3).without_regressions();
    let report = Values::checker().settings(settings()).each_fault().report();
    let line = stairway::report::choice_line(&falsified(&report).recording.choices);
    let again = Values::checker().settings(settings().replay(line)).report();
    assert_eq!(program(falsified(&again)), program(falsified(&report)));
}

/// Never asks.
struct Deaf;

impl Deaf {
    fn flip(&mut self) -> u8 {
        0
    }
}

#[derive(Debug)]
struct Zero;

#[model(system = Deaf)]
impl Zero {
    #[start]
    fn new() -> (Zero, Deaf) {
        (Zero, Deaf)
    }

    #[op]
    fn flip(&self, oracle: Oracle) -> u8 {
        0
    }
}

#[test]
fn what_nobody_asks_cannot_fail() {
    let settings = Settings::new().seed(1).without_regressions();
    let report = Zero::checker().settings(settings).each_fault().report();
    assert!(!report.is_success(), "{report}");
    assert!(report.to_string().contains("programs that ask the oracle"), "{report}");
}
