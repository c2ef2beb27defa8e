//! `library!` builds, instruments and judges as `stairway test` does, and several libraries live beside each other.

#![expect(clippy::redundant_closure_for_method_calls, reason = "calls read as calls")]

use stairway::prelude::*;
use stairway_c::library::Pointer;

stairway_c::library! {
    mod judged {
        files: "tests/library/judged.c";
        flags: "-DLIMIT=10", "-Wall",;

        fn half(x: i32) -> i32;
        fn quarter(x: i32) -> i32;
        fn store(p: &mut i32, v: i32);
        fn count(p: &mut i32);
        fn boxed(v: i32) -> Pointer<i32>;
        fn warmest(n: i32) -> i32;
        fn sum_of(n: i32) -> i32;
        fn limit() -> i32;
        fn seen_before() -> i32;
        fn wide(at: u64) -> u64;
        fn matches(pattern: &std::ffi::CStr, text: &std::ffi::CStr) -> i32 = "match";
        fn spin(n: u32) -> u32;
        mock fn spinning();
        mock fn from_sensor(channel: i32) -> i32;
    }
}

stairway_c::library! {
    mod bound {
        files: "tests/library/judged.c";
        flags: "-DLIMIT=20";
        bind "limit", "seen_before";
    }
}

/// The text of a failure.
fn said<T: std::fmt::Debug>(result: Checked<T>) -> String {
    let mut text = None;
    let stop = result.expect_err("C does something wrong");
    let _ = stop.map_failure(|failure| {
        text = Some(format!(
            "[{}]\n{}\n{}{}",
            stairway::report::words::identity(&failure),
            stairway::report::words::message(&failure),
            failure.excerpt,
            failure.details
        ));
        failure
    });
    text.expect("it is a failure")
}

#[test]
fn a_contract_that_is_kept_says_nothing() {
    judged::run(|c| {
        assert_eq!((c.half(9)?, c.quarter(9)?), (4, 2));
        let mut x = 0;
        c.store(&mut x, 3)?;
        c.count(&mut x)?;
        assert_eq!(x, 4);
        let p = c.boxed(8)?;
        assert_eq!(c.read(p)?, 8);
        c.free(p)
    })
    .unwrap();
}

#[test]
fn a_postcondition_fails_the_case_with_its_operands() {
    insta::assert_snapshot!(said(judged::run(|c| c.half(7))));
}

#[test]
fn a_precondition_is_a_mistake_of_the_test() {
    insta::assert_snapshot!(said(judged::run(|c| c.half(-1))));
}

#[test]
fn nested_contracts_are_judged() {
    insta::assert_snapshot!(said(judged::run(|c| c.quarter(-3))));
    let text = said(judged::run(|c| c.quarter(14)));
    assert!(text.contains("the postcondition of `half` does not hold"), "{text}");
}

#[test]
fn what_a_contract_does_not_take_is_not_touched() {
    insta::assert_snapshot!(said(judged::run(|c| {
        let mut x = 41;
        c.count(&mut x)
    })));
}

#[test]
fn a_contract_answers_for_what_is_left_over() {
    insta::assert_snapshot!(said(judged::run(|c| {
        let p = c.boxed(5)?;
        c.free(p)
    })));
}

#[test]
fn mocks_keep_contracts() {
    let warmest = |answer: i32, n: i32| {
        judged::run(|c| {
            c.mocks().from_sensor(move |_, channel| Ok(answer - channel));
            c.warmest(n)
        })
    };
    assert_eq!(warmest(70, 4).unwrap(), 70);
    insta::assert_snapshot!(said(warmest(170, 1)));
    insta::assert_snapshot!(said(warmest(70, 5)));
}

#[test]
fn local_variables_have_fences() {
    assert_eq!(judged::run(|c| c.sum_of(4)).unwrap(), 10);
    let text = said(judged::run(|c| c.sum_of(5)));
    assert!(text.contains("`values`") && text.contains("judged.c:66"), "{text}");
}

#[test]
fn flags_reach_the_compiler_and_the_bindings() {
    assert_eq!(judged::run(|c| c.limit()).unwrap(), 10);
    assert_eq!(bound::run(|c| c.limit()).unwrap(), 20);
}

#[test]
fn libraries_live_side_by_side() {
    let both = judged::run(|a| {
        bound::run(|b| {
            let calls = (a.seen_before()?, b.seen_before()?, a.seen_before()?, b.seen_before()?);
            let (p, q) = (a.give(&1u8)?, b.give(&2u8)?);
            assert_ne!(p, q);
            // A failure of the one leaves the other as it is.
            assert!(a.half(7).is_err());
            assert_eq!(b.seen_before()?, 2);
            b.free(q)?;
            a.free(p)?;
            Ok(calls)
        })
    });
    assert_eq!(both.unwrap(), (0, 0, 1, 1));
    let text = said(judged::run(|_| judged::run(|c| c.limit())));
    assert!(text.contains("a run of this library within another one"), "{text}");
    assert_eq!(judged::run(|c| c.limit()).unwrap(), 10);
}

#[test]
fn threads_take_turns() {
    std::thread::scope(|scope| {
        for k in 0..8 {
            scope.spawn(move || {
                for _ in 0..20 {
                    if k % 2 == 0 {
                        assert_eq!(judged::run(|c| Ok((c.seen_before()?, c.half(8)?))).unwrap(), (0, 4));
                        assert!(said(judged::run(|c| c.sum_of(9))).contains("`values`"));
                    } else {
                        assert_eq!(bound::run(|c| Ok((c.seen_before()?, c.limit()?))).unwrap(), (0, 20));
                    }
                }
            });
        }
    });
}

#[test]
fn what_is_dropped_is_unloaded() {
    let n_mapped = || {
        let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux has it");
        maps.lines().filter(|line| line.contains("/stairway-")).count()
    };
    let before = {
        judged::run(|c| c.limit()).unwrap();
        n_mapped()
    };
    for _ in 0..3 {
        let other = judged::built_with(&["-DLIMIT=30"]);
        assert_eq!(judged::run_with(&other, |c| c.limit()).unwrap(), 30);
        // The first one is still guarded, though its handlers were there before.
        assert!(said(judged::run(|c| c.sum_of(9))).contains("`values`"));
        assert!(n_mapped() > 0);
    }
    // Other tests may load theirs meanwhile: at most those of this file.
    assert!(n_mapped() <= before + 16, "{before} and {}", n_mapped());
}

#[test]
fn unchecked_libraries_know_no_contracts() {
    assert_eq!(judged::run_with(&judged::unchecked(), |c| c.half(-9)).unwrap(), -4);
}

#[test]
fn after_a_fault_within_the_c_library_a_run_begins_with_another_copy() {
    judged::run(|c| c.limit()).unwrap();
    for _ in 0..2 {
        let text = said(judged::run(|c| c.wide(64)));
        assert!(text.contains("touches memory that is not its own"), "{text}");
        assert_eq!(judged::run(|c| c.seen_before()).unwrap(), 0);
    }
}

/// Runs one of the ignored tests below in a process of its own.
fn in_a_process(name: &str) -> std::process::Output {
    let this = std::env::current_exe().expect("it is running");
    let mut child = std::process::Command::new(this);
    child.args(["--exact", name, "--ignored", "--nocapture"]).output().expect("it starts")
}

#[test]
fn a_call_stopped_within_the_c_library_never_hangs_the_process() {
    let done = in_a_process("stopped_by_the_clock");
    let text = String::from_utf8_lossy(&done.stderr);
    // What the C library was at is chance.
    let is_stuck = text.contains("while the C library was at work") && done.status.code() == Some(70);
    assert!(is_stuck || done.status.success(), "{:?}: {text}", done.status);
}

#[test]
#[ignore = "run by another test, in a process of its own"]
fn stopped_by_the_clock() {
    // It allocates all the time, in the C library.
    let text = said(judged::run(|c| {
        c.matches(c"+(a|aa)b", &std::ffi::CString::new("a".repeat(80)).expect("has no zero"))
    }));
    assert!(text.contains("does not return"), "{text}");
    assert_eq!(judged::run(|c| c.seen_before()).unwrap(), 0);
}

#[test]
fn a_thread_that_faults_elsewhere_is_not_taken_for_the_call() {
    use std::os::unix::process::ExitStatusExt as _;
    let done = in_a_process("a_fault_elsewhere");
    let text = String::from_utf8_lossy(&done.stderr);
    assert!(text.contains("has overflowed its stack") && !text.contains("the call failed"), "{text}");
    assert_eq!(done.status.signal(), Some(6), "{text}");
}

#[test]
#[ignore = "run by another test, in a process of its own"]
fn a_fault_elsewhere() {
    fn deep(n: u64) -> u64 {
        let bytes = std::hint::black_box([n; 64]);
        if n == u64::MAX { 0 } else { deep(n + 1) + bytes[0] }
    }
    let (begin, begun) = std::sync::mpsc::channel();
    let other = std::thread::spawn(move || {
        begun.recv().expect("C is called");
        deep(0)
    });
    let spun = judged::run(|c| {
        c.mocks().spinning(move |_| {
            begin.send(()).expect("somebody waits");
            Ok(())
        });
        c.spin(u32::MAX)
    });
    let text = said(spun);
    assert!(text.contains("does not return"), "the call failed: {text}");
    let _ = other.join();
}
