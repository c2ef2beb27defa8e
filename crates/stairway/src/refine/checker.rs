//! The checker of a `refinement!`: a checker like any other, with its property.

use crate::check::{Check, Checker};
use crate::checker::{Example, Run};
use crate::report::Report;
use crate::reproducer::Source;
use crate::reproducer_program::Subject;
use crate::settings::Settings;
use stairway_engine::{Case, Checked};

/// Checks that an implementation does only what its specification allows; made by `refinement!`.
pub type RefinementChecker = Checker<Refinement>;

/// A `refinement!`, as a property.
#[derive(Clone, Copy, Debug)]
pub struct Refinement(fn(&mut Case<'_>) -> Checked);

impl Check for Refinement {
    fn report(self, run: Run) -> Report {
        run.has_own_test().report(self.0)
    }

    fn demanding(settings: Settings) -> Settings {
        settings.demand_all_alternatives()
    }
}

impl Refinement {
    #[doc(hidden)]
    pub fn checker(
        name: &'static str,
        settings: Settings,
        source: Source,
        examples: Vec<Example>,
        property: fn(&mut Case<'_>) -> Checked,
    ) -> RefinementChecker {
        let mut checker = Checker::of(name, Refinement(property)).settings(settings);
        checker.run.source = Some(source);
        checker.run.subject = Subject::Refinement;
        checker.run.examples = examples.into();
        checker
    }
}
