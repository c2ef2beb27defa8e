//! Sequences that take new branches are varied: what lies behind a row of right calls is found with that and not
//! without, with any number of workers, and a run that sees nothing new ends and says how to repeat it.

use crate::options::json;
use crate::support::Folder;

/// Opens after nine right calls in a row, and then writes past its end. It counts right calls, or the compiler would
/// do without branches.
const LOCK: &str = "static int at;\nstatic int n_right[10];\nstatic char store[4];\n\
    void a(void) { if (at == 0) { at = 1; n_right[1]++; } else at = 0; }\n\
    void b(void) { if (at == 2) { at = 3; n_right[3]++; } else if (at == 4) { at = 5; n_right[5]++; } else at = 0; }\n\
    void c(void) { if (at == 6) { at = 7; n_right[7]++; } else at = 0; }\n\
    void d(void) { if (at == 1) { at = 2; n_right[2]++; } else at = 0; }\n\
    void e(void) { if (at == 3) { at = 4; n_right[4]++; } else at = 0; }\n\
    void f(void) { if (at == 5) { at = 6; n_right[6]++; } else if (at == 8) { at = 9; n_right[9]++; } else at = 0; }\n\
    void g(void) { if (at == 7) { at = 8; n_right[8]++; } else at = 0; }\n\
    void h(void) { if (at == 9) store[at] = 1; else at = 0; }\n";

#[test]
fn what_lies_behind_a_row_of_right_calls_is_found_by_variations() {
    let folder = Folder::with(LOCK);
    let run = |options: &str| {
        let ran = folder.stairway(&format!("test t.c --json --seed 3 --calls 150000 {options}"));
        std::fs::remove_dir_all(folder.path().join("stairway-regressions")).ok();
        (ran.code, json(&ran))
    };
    assert_eq!(run("").0, 0, "by chance it takes a hundred million calls");
    let (code, one) = run("--feedback --jobs 1");
    let steps = one["failure"]["steps"].as_array().expect("steps");
    assert_eq!((code, steps.len()), (1, 10), "{one}");
    assert_eq!(run("--feedback --jobs 3"), (1, one), "the number of workers decides nothing");
}

#[test]
fn a_search_that_sees_nothing_new_ends_and_can_be_repeated() {
    let folder = Folder::with("int twice(int x) { return x > 1000 ? 0 : x * 2; }\n");
    let ran = folder.stairway("test t.c --feedback --ub memory --seed 1");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let again = ran.out.split("(--calls ").nth(1).and_then(|rest| rest.split(' ').next()).expect(&ran.out);
    let counted =
        |text: &str| text.split("passed: ").nth(1).and_then(|rest| rest.split(';').next()).map(String::from);
    let repeated = folder.stairway(&format!("test t.c --feedback --ub memory --seed 1 --calls {again}"));
    assert_eq!(
        counted(&ran.out),
        counted(repeated.out.lines().next().unwrap_or_default()),
        "{}",
        repeated.out
    );
}
