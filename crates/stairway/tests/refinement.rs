//! Refinements: an implementation beside what it is allowed to do.

use stairway::Report;
use stairway::prelude::*;
use stairway::refine::RefinementChecker;
use stairway::report::words as failure_words;
use std::cell::Cell;

/// Nothing is stored, and the seed is fixed.
fn quiet(checker: RefinementChecker) -> RefinementChecker {
    checker.with_settings(|settings| settings.without_regressions().seed(1))
}

fn report(checker: RefinementChecker) -> Report {
    quiet(checker).report()
}

/// The report without what depends on the run's folder.
fn text(checker: RefinementChecker) -> String {
    report(checker).to_string()
}

mod wordarray {
    /// What `set` must do, with mathematical numbers.
    pub(super) fn spec(arr: &[u8], from: u32, n: u32, v: u8) -> Vec<u8> {
        let (from, n) = (u64::from(from), u64::from(n));
        let is_set = |k: usize| (from..from + n).contains(&(k as u64));
        arr.iter().enumerate().map(|(k, old)| if is_set(k) { v } else { *old }).collect()
    }

    pub(super) fn set(mut arr: Vec<u8>, from: u32, n: u32, v: u8) -> Vec<u8> {
        let end = (from as usize).saturating_add(n as usize).min(arr.len());
        if let Some(part) = arr.get_mut(from as usize..end) {
            part.fill(v);
        }
        arr
    }

    /// Adds in 32 bits.
    pub(super) fn wrapping_set(mut arr: Vec<u8>, from: u32, n: u32, v: u8) -> Vec<u8> {
        let end = (from.wrapping_add(n) as usize).min(arr.len());
        if let Some(part) = arr.get_mut(from as usize..end) {
            part.fill(v);
        }
        arr
    }
}

/// A number that is likely to be an index, and sometimes so large that sums wrap.
fn index() -> impl Generate<Value = u32> {
    either(0..20u32, any::<u32>())
}

refinement! {
    /// fills, clipped to the array; no effect when `from` is past the end
    set(arr: Vec<u8>, #[from(index())] from: u32, #[from(index())] n: u32, v: u8) {
        spec   => wordarray::spec(&arr, from, n, v),
        real   => wordarray::set(arr, from, n, v),
        relate => |spec, real| spec == real,
    }

    #[ignore = "it is wrong, and reported below"]
    wrapping_set(arr: Vec<u8>, #[from(index())] from: u32, #[from(index())] n: u32, v: u8) {
        spec   => wordarray::spec(&arr, from, n, v),
        real   => wordarray::wrapping_set(arr, from, n, v),
        relate => |spec, real| spec == real,
    }
}

#[test]
fn a_sum_that_wraps_is_found_and_shrunk() {
    insta::assert_snapshot!(text(wrapping_set_refinement().cases(1000)));
}

/// A store of blocks, as the file system has it and as the specification sees it.
mod pages {
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, ToSource)]
    pub(super) enum Error {
        NoEntry,
        Io,
        NoMemory,
    }

    #[derive(Clone, Debug, Arbitrary, ToSource)]
    pub(super) struct Disk {
        #[from(vec((0..4u8, 0..3u8), 0..6))]
        pub(super) blocks: Vec<(u8, u8)>,
        pub(super) is_broken: bool,
    }

    pub(super) fn abstracted(disk: &Disk) -> BTreeMap<u8, u8> {
        disk.blocks.iter().copied().collect()
    }

    pub(super) fn spec(files: &BTreeMap<u8, u8>, n: u8) -> Outcomes<Result<u8, Error>> {
        match files.get(&n) {
            None => Outcomes::named("no such block", Err(Error::NoEntry)),
            Some(block) => {
                let errors = Outcomes::each([Error::Io, Error::NoMemory]).map(Err);
                Outcomes::named("read", Ok(*block)).or(errors)
            }
        }
    }

    pub(super) fn read(disk: &Disk, n: u8) -> Result<u8, Error> {
        // The latest block of this number counts.
        let found = disk.blocks.iter().rev().find(|(k, _)| *k == n);
        if disk.is_broken { found.map(|_| Err(Error::Io)) } else { found.map(|(_, v)| Ok(*v)) }
            .unwrap_or(Err(Error::NoEntry))
    }

    pub(super) fn read_first(disk: &Disk, n: u8) -> Result<u8, Error> {
        disk.blocks.iter().find(|(k, _)| *k == n).map(|(_, v)| *v).ok_or(Error::NoEntry)
    }
}

refinement! {
    read(disk: pages::Disk, #[from(0..5)] n: u8) {
        abstract files => pages::abstracted(&disk),
        spec => pages::spec(&files, n),
        real => pages::read(&disk, n),
    }

    #[ignore = "it is wrong, and reported below"]
    read_first(disk: pages::Disk, #[from(0..5)] n: u8) {
        abstract files => pages::abstracted(&disk),
        spec => pages::spec(&files, n),
        real => pages::read_first(&disk, n),
    }
}

#[test]
fn what_is_allowed_and_never_happens_is_named() {
    insta::assert_snapshot!(text(read_refinement()));
    let demanded = report(read_refinement().demand_all());
    assert!(!demanded.is_success());
    assert!(demanded.to_string().contains("they do not cover what it demands: the alternative `NoMemory`"));
}

#[test]
fn both_inputs_and_every_outcome_are_shown() {
    insta::assert_snapshot!(text(read_first_refinement()));
}

thread_local! {
    /// How many buffers a mock of an allocator has given out and not got back.
    static HELD: Cell<i32> = const { Cell::new(0) };
}

/// A buffer that must be given back by hand.
#[derive(Debug)]
struct Buffer(Vec<u8>);

fn allocate(bytes: &[u8]) -> Buffer {
    HELD.set(HELD.get() + 1);
    Buffer(bytes.to_vec())
}

fn release(buffer: Buffer) {
    drop(buffer);
    HELD.set(HELD.get() - 1);
}

refinement! {
    #[property(cases = 50)]
    #[example(vec![255], 255)]
    lengths(bytes: &[u8], limit: u8) {
        abstract (n, is_long) => (bytes.len(), bytes.len() > usize::from(limit)),
        concrete buffer => allocate(bytes),
        spec     => if is_long { usize::from(limit) } else { n },
        real     => buffer,
        view     => |real| real.0.len().min(usize::from(limit)),
        teardown => |real| release(real),
    }

    #[ignore = "it is wrong, and reported below"]
    torn_down(n: u8) {
        spec     => n,
        real     => (allocate(&[n]), n.saturating_add(1)),
        relate   => |spec, real| { assert!(real.1 < 200, "the relation is wrong"); *spec == real.1 },
        teardown => |real| release(real.0),
    }

    #[ignore = "it is wrong, and reported below"]
    torn_down_after_a_panic(n: u8) {
        concrete buffer => allocate(&[n]),
        spec     => n,
        real     => { assert!(buffer.0[0] < 9, "too much"); buffer.0[0] },
        teardown => release(buffer),
    }

    #[ignore = "it is wrong, and reported below"]
    torn_down_after_the_specification(n: u8) {
        concrete buffer => allocate(&[n]),
        spec     => n.checked_sub(9).map_or(n, |_| panic!("nothing is said of this")),
        real     => buffer.0[0],
        teardown => release(buffer),
    }
}

#[test]
fn teardown_runs_whatever_the_verdict() {
    lengths_refinement().run();
    assert_eq!(HELD.get(), 0);
    assert!(!report(torn_down_refinement()).is_success());
    assert_eq!(HELD.get(), 0);
}

#[test]
fn teardown_runs_if_a_side_panics() {
    let text = report(torn_down_after_a_panic_refinement()).to_string();
    assert!(text.contains("n = 9") && text.contains("too much") && !text.contains("specification"), "{text}");
    assert_eq!(HELD.get(), 0);
    let text = report(torn_down_after_the_specification_refinement()).to_string();
    assert!(text.contains("n = 9") && text.contains("nothing is said of this"), "{text}");
    assert!(text.contains("specification"), "{text}");
    assert_eq!(HELD.get(), 0);
}

refinement! {
    #[ignore = "its abstraction fails, and is reported below"]
    abstraction_fails(text: String) {
        abstract n => text.parse::<u8>()?,
        spec => n,
        real => n,
    }

    #[ignore = "its relation panics, and is reported below"]
    relation_panics(n: u8) {
        spec => n,
        real => n,
        relate => |spec, real| spec.checked_sub(5).expect("at least five") + 5 == *real,
    }

    #[ignore = "it allows nothing, and is reported below"]
    allows_nothing(#[from(0..100)] n: u8) {
        spec => if n > 7 { Outcomes::none() } else { Outcomes::just(n) },
        real => n,
    }

    #[ignore = "nobody can test its condition, and it is reported below"]
    unseen_condition(n: u8) {
        spec => Outcomes::matching("a larger one", move |m: &u16| *m > u16::from(n)),
        real => n,
        relate => |_, _| true,
    }

    #[ignore = "its implementation fails, and is reported below"]
    real_fails(n: u8) {
        spec => 7,
        real => { if n > 9 { "x".parse::<u8>()?; } 7 },
    }

    conditions_where_types_agree(n: u8) {
        spec => Outcomes::matching("not smaller", move |m: &u8| *m >= n),
        real => n.saturating_add(3),
    }
}

#[test]
fn faults_of_the_specification_are_told_from_those_of_the_implementation() {
    let all = [
        abstraction_fails_refinement(),
        relation_panics_refinement(),
        allows_nothing_refinement(),
        unseen_condition_refinement(),
        real_fails_refinement(),
    ];
    let reports: Vec<String> = all.map(text).into_iter().collect();
    // Without a backtrace, which not everybody asks for.
    let until_seed = |report: &String| {
        let report = report.split("\nfound in").next().unwrap_or_default();
        report.split("\n\n     0:").next().unwrap_or_default().trim_end().to_string() + "\n"
    };
    insta::assert_snapshot!(reports.iter().map(until_seed).collect::<Vec<_>>().join("---\n"));
}

#[property]
fn a_comparison_can_be_returned(n: u8) -> Correspondence {
    let spec = Outcomes::named("same", n).or(Outcomes::named("next", n.wrapping_add(1)));
    Spec::any_of(spec).compare(n)
}

#[test]
fn a_comparison_counts_in_a_case() {
    let report = Checker::new("counted").cases(100).report(|t| {
        let n = t.pick(0..1_000_000)?;
        Spec::exactly(n).check(t, || n)?;
        Spec::any_of(Outcomes::each([n, -1]).called("it")).check(t, || n)
    });
    let seen = &report.result.statistics.alternatives;
    assert_eq!((seen["it: -1"].n, seen["it: -1"].n_taken), (100, 0));
}

/// What the environment does, and what is made of it.
mod environment {
    use super::*;
    use stairway::{ask, unmocked};

    fn spec(n: u8) -> Result<u8, &'static str> {
        ask("memory", [Ok(()), Err("no memory")])?;
        Ok(n)
    }

    /// Forgets that memory may be short: says 0 then.
    fn forgets(n: u8) -> u8 {
        ask("memory", [Ok(()), Err("no memory")]).map_or(0, |()| n)
    }

    fn obeys(n: u8) -> Result<u8, &'static str> {
        ask("warmth", 0..3);
        ask("memory", [Ok(()), Err("no memory")]).map(|()| n)
    }

    fn knows_a_part(n: u8) -> u8 {
        if n > 10 {
            unmocked!("store", "the number {n}");
        }
        n
    }

    refinement! {
        obeys_the_oracle(n: u8, oracle: Oracle) {
            spec => spec(n),
            real => obeys(n),
        }

        #[ignore = "it is wrong, and reported below"]
        forgets_the_oracle(n: u8, oracle: Oracle) {
            abstract m => n,
            spec => spec(m),
            real => Ok(forgets(n)),
        }

        #[ignore = "it never asks, and is reported below"]
        does_not_hear_the_oracle(n: u8, oracle: Oracle) {
            spec => spec(n),
            real => Ok(n),
        }

        #[ignore = "it leaves its mock, and is reported below"]
        leaves_the_mock(n: u8) {
            spec => n,
            real => knows_a_part(n),
        }

        #[ignore = "it decides by itself, and is reported below"]
        decides_by_itself(n: u8) {
            spec => n,
            real => n ^ u8::from(HELD.replace(HELD.get() + 1) % 3 == 1),
        }
    }

    #[test]
    fn what_the_oracle_said_is_shown() {
        let report = report(forgets_the_oracle_refinement());
        insta::assert_snapshot!(report);
    }

    #[test]
    fn an_oracle_that_only_the_specification_asks_is_refused() {
        let report = report(does_not_hear_the_oracle_refinement());
        let failure = &report.counterexample().unwrap().failure;
        assert!(
            failure_words::identity(failure).starts_with("the specification: its oracle is not shared"),
            "{failure:?}"
        );
        let message = failure_words::message(failure);
        assert!(message.contains("allow what may happen with `Outcomes`"), "{message}");
        assert!(report.to_string().contains("the specification is at fault"));
    }

    #[test]
    fn what_an_implementation_decides_by_itself_is_refused() {
        let report = report(decides_by_itself_refinement()).to_string();
        assert!(
            report.contains("is flaky") && report.contains("no oracle and no exact specification"),
            "{report}"
        );
    }

    #[test]
    fn a_mock_that_is_left_says_so() {
        let report = report(leaves_the_mock_refinement()).to_string();
        assert!(report.contains("leaves_the_mock`: a mock is at fault"), "{report}");
        assert!(report.contains("n = 11") && report.contains("was asked for the number 11"), "{report}");
    }
}

fn halved(n: u8) -> Result<u8, std::num::TryFromIntError> {
    u8::try_from(u16::from(n) * 2).map(|_| n / 2)
}

refinement! {
    #[ignore = "it is wrong, and reported below"]
    halves(n: u8) {
        spec => Outcomes::named("down", n / 2).or(Outcomes::named("up", n.div_ceil(2))),
        real => halved(n)?,
    }
}

#[test]
fn a_test_of_its_own_compiles_where_the_implementation_does_not_come_to_its_end() {
    let text = text(halves_refinement());
    assert!(text.contains("let real = halved(n).unwrap();\n    }"), "{text}");
}

#[test]
fn the_test_of_a_specification_that_allows_nothing_asks_what_it_allows() {
    let text = report(allows_nothing_refinement()).to_string();
    assert!(text.contains("assert!(spec.allows(&real));"), "{text}");
}

#[test]
fn numbers_that_are_near_enough_are_related_and_others_show_their_difference() {
    let compared = |real: f64| {
        stairway::Spec::exactly(vec![Some(1.0)]).relate(stairway::near(1e-3)).compare(vec![Some(real)])
    };
    assert!(compared(1.0005).holds());
    let why = compared(1.25).why().expect("too far apart");
    assert!(
        why.contains("difference = 0.25, where 0.001 is allowed")
            || why.contains("difference: 0.25, where 0.001 is allowed"),
        "{why}"
    );
}

#[test]
fn every_fault_has_its_turn_and_is_named() {
    let checker = stairway::Checker::new("faults").settings(Settings::new().seed(1).without_regressions());
    let report = checker.report(|_| {
        stairway::each_fault(|| {
            let written = (0..60).filter(|_| stairway::ask("write", [true, false])).count();
            // Only a fault of the 42nd is noticed too late.
            let _ = written;
            for n in 1..=60 {
                let is_written = stairway::ask("sync", [true, false]);
                assert!(is_written || n != 42, "lost");
            }
        });
        Ok(())
    });
    assert!(report.to_string().contains("with `sync` -> false the 42nd time"), "{report}");
}
