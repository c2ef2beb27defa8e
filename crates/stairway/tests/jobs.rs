//! Users rely on `jobs` changing how long a run takes and nothing else: the report of a run on
//! several threads is the report of a run on one, to the letter.

use stairway::prelude::*;

/// Checks that the property has one report, however many threads run it, and gives it.
fn one_report(property: impl Fn(&mut Case<'_>) -> Checked + Sync) -> String {
    let report = |jobs| {
        let settings = Settings::new().seed(7).cases(1000).jobs(jobs).without_regressions();
        let mut report = Checker::new("p").settings(settings).report(&property);
        if let stairway::report::Outcome::Falsified(found) = &mut report.result.outcome {
            // A backtrace, if RUST_BACKTRACE asks for it, shows the threads.
            found.failure.details.clear();
        }
        report.to_string()
    };
    let one = report(1);
    for jobs in [2, 4, 7] {
        assert_eq!(report(jobs), one, "with {jobs} jobs");
    }
    one
}

#[test]
fn statistics_of_a_passing_run() {
    let report = one_report(|t| {
        let xs = t.pick(vec(0..100, 0..20))?;
        t.classify(xs.is_sorted(), "sorted");
        t.collect("length", xs.len());
        t.maximize("sum", f64::from(xs.iter().sum::<i32>()));
        Ok(())
    });
    assert!(report.contains("labels\n") && report.contains("largest scores\n"), "{report}");
}

#[test]
fn the_first_failure_and_its_shrinking() {
    let report = one_report(|t| {
        let xs = t.pick(vec(0..1000, 0..20))?;
        t.label("drawn");
        assert!(xs.iter().sum::<i32>() < 7000, "the sum is too large");
        Ok(())
    });
    assert!(report.contains("the sum is too large") && report.contains("shrunk in"), "{report}");
}

#[test]
fn discards_and_giving_up() {
    let passing = one_report(|t| {
        let n = t.pick(0..1_000_000)?;
        t.assume(n % 3 == 0)?;
        Ok(())
    });
    assert!(passing.contains("discarded)"), "{passing}");
    let hopeless = one_report(|t| {
        let n = t.pick(0..1_000_000)?;
        t.assume(n % 3 == 0 && n > 999_000)?;
        Ok(())
    });
    assert!(hopeless.contains("gave up"), "{hopeless}");
}

#[test]
fn coverage_met_and_not_met() {
    let met = one_report(|t| {
        let n = t.pick(0..1_000_000)?;
        t.cover(45.0, n % 2 == 0, "even");
        Ok(())
    });
    assert!(met.contains("45.0% demanded: met)"), "{met}");
    let unmet = one_report(|t| {
        let n = t.pick(0..1_000_000)?;
        t.cover(70.0, n % 2 == 0, "even");
        Ok(())
    });
    assert!(unmet.contains("70.0% demanded: NOT MET)"), "{unmet}");
}

#[test]
fn all_of_few_inputs() {
    let report = one_report(|t| {
        t.pick((any::<bool>(), 0..50))?;
        Ok(())
    });
    assert_eq!(report, "property `p` is proved for all 100 inputs");
}

#[test]
fn cases_do_run_on_several_threads() {
    let threads = std::sync::Mutex::new(std::collections::BTreeSet::new());
    let settings = Settings::new().seed(7).cases(1000).jobs(4).without_regressions();
    let report = Checker::new("p").settings(settings).report(|t| {
        t.pick(any::<u64>())?;
        thread_local!(static HERE: u8 = const { 0 });
        threads.lock().unwrap().insert(HERE.with(|here| std::ptr::from_ref(here).addr()));
        Ok(())
    });
    assert!(report.is_success(), "{report}");
    assert!(threads.into_inner().unwrap().len() > 1);
}
