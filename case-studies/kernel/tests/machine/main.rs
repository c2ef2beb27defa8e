//! The study's kernel on its machine.

mod properties;
mod walk;

use std::path::PathBuf;
use std::time::Duration;

/// Far more than any silence of a machine that works, however slow the one below it is.
const SILENCE: Duration = Duration::from_secs(60);

/// A folder for the images of one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder for images can be made");
    folder
}
