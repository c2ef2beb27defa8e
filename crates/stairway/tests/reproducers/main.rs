//! Users paste the test that a report prints: it must compile and fail as the report says. The
//! tests about a system alone are compiled with the system and nothing else; the others in a
//! crate of their own that has Stairway.
#![allow(unreachable_pub, reason = "the same files are crates of their own")]

#[path = "../common/mod.rs"]
mod common;
#[allow(clippy::unused_unit, clippy::semicolon_if_nothing_returned, reason = "users may write it")]
mod properties;
mod specifications;
mod systems;

use common::Specimen;
use specifications::{alone, beside, contracts, drivers, panicking, several};
use stairway::Report;
use stairway::prelude::*;
use stairway::program::ModelBuilder;
use std::path::{Path, PathBuf};
use std::process::Command;

macro_rules! found {
    ($checker:expr) => {
        $checker.settings(Settings::new().cases(3000).seed(1).without_regressions()).report()
    };
}

/// A report, and what the printed test must say when it fails.
type Claimed = (Report, &'static str);

fn alone() -> Vec<Claimed> {
    vec![
        (found!(alone::Fifo::checker()), "left: 0\n right: 2"),
        (found!(alone::Texts::checker()), "left: None\n right: Some("),
        (found!(alone::Cells::checker()), "left: 7\n right: 0"),
        (found!(alone::Rows::checker()), "assertion failed: [vec![vec![], vec![]]].contains(&system.rows())"),
        (found!(alone::Called::checker()), "left: 0\n right: 1"),
        (found!(alone::Passed::checker()), "left: 2\n right: 3"),
        (found!(alone::Adding::checker()), "five is too many"),
        (found!(alone::Waiting::checker()), "left: 3\n right: 4"),
        (found!(alone::Stopping::checker()), "left: 0\n right: 1"),
        (found!(alone::Listed::checker()), "assertion failed: [1, 2].contains(&system.roll())"),
        (found!(alone::Described::checker()), "left: 7\n right: 7"),
        (found!(alone::Wide::<u8>::checker()), "left: None\n right: Some(0)"),
        (found!(several::Pipes::checker()), "left: 1\n right: 0"),
        (found!(several::Crews::checker()), "left: 2\n right: 1"),
        (found!(alone::front_add_law()), "left: Some(1)\n right: Some(0)"),
        (found!(alone::add_remove_law()), "assertion `left == right` failed"),
        (found!(alone::is_never_empty_law()), "left: Some(0)\n right: Some(1)"),
        (found!(alone::Filled::checker()), "left: true\n right: false"),
        (found!(alone::lasting::putting_nothing_law()), "left: false\n right: true"),
        (found!(alone::results::given_back_law()), "left: 4\n right: 3"),
        (found!(panicking::adding_more_law()), "eight is too many"),
    ]
}

fn with_stairway() -> Vec<Claimed> {
    vec![
        (found!(beside::Bounded::checker()), "model.is_as_long(&system)"),
        (
            found!(beside::Summed::checker()),
            "assertion failed: model.0 == before.0 + i64::from(v) && (*result || v == 0)",
        ),
        (found!(beside::Heating::checker()), "right: Some(Heats)"),
        (found!(beside::Seen::checker()), "Seen::of(&system) == model"),
        (found!(beside::Related::checker()), "assertion failed: model.0.len() =="),
        (found!(beside::Sized::<2>::checker()), "left: 0\n right: 2"),
        (found!(beside::Late::checker()), "assertion failed: model.has_as_many(&system)"),
        (found!(beside::Rolled::checker()), "assertion failed: !before.0.contains(result)"),
        (found!(beside::Sizes::checker()), "assertion failed: model.size() == answer"),
        (found!(beside::Failing::checker()), "the model cannot count"),
        (found!(beside::Tank::checker().model_alone()), "model.is_not_full()"),
        (found!(beside::adding_twice_law()), "left: 2\n right: 3"),
        (found!(beside::Logged::checker()), "left: Ok(2)\n right: Ok(1)"),
        (found!(Checker::contracts::<contracts::Account>()), "`cash` does not ensure"),
        (found!(Checker::contracts::<contracts::Bag>()), "`count` does not ensure"),
        (found!(Checker::contracts::<contracts::Reader<'static>>()), "`skip` does not ensure"),
        (found!(Checker::contracts::<contracts::Even>()), "six is too many"),
        (found!(Checker::contracts::<contracts::Counter>().with_oracle()), "`add` does not ensure"),
        (found!(Checker::contracts::<contracts::halving::Contracts>()), "`half` does not ensure"),
        (found!(drivers::post::test(drivers::Office::default)), "which `post` does not allow in state Holds"),
        (
            found!(
                drivers::post::test(drivers::Counter::careless)
                    .formula(&drivers::large_ones_have_receipts::FORMULA)
            ),
            "formula `large_ones_have_receipts` does not hold",
        ),
        (found!(drivers::post::test(drivers::closed).named("closed post")), "nothing is sent to anybody"),
    ]
}

fn printed(specimens: &[Claimed]) -> Vec<String> {
    let test = |(report, _): &Claimed| {
        let test = report.test().unwrap_or_else(|| panic!("there is no test in\n{report}"));
        let indented: String = test.lines().map(|line| format!("    {line}\n")).collect();
        assert!(report.to_string().contains(indented.trim_end()), "the test is part of\n{report}");
        test
    };
    specimens.iter().map(test).collect()
}

/// The properties, and what the printed test of each must say.
const PROPERTIES: [(&str, &str); 10] = [
    ("types_have_paths", "a point with a colour"),
    ("ends_early", "five is too many"),
    ("has_a_result_by_another_name", "9 is too many"),
    ("has_a_value", "TryFromIntError"),
    ("has_a_result", "TryFromIntError"),
    ("has_an_option", "`Option::unwrap()` on a `None` value"),
    ("is_true", "assertion failed: (|| -> bool"),
    ("has_a_unit", "eight is too many"),
    ("lends_names", "a path of two"),
    ("shares", "all are shared"),
];

/// What the report of a property proposes to paste: the example, and the test.
fn to_paste(report: &str) -> (String, String) {
    let (_, rest) = report.split_once("write below `#[property]`:\n\n").expect(report);
    let (example, rest) = rest.split_once("\n\nor as a standalone test:\n\n").expect(report);
    let is_of_test = |line: &&str| line.starts_with("    ") || line.is_empty();
    let test = rest.lines().take_while(is_of_test).map(|line| format!("{line}\n")).collect();
    (example.to_string(), test)
}

/// The file with the properties, with everything pasted.
fn pasted_properties(reports: &[String]) -> String {
    let mut file = include_str!("properties.rs").to_string();
    for ((name, _), report) in PROPERTIES.iter().zip(reports) {
        let (example, test) = to_paste(report);
        let opening = "#[property]\n#[ignore = \"it is wrong\"]\n";
        let function = format!("{opening}fn {name}(");
        assert!(file.contains(&function), "{name}");
        let shown = function.replace("#[property]", &format!("#[property]\n{}", example.trim_start()));
        file = file.replace(&function, &shown) + &test;
    }
    file
}

fn name_of(test: &str) -> &str {
    test.split("fn ").find_map(|rest| rest.split_once("_counterexample()")).expect("it has a name").0
}

/// Runs each test of a program and compares how it fails.
fn all_fail_as_claimed(program: &Path, specimens: &[Claimed], tests: &[String]) {
    for ((report, claim), test) in specimens.iter().zip(tests) {
        let said = failing(program, &[&format!("{}_counterexample", name_of(test))]);
        assert!(said.contains(claim), "{said}\ndoes not say {claim:?}\n{report}");
    }
}

/// What the one test that these arguments select says when it fails.
fn failing(program: &Path, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).arg("--nocapture").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("0 passed; 1 failed"), "{arguments:?}: {said}");
    said.into_owned()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[track_caller]
fn built(command: &mut Command, tests: &[String]) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{}", tests.join("\n"));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn tests_of_a_system_need_nothing_else() {
    let specimens = alone();
    let tests = printed(&specimens);
    let folder = folder("reproducers-alone");
    let (source, program) = (folder.join("lib.rs"), folder.join("program"));
    std::fs::write(&source, format!("{}\n{}", include_str!("systems.rs"), tests.join("\n"))).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--test", "--edition=2024", "-Adead_code", "-o"]).arg(&program).arg(&source);
    built(&mut command, &tests);
    all_fail_as_claimed(&program, &specimens, &tests);
}

#[test]
fn values_that_look_like_source_decide_nothing() {
    let test = found!(alone::Rows::checker()).test().expect("it can be written");
    let calls: Vec<&str> = test.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    // A word that is called like a result is none, and a row is lent as it is.
    assert!(calls.contains(&"let _r1 = system.open();"), "{test}");
    assert!(calls.contains(&"system.note(\"&mut r1\");"), "{test}");
    assert!(calls.contains(&"system.add(&[]);"), "{test}");
}

const MANIFEST: &str = r#"[package]
name = "reproducers"
version = "0.0.0"
edition = "2024"
publish = false

[lib]
path = "lib.rs"
doctest = false

[dependencies]
stairway = { path = "STAIRWAY" }

[workspace]
"#;

#[test]
fn tests_of_models_contracts_and_properties_need_what_they_are_about() {
    let specimens = with_stairway();
    let tests = printed(&specimens);
    let folder = folder("reproducers-beside");
    let here = env!("CARGO_MANIFEST_DIR");
    std::fs::write(folder.join("Cargo.toml"), MANIFEST.replace("STAIRWAY", here)).unwrap();
    std::fs::copy(Path::new(here).join("../../Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    std::fs::write(folder.join("systems.rs"), include_str!("systems.rs")).unwrap();
    // Tests are pasted beside what they are about.
    let mut specifications = include_str!("specifications.rs").to_string();
    let n_beside = specimens.iter().filter(|(report, _)| report.name.contains("::beside::")).count();
    let n_others = specimens.iter().filter(|(report, _)| report.name.ends_with(" post")).count();
    let from = tests.len() - n_others;
    for (module, range) in
        [("beside", 0..n_beside), ("contracts", n_beside..from), ("drivers", from..tests.len())]
    {
        let pasted = tests[range].concat();
        let opening = format!("pub mod {module} {{\n");
        specifications = specifications.replace(&opening, &format!("{opening}{pasted}"));
    }
    std::fs::write(folder.join("specifications.rs"), specifications).unwrap();
    let report = |(name, _): &(&str, &str)| Specimen::new(&format!("properties::{name}")).failing_report();
    let reports: Vec<String> = PROPERTIES.iter().map(report).collect();
    std::fs::write(folder.join("properties.rs"), pasted_properties(&reports)).unwrap();
    let modules = "#![cfg(test)]\nmod properties;\nmod specifications;\nmod systems;\n";
    std::fs::write(folder.join("lib.rs"), modules).unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--offline", "--no-run", "--message-format=json"]).current_dir(&folder);
    cargo.env("CARGO_TARGET_DIR", folder.join("target")).env_remove("RUSTFLAGS");
    let messages = built(&mut cargo, &tests);
    let program = messages.lines().rev().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    });
    let program = program.expect("a program was built");
    all_fail_as_claimed(&program, &specimens, &tests);
    for ((name, claim), report) in PROPERTIES.iter().zip(&reports) {
        let said = failing(&program, &[&format!("{name}_counterexample")]);
        assert!(said.contains(claim), "{said}\ndoes not say {claim:?}\n{report}");
        let said = failing(&program, &[&format!("properties::{name}"), "--exact", "--ignored"]);
        assert!(said.contains("this is its example 1"), "{said}\nis not what was pasted from\n{report}");
    }
}

/// What is not `ToSource`.
#[derive(Arbitrary, Clone, Debug)]
pub struct Opaque(u8);

mod not_written {
    use super::*;

    pub struct Sink(pub u32);
    impl Sink {
        pub fn put(&mut self, value: Opaque) -> u32 {
            self.0 += u32::from(value.0);
            self.0.min(300)
        }
    }

    #[derive(Debug)]
    pub struct Sum(u32);
    #[model(system = Sink)]
    impl Sum {
        #[start]
        fn new() -> (Sum, Sink) {
            (Sum(0), Sink(0))
        }
        #[op]
        fn put(&mut self, value: Opaque) -> u32 {
            self.0 += u32::from(value.0);
            self.0
        }
    }
}

#[test]
fn where_there_is_no_test_the_report_says_why() {
    let report = found!(not_written::Sum::checker());
    assert!(report.test().is_none());
    let why = "derive `ToSource` for the type of `value` to get this program as a test to paste";
    assert!(report.to_string().contains(why), "{report}");

    let by_hand = ModelBuilder::new("by hand", || (0u32, 0u32))
        .op("add", |model| *model += 1, |system| *system = (*system + 1) % 3)
        .op("get", |model| *model, |system| *system);
    let report = found!(by_hand.checker());
    assert!(report.test().is_none());
    let why = "there is no test to paste: operations that are closures, made at run time, have no source";
    assert!(report.to_string().contains(why), "{report}");
}
