//! Users rely on a report that says what failed, with which values, and how to see it again; and
//! on one that does not claim more than was tried. Every text is reviewed here when it changes.

mod common;

use common::{Specimen, without_places};
use stairway::engine::Failure;
use stairway::prelude::*;
use stairway::{Report, Stop};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

fn quiet(name: &str) -> Checker {
    Checker::new(name).settings(Settings::new().seed(1).without_regressions())
}

/// The text of a report, without backtraces: they are there if RUST_BACKTRACE asks for them.
fn text(mut report: Report) -> String {
    if let stairway::report::Outcome::Falsified(found) = &mut report.result.outcome {
        found.failure.details.clear();
    }
    report.result.others.iter_mut().for_each(|other| other.failure.details.clear());
    without_places(&report.to_string(), None)
}

fn specimen(name: &str) -> String {
    let specimen = Specimen::new(&format!("specimens::{name}"));
    without_places(&specimen.failing_report(), Some(specimen.folder()))
}

/// Properties that do not hold, each with another kind of parameter or result.
mod specimens {
    use stairway::prelude::*;

    fn insert(x: i32, xs: &mut Vec<i32>) {
        let at = xs.iter().position(|y| *y >= x).unwrap_or(0);
        xs.insert(at, x);
    }

    #[property]
    #[ignore = "a specimen"]
    fn insert_keeps_order(x: i32, #[from(sorted(vec(any(), 0..20)))] xs: Vec<i32>) {
        assume!(!xs.contains(&x));
        let mut ys = xs.clone();
        insert(x, &mut ys);
        note!("after: {ys:?}");
        note!("two\nlines");
        assert!(ys.is_sorted());
    }

    #[property]
    #[ignore = "a specimen"]
    fn is_short(#[from(regex("[a-z]{1,8}@[a-z]+\\.(com|org)"))] mail: String) -> bool {
        mail.len() < 9
    }

    #[property]
    #[ignore = "a specimen"]
    fn has_a_first(xs: &[u8]) -> Option<u8> {
        xs.first().copied()
    }

    #[property]
    #[ignore = "a specimen"]
    fn parses(#[from(regex("[0-9]{1,4}"))] text: &str) -> Result<(), std::num::ParseIntError> {
        let _: u8 = text.parse()?;
        Ok(())
    }

    #[property]
    #[ignore = "a specimen"]
    fn fits(#[from(regex("[0-9]{1,4}"))] text: &str, limit: Option<u8>) {
        let _ = limit;
        assert!(text.len() < 3, "{text} is\ntoo long");
    }

    #[property]
    #[example(3, "odd")]
    #[example(9, "large")]
    #[ignore = "a specimen"]
    fn is_small(n: u32, why: &str) {
        assert!(n < 5, "{why}");
    }

    #[property]
    #[ignore = "a specimen"]
    async fn answers(n: u32) -> bool {
        std::future::ready(n).await < 100
    }

    #[property]
    #[ignore = "a specimen"]
    fn picks_more(t: &mut Case<'_>, n: u8) -> Checked {
        let m = t.pick(0..=n)?;
        assert!(m < 7);
        Ok(())
    }

    #[property]
    #[ignore = "a specimen"]
    fn adds_up(n: u32) {
        assert_eq!(u64::from(n) + 1, u64::from(n.wrapping_add(1)));
    }
}

#[test]
fn arguments_notes_and_a_test_of_its_own() {
    insta::assert_snapshot!(specimen("insert_keeps_order"));
}

#[test]
fn a_property_that_returned_false() {
    insta::assert_snapshot!(specimen("is_short"));
}

#[test]
fn a_property_that_returned_none() {
    insta::assert_snapshot!(specimen("has_a_first"));
}

#[test]
fn a_property_that_returned_an_error() {
    insta::assert_snapshot!(specimen("parses"));
}

#[test]
fn a_property_with_a_borrowed_text() {
    insta::assert_snapshot!(specimen("fits"));
}

#[test]
fn an_example_that_fails() {
    insta::assert_snapshot!(specimen("is_small"));
}

#[test]
fn an_async_property_has_no_test_of_its_own() {
    insta::assert_snapshot!(specimen("answers"));
}

#[test]
fn a_property_that_picks_has_no_test_of_its_own() {
    let report = specimen("picks_more");
    assert!(report.contains("\n  n  ") && report.contains("rs:LINE = 7\n"), "{report}");
    assert!(!report.contains("#[example"), "an example does not say what is picked:\n{report}");
}

#[test]
fn a_stored_failure_replayed() {
    let specimen = Specimen::new("specimens::adds_up");
    let first = specimen.failing_report();
    let second = specimen.failing_report();
    assert!(first.contains("found in case"), "{first}");
    insta::assert_snapshot!(without_places(&second, Some(specimen.folder())));
}

#[test]
fn a_stored_failure_that_passes_now() {
    let folder = tempfile::tempdir().unwrap();
    let checker = || Checker::new("p").settings(Settings::new().seed(1).regressions(folder.path()));
    let holds_below = |limit: i32| {
        move |t: &mut Case<'_>| {
            assert!(t.pick(0..1000)? < limit);
            Ok(())
        }
    };
    assert!(!checker().report(holds_below(100)).is_success());
    insta::assert_snapshot!(text(checker().report(holds_below(1000))));
}

#[test]
fn a_stored_failure_that_no_longer_fits() {
    let folder = tempfile::tempdir().unwrap();
    let checker = || Checker::new("p").settings(Settings::new().seed(1).regressions(folder.path()));
    let failure = || Err(Stop::fail(Failure::named("is large")));
    let first = checker().report(|t| if t.pick(0..1000)? < 100 { Ok(()) } else { failure() });
    assert!(!first.is_success());
    let second = checker().report(|t| {
        t.pick(vec(0..10, 0..10))?;
        Ok(())
    });
    insta::assert_snapshot!(without_places(&text(second), Some(folder.path())));
}

#[test]
fn proved_for_one_input() {
    assert_eq!(text(quiet("p").report(|_| Ok(()))), "property `p` is proved for the only input");
}

#[test]
fn proved() {
    insta::assert_snapshot!(text(quiet("p").report(|t| {
        let (a, b) = (t.pick(any::<bool>())?, t.pick(0..4)?);
        t.assume(a || b > 0)?;
        Ok(())
    })));
}

#[test]
fn completed_up_to_a_bound() {
    let settings = Settings::new().exhaustive(3).without_regressions();
    insta::assert_snapshot!(text(Checker::new("p").settings(settings).report(|t| {
        t.pick(vec(any::<i32>(), 0..20))?;
        Ok(())
    })));
}

#[test]
fn a_bound_that_could_not_be_completed_in_time() {
    let settings = Settings::new().exhaustive(9).time(Duration::from_secs(1)).without_regressions();
    insta::assert_snapshot!(text(Checker::new("p").settings(settings).report(|t| {
        if t.pick(vec(any::<i32>(), 0..20))?.len() == 2 {
            std::thread::sleep(std::time::Duration::from_millis(1500));
        }
        Ok(())
    })));
}

#[test]
fn passed_with_statistics() {
    insta::assert_snapshot!(text(quiet("p").cases(1000).seed(1).report(|t| {
        let xs = t.pick(vec(0..1000, 0..20))?;
        t.assume(xs.first() != Some(&0))?;
        t.label(if xs.is_empty() { "empty" } else { "some" });
        t.classify(xs.len() > 10, "many");
        t.collect("length", xs.len());
        t.collect("first", xs.first());
        t.cover(20.0, xs.len() > 5, "longer than five");
        t.maximize("sum", f64::from(xs.iter().sum::<i32>().min(5000)));
        Ok(())
    })));
}

#[test]
fn coverage_not_met() {
    insta::assert_snapshot!(text(quiet("p").report(|t| {
        let n = t.pick(0..1000)?;
        t.cover(50.0, n > 990, "large");
        t.cover(1.0, n < 900, "usual");
        Ok(())
    })));
}

#[test]
fn gave_up() {
    insta::assert_snapshot!(text(quiet("p").report(|t| {
        let n = t.pick(0..1000)?;
        t.assume(n % 3 != 0)?;
        let even = t.pick((0..1000).such_that(move |m| m % 2 == 0 && m % 97 == n % 97))?;
        t.assume(even > 5000)?;
        Ok(())
    })));
}

#[test]
fn flaky() {
    let is_first = AtomicBool::new(true);
    insta::assert_snapshot!(text(quiet("p").report(|t| {
        let xs = t.pick(vec(0..1000, 0..5))?;
        let is_first = xs.len() > 2 && is_first.swap(false, Ordering::Relaxed);
        assert!(!is_first, "only the\nfirst time");
        Ok(())
    })));
}

#[test]
fn flaky_with_another_failure() {
    let n_calls = AtomicU64::new(0);
    insta::assert_snapshot!(text(quiet("p").report(|t| {
        t.pick(0..1000)?;
        match n_calls.fetch_add(1, Ordering::Relaxed) {
            0 => panic!("one"),
            _ => panic!("two"),
        }
    })));
}

#[test]
#[allow(clippy::reversed_empty_ranges, reason = "that is the mistake")]
fn generators_that_cannot_work() {
    insta::assert_snapshot!(
        "empty_range",
        text(quiet("p").report(|t| {
            t.pick(5..5)?;
            Ok(())
        }))
    );
    insta::assert_snapshot!(
        "no_alternative",
        text(quiet("p").report(|t| {
            t.pick(weighted([(0, just(1)), (0, just(2))]))?;
            Ok(())
        }))
    );
}

#[test]
fn further_failures() {
    insta::assert_snapshot!(text(quiet("p").seed(1).report(|t| {
        let n = t.pick(0..1000)?;
        assert!(n < 500, "far too large");
        assert!(n < 250, "too large");
        Ok(())
    })));
}

#[test]
fn shrinking_that_ran_out_of_its_budget() {
    let settings = Settings::new().seed(1).max_shrinks(3).without_regressions();
    insta::assert_snapshot!(text(Checker::new("p").settings(settings).report(|t| {
        let xs = t.pick(vec(0..1000, 0..20))?;
        assert!(xs.iter().sum::<i32>() < 2000);
        Ok(())
    })));
}
