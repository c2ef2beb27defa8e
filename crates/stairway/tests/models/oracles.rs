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
