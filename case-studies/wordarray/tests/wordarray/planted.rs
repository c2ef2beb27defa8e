//! Mistakes that are compiled in: each is found from every seed, and shrunk to what the README shows.

use super::elements::{of_u8, of_u16, with_build};
use case_study_support::{SHOWN_SEED, assert_readme_shows, settings};
use stairway::Report;
use stairway::refine::RefinementChecker;
use stairway_c::library::Library;

/// A mistake, and who finds it.
struct Planted {
    name: &'static str,
    library: &'static Library,
    checker: fn() -> RefinementChecker,
}

/// How many cases a mistake may take to be found.
const MAX_CASES: u64 = 1000;

macro_rules! planted {
    ($($name:literal, $switch:literal, $module:ident, $checker:ident;)*) => {
        [$({
            static LIBRARY: Library = $module::c::built_with(&[$switch]);
            Planted { name: $name, library: &LIBRARY, checker: $module::$checker }
        }),*]
    };
}

fn all() -> [Planted; 6] {
    planted! {
        "unchecked source", "-DPLANTED_UNCHECKED_SOURCE", of_u8, copy_refinement;
        "count as end", "-DPLANTED_COUNT_AS_END", of_u8, set_refinement;
        "wrapping sum", "-DPLANTED_WRAPPING_SUM", of_u8, set_refinement;
        "byte count", "-DPLANTED_BYTE_COUNT", of_u16, slice_refinement;
        "leaked header", "-DPLANTED_LEAKED_HEADER", of_u8, create_refinement;
        "read past end", "-DPLANTED_READ_PAST_END", of_u8, cmp_refinement;
    }
}

impl Planted {
    fn report(&self, seed: u64) -> Report {
        let checker = (self.checker)().settings(settings(seed)).cases(MAX_CASES);
        with_build(self.library, || checker.report())
    }
}

#[test]
fn every_mistake_is_found_from_every_seed() {
    for planted in all() {
        for seed in 0..20 {
            let report = planted.report(seed);
            assert!(
                report.counterexample().is_some(),
                "{} is not found from seed {seed}: {report}",
                planted.name
            );
        }
    }
}

/// The whole report: what is beside a failure of C is a line of C.
fn block(report: &Report) -> String {
    format!("```text\n{}\n```", report.to_string().trim_end())
}

#[test]
fn the_readme_shows_what_is_reported() {
    let shown: Vec<(&str, String)> = all().iter().map(|p| (p.name, block(&p.report(SHOWN_SEED)))).collect();
    assert_readme_shows(env!("CARGO_MANIFEST_DIR"), &shown);
}
