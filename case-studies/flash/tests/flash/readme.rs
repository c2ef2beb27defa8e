//! The README shows what is really reported.

use crate::{c_store, crash, readpage};
use case_study_support::{SHOWN_SEED, assert_readme_shows, block};
use flash::page::Bug;
use stairway::Report;

#[test]
fn the_readme_shows_what_is_reported() {
    let in_c = c_store::planted().map(|planted| (planted.name, whole(&planted.report(SHOWN_SEED))));
    let mut shown = vec![
        ("forgotten errors", block(readpage::forgets_errors())),
        ("what is allowed", block(readpage::holds())),
        ("no padding", block(readpage::planted(Bug::NoPadding, SHOWN_SEED))),
        ("first is last", block(crash::planted::<1>(SHOWN_SEED))),
        ("size before data", block(crash::planted::<2>(SHOWN_SEED))),
        ("last operation first", block(crash::planted::<3>(SHOWN_SEED))),
    ];
    shown.extend(in_c.into_iter().filter(|(name, _)| *name != "leaked block"));
    assert_readme_shows(env!("CARGO_MANIFEST_DIR"), &shown);
}

/// With the line of C beside the failure.
fn whole(report: &Report) -> String {
    format!("```text\n{}\n```", report.to_string().trim_end())
}
