//! How long a search lasts: counted, the same on every machine; and the clock, if that ended it.

use crate::options::json;
use crate::support::Folder;

const RIGHT: &str = "int twice(int x)\n/*@ requires x < 1000i32; x > -1000i32; ensures return == x + x; @*/\n{ return 2 * x; }\n\
    int late(int x) { while (x == 3) { } return x; }\n";

#[test]
fn a_search_ends_after_the_same_sequence_with_any_number_of_workers() {
    let folder = Folder::with(RIGHT);
    let run = |jobs: u32| {
        let ran =
            folder.stairway(&format!("test t.c --seed 5 --json --calls 9000 --fuel 40000 --jobs {jobs}"));
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        ran.out
    };
    let one = run(1);
    assert_eq!((run(2), run(3)), (one.clone(), one.clone()));
    let report: serde_json::Value = serde_json::from_str(one.trim()).expect("JSON");
    let n_calls = report["spent"]["calls"].as_u64().expect("a number");
    assert!((9000..9050).contains(&n_calls), "{report}");
    assert_eq!(report["stopped_by"], "budget");
}

#[test]
fn functions_that_nobody_blames_are_left_sooner_when_they_hang() {
    let work = |more: &str| {
        let ran = Folder::with(RIGHT)
            .stairway(&format!("test t.c --seed 5 --json --calls 3000 --fuel 16000000 {more}"));
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        let report = json(&ran);
        let is_noted =
            |note: &serde_json::Value| note.as_str().is_some_and(|note| note.contains("hang in late"));
        let notes = report["notes"].as_array().expect("a list");
        (report["spent"]["work"].as_u64().expect("a number"), notes.iter().any(is_noted))
    };
    let ((usual, _), (with_hangs, is_noted)) = (work("--only twice"), work(""));
    assert!(is_noted);
    // Each of them takes a million blocks instead of sixteen.
    assert!(with_hangs > usual + 1_000_000 && with_hangs < usual + 1_000_000_000, "{usual} {with_hangs}");
}

#[test]
fn the_clock_is_named_when_it_ends_a_search() {
    let ran = Folder::with("int twice(int x)\n/*@ requires x < 1000i32; x > -1000i32; ensures return == x + x; @*/\n{ return 2 * x; }\n")
        .stairway("test t.c --time 0.3");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("stopped by the clock after "), "{}", ran.out);
}

#[test]
fn a_call_is_out_of_fuel_after_the_same_block_every_time() {
    let folder = Folder::with(
        "unsigned f(unsigned n) { unsigned k = 0; while (n > 7) { k++; n = n % 2 ? n + 1 : n - 1; } return k; }\n",
    );
    let run = || folder.stairway("test t.c --seed 2 --calls 2000 --fuel 70000 --json");
    let first = run();
    assert_eq!(first.code, 1, "{}{}", first.out, first.err);
    let failure = &json(&first)["failure"];
    assert_eq!(failure["identity"], "hang in f");
    assert_eq!(failure["message"], "`f` has not returned after 70000 basic blocks, which is its fuel");
    assert_eq!(failure["steps"][0]["call"], "unsigned int x1 = f(9);");
    assert_eq!(json(&run())["failure"]["place"], failure["place"]);
}
