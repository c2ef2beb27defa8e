//! Options of the command line that no other test is about, several in one run.

use crate::support::{Folder, Ran};
use serde_json::Value as Json;

pub(crate) fn json(ran: &Ran) -> Json {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}{}", ran.out, ran.err))
}

fn n_calls(report: &Json, function: &str) -> u64 {
    let functions = report["functions"].as_array().expect("functions");
    let found = functions.iter().find(|f| f["name"] == function);
    found.and_then(|f| f["calls"].as_u64()).unwrap_or_default()
}

/// Fails once it has been called four times.
const COUNTER: &str = "#include <assert.h>\nstatic int n, is_open;\nvoid open_it(void) { is_open = 1; }\n\
    void up(void)\n/*@ accesses n; requires n >= 0i32; ensures n == {n}%start + 1i32; @*/\n{ n++; }\n\
    void use(int x) { assert(is_open); assert(n < 4 || x == 0); }\n";

#[test]
fn a_seed_decides_everything_and_the_length_is_kept() {
    let folder = Folder::with(COUNTER);
    let run = |seed: &str| {
        let ran = folder.stairway(&format!(
            "test t.c --json --seed {seed} --calls 600 --max-len 3 --init open_it --fn open_it,use --no-feedback"
        ));
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        json(&ran)
    };
    let (one, again, other) = (run("7"), run("0x7"), run("8"));
    assert_eq!(one, again);
    assert_eq!((&one["seed"], &other["seed"]), (&"0x7".into(), &"0x8".into()));
    assert_ne!(n_calls(&one, "use"), n_calls(&other, "use"));
    let n_sequences = one["sequences"]["passed"].as_u64().expect("a number");
    assert!(n_sequences >= 200, "{n_sequences}");
    assert!(one["calls"].as_u64().expect("a number") <= 3 * n_sequences);
    assert_eq!(n_calls(&one, "up"), 0);
}

#[test]
fn every_sequence_begins_with_what_is_asked_for() {
    let folder = Folder::with(COUNTER);
    let ran = folder.test("--init open_it --skip up --all --quiet");
    assert_eq!((ran.code, &*ran.out), (0, ""), "{}", ran.err);
    let ran = folder.test("--json --no-shrink --init open_it --all");
    assert_eq!(ran.code, 1, "{}", ran.err);
    let report = json(&ran);
    let steps = report["failure"]["steps"].as_array().expect("steps");
    assert_eq!(steps[0]["function"], "open_it");
    assert!(steps.len() > 6, "not shrunk: {}", steps.len());
    let ran = folder.test("--init open_it --all --json");
    assert_eq!(json(&ran)["failure"]["steps"].as_array().map(Vec::len), Some(6), "{}", ran.out);
}

#[test]
fn the_compiler_gets_its_flags() {
    let folder = Folder::with(
        "#include <limit.h>\n#ifndef STRICT\n#error strictness is missing\n#endif\nint below(int x)\n\
         /*@ requires x < 100i32; ensures return < 100i32; @*/\n{ return x < LIMIT ? x : LIMIT; }\n",
    );
    std::fs::create_dir(folder.path().join("inc")).expect("writable");
    folder.write("inc/limit.h", "#ifdef SMALL\n#define LIMIT 9\n#else\n#define LIMIT 200\n#endif\n");
    let ran = folder.test("--cc gcc -I inc -D SMALL -DLIMITS=1 --jobs 2 -- -DSTRICT -O2");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let ran = folder.test("-Iinc -DSMALL");
    assert_eq!(ran.code, 65, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("strictness is missing"), "{}", ran.err);
    assert_eq!(folder.test("-DSMALL -- -DSTRICT").code, 65);
    assert_eq!(folder.stairway("check t.c -I inc -D SMALL -- -DSTRICT").code, 0);
}

#[test]
fn a_call_may_take_so_long() {
    let folder = Folder::with("int spin(int x) { while (x == 3) { } return x; }\n");
    let ran = folder.stairway("test t.c --seed 1 --fuel 5000 --calls 2000");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("`spin` has not returned after 5000 basic blocks, which is its fuel"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("spin(3)") && ran.out.contains("--fuel 5000 --replay"), "{}", ran.out);
}

#[test]
fn what_is_demanded_and_not_met_is_said_in_json() {
    let folder = Folder::with(
        "int no(int x)\n/*@ requires x > 5i32; x < 3i32; @*/\n{ return x; }\nint yes(int x)\n\
         /*@ ensures return == x; @*/\n{ return x; }\n",
    );
    let ran = folder.test("--json --demand-all");
    assert_eq!((ran.code, &json(&ran)["outcome"]), (2, &"gave up".into()), "{}", ran.out);
    assert_eq!(folder.test("--json --demand-all --skip no").code, 0);
}

#[test]
fn the_temporary_folder_may_be_long_and_must_be_writable() {
    let folder = Folder::with("int f(int x) { return x; }\n");
    let long = folder.path().join("a-long-name".repeat(15)).join("b-long-name".repeat(15));
    std::fs::create_dir_all(&long).expect("writable");
    let ran = folder.stairway_with("TMPDIR", &long, "test t.c --calls 200");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for nowhere in [folder.path().join("t.c"), folder.path().join("nowhere")] {
        let ran = folder.stairway_with("TMPDIR", &nowhere, "test t.c --calls 200");
        assert_eq!(ran.code, 65, "{}{}", ran.out, ran.err);
        assert!(ran.err.contains("set TMPDIR to one that can be written"), "{}", ran.err);
    }
}

#[test]
fn what_only_stairway_can_get_wrong_is_70() {
    // A worker that nobody has told what to do.
    let folder = Folder::with("int f(int x) { return x; }\n");
    let ran = folder.stairway("__worker t.c");
    assert_eq!(ran.code, 70, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("t.c is no file that Stairway has written for itself"), "{}", ran.err);
    assert!(ran.err.contains("this is a bug of Stairway"), "{}", ran.err);
}
