//! Users rely on `isolate` for programs too: whatever a step does to its process, the program that leads there is found,
//! shown step by step, shrunk, stored and replayed.

mod common;

use common::{Specimen, without_places};
use stairway::prelude::*;
use std::process::Command;
use std::time::Duration;

/// How a step ends its process.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Abort,
    Exit,
    Kill,
    Stop,
    Overflow,
    Loop,
}

impl End {
    fn reach(self) -> ! {
        match self {
            End::Abort => std::process::abort(),
            End::Exit => std::process::exit(0),
            End::Kill => signal("-KILL"),
            End::Stop => signal("-STOP"),
            End::Overflow => {
                depth(u64::MAX);
                unreachable!()
            }
            End::Loop => loop {
                std::thread::sleep(Duration::from_secs(1));
            },
        }
    }
}

fn signal(name: &str) -> ! {
    #[allow(clippy::disallowed_methods, reason = "the process under test is to die")]
    let me = std::process::id().to_string();
    loop {
        let _ = Command::new("kill").args([name, &me]).status();
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn depth(n: u64) -> u64 {
    if n == 0 { 0 } else { std::hint::black_box(1 + depth(std::hint::black_box(n - 1))) }
}

/// A stack that does not survive a large number on top of another one.
#[derive(Debug)]
struct Stack {
    items: Vec<u32>,
    end: End,
}

impl Stack {
    fn push(&mut self, n: &u32) -> usize {
        if *n >= 50 && self.items.len() == 1 {
            self.end.reach();
        }
        self.items.push(*n);
        self.items.len()
    }

    fn pop(&mut self) -> Option<u32> {
        self.items.pop()
    }

    fn clear(&mut self) {
        self.items.clear();
    }
}

macro_rules! model_that_ends {
    ($module:ident, $end:expr, $settings:expr) => {
        mod $module {
            use super::*;

            #[derive(Clone, Debug, PartialEq)]
            struct Model(Vec<u32>);

            #[model(system = Stack)]
            impl Model {
                #[start]
                fn new() -> (Model, Stack) {
                    (Model(Vec::new()), Stack { items: Vec::new(), end: $end })
                }

                #[op]
                fn push(&mut self, #[from(0..100)] n: u32) -> usize {
                    self.0.push(n);
                    self.0.len()
                }

                #[op]
                fn pop(&mut self) -> Option<u32> {
                    self.0.pop()
                }

                #[op]
                fn clear(&mut self) {
                    self.0.clear();
                }
            }

            #[test]
            #[ignore = "a specimen"]
            fn ends() {
                Model::checker().settings($settings.isolate()).run();
            }
        }
    };
}

model_that_ends!(aborts, End::Abort, Settings::new());
model_that_ends!(exits, End::Exit, Settings::new());
model_that_ends!(kills_itself, End::Kill, Settings::new());
model_that_ends!(stops_itself, End::Stop, Settings::new());
model_that_ends!(overflows, End::Overflow, Settings::new());
model_that_ends!(hangs, End::Loop, Settings::new().timeout(Duration::from_millis(400)));

/// The report of a specimen, after a check that its second run, which replays, shows the same program.
fn report(specimen: &str) -> String {
    let specimen = Specimen::new(specimen);
    let (first, second) = (specimen.failing_report(), specimen.failing_report());
    let [first, second] = [first, second].map(|report| without_places(&report, Some(specimen.folder())));
    assert!(second.contains("replayed from a stored failure"), "{second}");
    let failure = |report: &str| report.split("\nfound in").next().unwrap().to_string();
    assert_eq!(failure(&first), second.split("\nreplayed from").next().unwrap());
    first
}

#[test]
fn a_program_whose_step_aborts_is_shown_step_by_step() {
    insta::assert_snapshot!(report("aborts::ends"));
}

#[test]
fn whatever_ends_the_process_the_program_is_the_shortest() {
    let ends = [
        ("exits", "exit 0: the process ended itself with this code"),
        ("kills_itself", "SIGKILL: the process died of it (killed, perhaps for want of memory)"),
        ("stops_itself", "stopped: the process was stopped, and nothing would have let it go on"),
        ("overflows", "stack overflow: the process died of it"),
        ("hangs", "timeout: no answer within 400ms"),
    ];
    for (specimen, said) in ends {
        let report = report(&format!("{specimen}::ends"));
        assert!(report.contains(said), "{report}");
        let calls: Vec<&str> =
            report.lines().filter(|line| line.trim_start().starts_with(['1', '2', '3'])).collect();
        assert_eq!(calls.len(), 2, "{specimen}: {report}");
        assert!(calls[0].contains("push(0)") && calls[1].contains("push(50)"), "{report}");
    }
}

/// What code under test is beside its operations.
mod of_the_users {
    use super::*;

    /// Cannot be shown once it holds something.
    pub(super) struct Shy(u32);

    impl std::fmt::Debug for Shy {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            if self.0 == 2 { std::process::abort() } else { write!(f, "Shy({})", self.0) }
        }
    }

    impl Shy {
        fn add(&mut self) {
            self.0 += 1;
        }
    }

    #[derive(Clone, Debug)]
    struct ShyModel;

    #[model(system = Shy)]
    impl ShyModel {
        #[start]
        fn new() -> (ShyModel, Shy) {
            (ShyModel, Shy(0))
        }

        #[op]
        fn add(&mut self) {}

        #[invariant]
        fn can_be_shown(&self, system: &Shy) -> bool {
            !format!("{system:?}").is_empty()
        }
    }

    #[test]
    #[ignore = "a specimen"]
    fn debug_aborts() {
        ShyModel::checker().settings(Settings::new().isolate()).run();
    }

    /// Cannot be dropped when it holds three.
    #[derive(Debug)]
    pub(super) struct Sticky(u32);

    impl Drop for Sticky {
        fn drop(&mut self) {
            if self.0 == 3 {
                std::process::exit(9);
            }
        }
    }

    impl Sticky {
        fn add(&mut self) {
            self.0 += 1;
        }

        fn remove(&mut self) {
            self.0 = self.0.saturating_sub(1);
        }
    }

    #[derive(Clone, Debug)]
    struct StickyModel;

    #[model(system = Sticky)]
    impl StickyModel {
        #[start]
        fn new() -> (StickyModel, Sticky) {
            (StickyModel, Sticky(0))
        }

        #[op]
        fn add(&mut self) {}

        #[op]
        fn remove(&mut self) {}
    }

    #[test]
    #[ignore = "a specimen"]
    fn drop_exits() {
        StickyModel::checker().settings(Settings::new().isolate()).run();
    }
}

/// A system that is wrong when it holds three, and whose `Debug` aborts when it holds two.
mod unshowable {
    use super::*;

    pub(super) struct Jar(Vec<u8>);

    impl std::fmt::Debug for Jar {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            if self.0.len() == 2 { std::process::abort() } else { write!(f, "Jar({})", self.0.len()) }
        }
    }

    impl Jar {
        fn put(&mut self, n: u8) -> usize {
            self.0.push(n);
            if self.0.len() == 3 { 0 } else { self.0.len() }
        }
    }

    #[derive(Clone, Debug)]
    struct Count(usize);

    #[model(system = Jar)]
    impl Count {
        #[start]
        fn new() -> (Count, Jar) {
            (Count(0), Jar(Vec::new()))
        }

        #[op]
        fn put(&mut self, _n: u8) -> usize {
            self.0 += 1;
            self.0
        }
    }

    #[test]
    #[ignore = "a specimen"]
    fn state_aborts() {
        Count::checker().settings(Settings::new().isolate()).run();
    }
}

#[test]
fn a_debug_of_a_state_that_aborts_hides_that_state_alone() {
    insta::assert_snapshot!(report("unshowable::state_aborts"));
}

/// A system that is right, and whose `Debug` aborts most of the time.
mod unshowable_and_right {
    use super::*;

    pub(super) struct Jar(Vec<u8>);

    impl std::fmt::Debug for Jar {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            if self.0.len() > 1 { std::process::abort() } else { write!(f, "Jar({})", self.0.len()) }
        }
    }

    impl Jar {
        fn put(&mut self, n: u8) -> usize {
            self.0.push(n);
            self.0.len()
        }
    }

    #[derive(Clone, Debug)]
    struct Count(usize);

    #[model(system = Jar)]
    impl Count {
        #[start]
        fn new() -> (Count, Jar) {
            (Count(0), Jar(Vec::new()))
        }

        #[op]
        fn put(&mut self, _n: u8) -> usize {
            self.0 += 1;
            self.0
        }
    }

    #[test]
    #[ignore = "a specimen"]
    fn holds() {
        Count::checker().steps(30).settings(Settings::new().cases(4).isolate()).run();
    }
}

#[test]
fn a_debug_that_aborts_fails_no_case_that_is_written_to_a_file() {
    let specimen = Specimen::new("unshowable_and_right::holds");
    let path = specimen.folder().join("report.jsonl");
    let specimen = specimen.set("STAIRWAY_REPORT", &path);
    let ended = specimen.run();
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().filter(|line| line.contains(r#""status":"passed""#)).count(), 4, "{text}");
    for shown in ["Jar(1)", "(cannot be shown: SIGABRT)", "(cannot be shown: left out after too many others)"]
    {
        assert!(text.contains(shown), "{text}");
    }
}

/// A wrong answer whose `Debug` never returns.
mod wrong_and_endless {
    use super::*;

    #[derive(Clone, PartialEq)]
    pub(super) struct Reading(u32);

    impl std::fmt::Debug for Reading {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            if self.0 == 99 { End::Loop.reach() } else { write!(f, "Reading({})", self.0) }
        }
    }

    pub(super) struct Meter(u32);

    impl Meter {
        fn count(&mut self) -> Reading {
            self.0 += 1;
            Reading(if self.0 == 2 { 99 } else { self.0 })
        }
    }

    #[derive(Clone, Debug)]
    struct Model(u32);

    #[model(system = Meter)]
    impl Model {
        #[start]
        fn new() -> (Model, Meter) {
            (Model(0), Meter(0))
        }

        #[op]
        fn count(&mut self) -> Reading {
            self.0 += 1;
            Reading(self.0)
        }
    }

    #[test]
    #[ignore = "a specimen"]
    fn answer_never_returns() {
        Model::checker().settings(Settings::new().timeout(Duration::from_millis(400))).run();
    }
}

#[test]
fn a_debug_of_the_wrong_answer_that_never_returns_hides_no_failure() {
    let report = report("wrong_and_endless::answer_never_returns");
    assert!(
        report.contains("`count` answered (cannot be shown: timeout), but the model says Reading(2)"),
        "{report}"
    );
}

/// An answer that is wrong, and whose `Debug` aborts exactly then.
mod wrong_and_unshowable {
    use super::*;

    pub(super) struct Meter(u32);

    #[derive(Clone, PartialEq)]
    pub(super) struct Reading(u32);

    impl std::fmt::Debug for Reading {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            if self.0 == 99 { std::process::abort() } else { write!(f, "Reading({})", self.0) }
        }
    }

    impl Meter {
        fn count(&mut self) {
            self.0 += 1;
        }

        fn read(&self) -> Reading {
            Reading(if self.0 == 2 { 99 } else { self.0 })
        }
    }

    #[derive(Clone, Debug)]
    struct Model(u32);

    #[model(system = Meter)]
    impl Model {
        #[start]
        fn new() -> (Model, Meter) {
            (Model(0), Meter(0))
        }

        #[op]
        fn count(&mut self) {
            self.0 += 1;
        }

        #[op]
        fn read(&self) -> Reading {
            Reading(self.0)
        }
    }

    #[test]
    #[ignore = "a specimen"]
    fn answer_aborts() {
        Model::checker().settings(Settings::new().isolate()).run();
    }
}

#[test]
fn a_debug_of_the_wrong_answer_that_aborts_hides_no_failure() {
    insta::assert_snapshot!(report("wrong_and_unshowable::answer_aborts"));
}

#[test]
fn a_debug_that_aborts_is_a_step_that_aborts() {
    let report = report("of_the_users::debug_aborts");
    assert!(report.contains("SIGABRT: the process died of it (abort)"), "{report}");
    assert_eq!(report.lines().filter(|line| line.contains(". add()")).count(), 2, "{report}");
    assert!(report.contains("system.add();\n        system.add(); // the process died of it"), "{report}");
}

#[test]
fn a_drop_that_exits_shows_the_whole_program() {
    let report = report("of_the_users::drop_exits");
    assert!(report.contains("exit 9: the process ended itself with this code"), "{report}");
    let steps = report.lines().take_while(|line| !line.contains("exit 9"));
    assert_eq!(steps.filter(|line| line.contains(". add()")).count(), 3, "{report}");
}

/// The other kinds of programs.
mod others {
    use super::*;

    pub(super) struct Purse {
        coins: Vec<u8>,
    }

    #[contract]
    impl Purse {
        pub fn new() -> Purse {
            Purse { coins: Vec::new() }
        }

        #[ensures(self.count() == old(self.count()) + 1)]
        pub fn put(&mut self, coin: u8) {
            self.coins.push(coin);
        }

        pub fn count(&self) -> usize {
            if self.coins.last() > Some(&200) {
                std::process::abort();
            }
            self.coins.len()
        }
    }

    #[test]
    #[ignore = "a specimen"]
    fn contract_aborts() {
        Checker::contracts::<Purse>().settings(Settings::new().isolate()).run();
    }

    #[derive(Debug)]
    pub(super) struct Bag(Vec<u8>);

    impl Bag {
        fn put(&mut self, n: u8) {
            if n == 7 && self.0.contains(&5) {
                std::process::exit(4);
            }
            self.0.push(n);
        }

        fn has(&self, n: u8) -> bool {
            self.0.contains(&n)
        }
    }

    laws! {
        pub(crate) system Bag = Bag(Vec::new());
        op put(#[from(0..10)] n: u8);
        op has(#[from(0..10)] n: u8) -> bool;

        #[ignore = "a specimen"]
        swap(#[from(0..10)] m: u8, #[from(0..10)] n: u8): [put(m); put(n)] == [put(n); put(m)];
    }

    #[test]
    #[ignore = "a specimen"]
    fn law_exits() {
        swap_law().settings(Settings::new().isolate()).run();
    }

    refinement! {
        #[property(isolate)]
        #[ignore = "a specimen"]
        halve(n: u8, flag: bool) {
            spec => n / 2,
            real => if n > 99 && flag { std::process::abort() } else { n / 2 },
        }
    }
}

#[test]
fn contracts_laws_and_refinements_end_alike() {
    let contract = report("others::contract_aborts");
    assert!(
        contract.contains("SIGABRT") && contract.contains("put(") && contract.contains("201"),
        "{contract}"
    );
    let law = report("others::law_exits");
    assert!(law.contains("exit 4") && law.contains('5') && law.contains('7'), "{law}");
    let refinement = report("others::halve");
    assert!(refinement.contains("SIGABRT") && refinement.contains("n    = 100"), "{refinement}");
    insta::assert_snapshot!(format!("{contract}\n\n\n{law}\n\n\n{refinement}"));
}

#[test]
fn several_workers_come_to_the_same_program() {
    for specimen in ["aborts::ends", "exits::ends", "of_the_users::drop_exits"] {
        let report = |jobs| Specimen::new(specimen).set("STAIRWAY_JOBS", jobs).failing_report();
        assert_eq!(report("3"), report("1"), "{specimen}");
    }
}
