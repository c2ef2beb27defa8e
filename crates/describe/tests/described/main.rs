//! Modules written from descriptions: as they are kept beside them, they compile, run and find bugs.

use stairway::prelude::*;
use std::path::Path;

#[rustfmt::skip] mod counter;
#[rustfmt::skip] mod wordarray;

fn index() -> impl Generate<Value = u32> {
    either(0..20u32, any::<u32>())
}

mod spec {
    use stairway::Outcomes;

    pub(crate) fn set(arr: &[u8], from: u64, n: u64, v: u8) -> Vec<u8> {
        let is_set = |k: usize| (from..from + n).contains(&(k as u64));
        arr.iter().enumerate().map(|(k, old)| if is_set(k) { v } else { *old }).collect()
    }

    pub(crate) fn create(n: u8) -> Outcomes<Option<usize>> {
        Outcomes::named("made", Some(usize::from(n))).or(Outcomes::named("no memory", None))
    }
}

mod real {
    pub(crate) fn set(mut arr: Vec<u8>, from: u32, n: u32, v: u8) -> Vec<u8> {
        let end = (from as usize).saturating_add(n as usize).min(arr.len());
        if let Some(part) = arr.get_mut(from as usize..end) {
            part.fill(v);
        }
        arr
    }

    pub(crate) fn create(n: u8) -> Option<Vec<u8>> {
        Some(vec![0; usize::from(n)])
    }

    pub(crate) fn counts(words: Vec<u8>) -> Vec<(u8, i32)> {
        let mut sorted = words;
        sorted.sort_unstable();
        let count = |run: &[u8]| (run[0], i32::try_from(run.len()).unwrap_or(i32::MAX));
        sorted.chunk_by(|a, b| a == b).map(count).collect()
    }
}

/// `UPDATE_DESCRIBED=1` writes the modules anew; read the difference.
#[test]
fn the_modules_are_what_the_descriptions_say() {
    for name in ["wordarray.json", "counter.toml"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/described").join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let module = stairway_describe::module(name, &text).unwrap();
        let written = path.with_extension("rs");
        if std::env::var_os("UPDATE_DESCRIBED").is_some() {
            std::fs::write(&written, &module).unwrap();
        }
        assert_eq!(std::fs::read_to_string(written).unwrap(), module);
    }
}

#[test]
fn alternatives_are_counted_there_as_anywhere() {
    let report =
        wordarray::wordarray_create_refinement().with_settings(Settings::without_regressions).report();
    assert!(report.to_string().contains("never no memory (allowed in 50 cases)"), "{report}");
}
