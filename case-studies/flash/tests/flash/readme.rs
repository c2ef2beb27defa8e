//! The README shows what is really reported.

use crate::{crash, readpage};
use case_study_support::{SHOWN_SEED, assert_readme_shows, block};
use flash::page::Bug;

#[test]
fn the_readme_shows_what_is_reported() {
    assert_readme_shows(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("forgotten errors", block(readpage::forgets_errors())),
            ("what is allowed", block(readpage::holds())),
            ("no padding", block(readpage::planted(Bug::NoPadding, SHOWN_SEED))),
            ("first is last", block(crash::planted::<1>(SHOWN_SEED))),
            ("size before data", block(crash::planted::<2>(SHOWN_SEED))),
            ("last operation first", block(crash::planted::<3>(SHOWN_SEED))),
        ],
    );
}
