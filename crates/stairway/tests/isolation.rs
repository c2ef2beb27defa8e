//! Users rely on `isolate` turning whatever kills or stops a process into a counterexample like
//! any other: shrunk, with its arguments and what it printed; and on a property that never returns
//! being named even where it is not isolated.

mod common;

use common::Specimen;
use stairway::prelude::*;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The report of a property that kills its worker, after a check that its second run, which
/// replays, says the same.
fn report(specimen: &str) -> String {
    let specimen = Specimen::new(&format!("specimens::{specimen}"));
    let (first, second) = (specimen.failing_report(), specimen.failing_report());
    assert!(second.contains("replayed from a stored failure"), "{second}");
    let failure = |report: &str| report.split("\nfound in").next().unwrap().to_string();
    assert_eq!(failure(&first), second.split("\nreplayed from").next().unwrap());
    first
}

fn assert_says(report: &str, lines: &[&str]) {
    for line in lines {
        assert!(report.contains(&format!("\n  {line}\n")), "no `{line}` in:\n{report}");
    }
}

/// Dies of a segmentation fault. The standard library's handler lets the first one pass, because
/// a true one would come again.
fn segfault() -> ! {
    #[allow(clippy::disallowed_methods, reason = "the process under test dies of it")]
    let me = std::process::id().to_string();
    loop {
        let _ = Command::new("kill").args(["-SEGV", &me]).status();
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn wait_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1));
    }
}

fn depth(n: u64) -> u64 {
    if n == 0 { 0 } else { std::hint::black_box(1 + depth(std::hint::black_box(n - 1))) }
}

mod specimens {
    use super::*;

    #[property(isolate)]
    #[ignore = "a specimen"]
    fn aborts(xs: Vec<u8>) {
        println!("about to look at {xs:?}");
        eprintln!("with {} numbers", xs.len());
        if xs.iter().any(|x| *x > 100) {
            std::process::abort();
        }
    }

    #[property(isolate)]
    #[ignore = "a specimen"]
    fn segfaults(#[from(0..1000)] n: u32, flag: bool) {
        if n >= 30 && flag {
            segfault();
        }
    }

    #[property(isolate)]
    #[ignore = "a specimen"]
    fn exits(#[from(0..1000)] n: u32) {
        if n >= 30 {
            std::process::exit(7);
        }
    }

    #[property(isolate)]
    #[ignore = "a specimen"]
    fn overflows(#[from(0..1000)] n: u64) {
        depth(if n >= 30 { u64::MAX } else { n });
    }

    #[property(timeout = "1s")]
    #[ignore = "a specimen"]
    fn hangs(xs: Vec<bool>) {
        println!("waiting");
        if xs.contains(&true) {
            wait_for_ever();
        }
    }

    #[property(isolate)]
    #[ignore = "a specimen"]
    fn panics(#[from(0..1000)] n: u32) {
        println!("n is {n}");
        note!("noted {n}");
        assert!(n < 30, "too large");
    }

    #[property(isolate, cases = 40)]
    #[ignore = "a specimen"]
    fn counts(_n: u64) {
        static N_CASES: AtomicU64 = AtomicU64::new(0);
        collect!("cases before in this process", N_CASES.fetch_add(1, Ordering::Relaxed) / 10);
    }

    #[property(isolate, cases = 40)]
    #[ignore = "a specimen"]
    fn retires(_n: u64) {
        static N_CASES: AtomicU64 = AtomicU64::new(0);
        let n = N_CASES.fetch_add(1, Ordering::Relaxed);
        collect!("cases before in this process", n);
        if n == 3 {
            stairway::__private::retire_worker();
        }
    }

    #[property(isolate)]
    #[ignore = "a specimen"]
    fn aborts_late(_n: u64) {
        static N_CASES: AtomicU64 = AtomicU64::new(0);
        if N_CASES.fetch_add(1, Ordering::Relaxed) == 100 {
            std::process::abort();
        }
    }

    #[property(isolate)]
    #[example(3)]
    #[example(30)]
    #[ignore = "a specimen"]
    fn example_aborts(n: u32) {
        if n == 30 {
            std::process::abort();
        }
    }

    #[property(isolate)]
    #[ignore = "a specimen"]
    fn prints_much(#[from(0..1000)] n: u32) {
        for _ in 0..10_000 {
            println!("a line of output");
        }
        println!("the end");
        assert!(n < 30);
    }

    #[test]
    #[ignore = "a specimen"]
    fn aborts_on_another_thread() {
        let settings = Settings::new().seed(1).isolate().without_regressions();
        let checked = std::thread::spawn(|| {
            Checker::new("a name of its own").settings(settings).run(|t| {
                if t.pick(0..1000)? >= 30 {
                    std::process::abort();
                }
                Ok(())
            });
        });
        assert!(checked.join().is_err());
    }

    #[property]
    #[ignore = "a specimen"]
    fn never_returns(n: u64) {
        if n > 0 {
            wait_for_ever();
        }
    }
}

#[test]
fn an_abort_is_shrunk_and_shown_with_its_output() {
    let report = report("aborts");
    let printed = "it printed:\n  about to look at [101]\n  with 1 numbers";
    assert_says(&report, &["xs = vec![101]", "SIGABRT: the process died of it (abort)", printed]);
    assert_eq!(report.matches("about to look at").count(), 2, "the smallest case and the test:\n{report}");
}

#[test]
fn a_segmentation_fault_is_shrunk() {
    let report = report("segfaults");
    assert_says(
        &report,
        &["n    = 30", "flag = true", "SIGSEGV: the process died of it (invalid memory access)"],
    );
}

#[test]
fn an_exit_is_shrunk() {
    assert_says(&report("exits"), &["n = 30", "exit 7: the process ended itself with this code"]);
}

#[test]
fn a_stack_overflow_is_shrunk() {
    let specimen = Specimen::new("specimens::overflows");
    let report = specimen.failing_report();
    assert_says(&report, &["n = 30", "stack overflow: the process died of it"]);
    assert!(!report.contains("further failure"), "{report}");
}

#[test]
fn a_hang_is_shrunk() {
    let report = report("hangs");
    assert_says(&report, &["xs = vec![true]", "timeout: no answer within 1s", "it printed:\n  waiting"]);
}

#[test]
fn a_panic_is_what_it_is_without_isolation_and_its_output_is_shown() {
    let report = report("panics");
    assert_says(&report, &["n = 30", "too large", "it printed:\n  n is 30", "note: noted 30"]);
    assert_eq!(report.matches("it printed").count(), 1, "{report}");
}

#[test]
fn a_worker_serves_many_cases() {
    let ended = Specimen::new("specimens::counts").run();
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    let rows = ["25.0% 0", "25.0% 1", "25.0% 2", "25.0% 3"];
    assert!(rows.iter().all(|row| ended.stdout.contains(row)), "{}", ended.stdout);
}

#[test]
fn a_worker_that_cannot_be_relied_on_is_replaced_after_its_verdict() {
    let ended = Specimen::new("specimens::retires").run();
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    let rows = ["25.0% 0", "25.0% 1", "25.0% 2", "25.0% 3"];
    assert!(rows.iter().all(|row| ended.stdout.contains(row)), "{}", ended.stdout);
    assert!(ended.stdout.contains("held in 40 cases"), "{}", ended.stdout);
}

#[test]
fn a_death_that_does_not_come_again_is_not_forgotten() {
    let ended = Specimen::new("specimens::aborts_late").run();
    assert_eq!(ended.code, Some(101), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stderr.contains("SIGABRT") && ended.stderr.contains("flaky"), "{}", ended.stderr);
}

#[test]
fn an_example_may_kill_its_worker() {
    let report = Specimen::new("specimens::example_aborts").failing_report();
    assert_says(&report, &["n = 30", "SIGABRT: the process died of it (abort)"]);
    assert!(report.contains("this is its example 2"), "{report}");
}

#[test]
fn the_end_of_much_output_is_kept() {
    let report = report("prints_much");
    assert_says(&report, &["n = 30", "a line of output\n  the end"]);
    assert!(report.len() < 30_000, "{}", report.len());
}

#[test]
fn a_property_on_another_thread_finds_its_test_by_the_place_of_its_closure() {
    let ended = Specimen::new("specimens::aborts_on_another_thread").run();
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stderr.contains("SIGABRT: the process died of it"), "{}", ended.stderr);
    assert!(ended.stderr.contains(" = 30\n"), "{}", ended.stderr);
}

#[test]
fn a_property_that_never_returns_is_named() {
    let ended = Specimen::new("specimens::never_returns").set("STAIRWAY_HANG", "300ms").run();
    assert_eq!(ended.code, Some(101), "{}{}", ended.stdout, ended.stderr);
    let said = "property `isolation::specimens::never_returns` has not returned from run ";
    assert!(ended.stderr.contains(said) && ended.stderr.contains(" for 300ms (seed 0x"), "{}", ended.stderr);
    assert!(ended.stderr.contains("#[property(timeout = \"1s\")]"), "{}", ended.stderr);
}

#[test]
fn an_isolated_property_is_not_watched_twice() {
    // The worker inherits the variable; the time limit of the property decides.
    let report = Specimen::new("specimens::hangs").set("STAIRWAY_HANG", "50ms").failing_report();
    assert_says(&report, &["xs = vec![true]", "timeout: no answer within 1s"]);
}

#[test]
fn several_workers_come_to_the_same_report() {
    for specimen in ["aborts", "exits", "segfaults"] {
        let report = |jobs| {
            Specimen::new(&format!("specimens::{specimen}")).set("STAIRWAY_JOBS", jobs).failing_report()
        };
        assert_eq!(report("3"), report("1"), "{specimen}");
    }
}
