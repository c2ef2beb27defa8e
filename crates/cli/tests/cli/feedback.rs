//! Sequences that take new branches, or come nearer to what they are compared with, are varied: what lies behind a row
//! of right calls, or a number that no chance meets, is found with that and not without, with any number of workers;
//! and a run that sees nothing new ends and says how to repeat it. Each can be turned off.

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
    assert_eq!(run("--no-feedback").0, 0, "by chance it takes a hundred million calls");
    let (code, one) = run("--jobs 1");
    let steps = one["failure"]["steps"].as_array().expect("steps");
    assert_eq!((code, steps.len()), (1, 10), "{one}");
    assert_eq!(run("--jobs 3"), (1, one), "the number of workers decides nothing");
}

/// Two numbers that are computed from others, one after the other, and then a word.
const KEYS: &str = "#include <string.h>\n\
    static unsigned nonce, key; static int state; static char store[4];\n\
    void begin(unsigned number) { nonce = number * 40503u + 12345u; state = 1; }\n\
    int exchange(unsigned number) {\n\
        if (state != 1 || number != (nonce ^ 0x9e3779b9u)) return -1;\n\
        key = number * 3;\n\
        state = 2;\n\
        return 0;\n\
    }\n\
    int enter(unsigned user, unsigned token, const char *word) {\n\
        if (state != 2 || token != user + key) return -1;\n\
        if (strcmp(word, \"quit\")) store[4] = 1;\n\
        return 0;\n\
    }\n";

#[test]
fn a_number_that_is_compared_with_a_computed_one_becomes_that() {
    let folder = Folder::with(KEYS);
    let run = |options: &str| {
        let ran = folder.stairway(&format!("test t.c --json --calls 150000 {options}"));
        std::fs::remove_dir_all(folder.path().join("stairway-regressions")).ok();
        (ran.code, json(&ran))
    };
    for seed in 1..=3 {
        let by_chance = run(&format!("--seed {seed} --no-feedback"));
        assert_eq!(by_chance.0, 0, "by chance it takes thousands of millions of calls");
        let (code, found) = run(&format!("--seed {seed}"));
        let steps = found["failure"]["steps"].as_array().expect("steps");
        assert_eq!((code, steps.len()), (1, 3), "seed {seed}: {found}");
    }
    let one = run("--seed 2 --jobs 1");
    assert_eq!(run("--seed 2 --jobs 3"), one, "the number of workers decides nothing");
}

#[test]
fn a_search_that_sees_nothing_new_ends_and_can_be_repeated() {
    let folder = Folder::with("int twice(int x) { return x > 1000 ? 0 : x * 2; }\n");
    let run = |options: &str| {
        let ran = folder.stairway(&format!("test t.c --ub memory --seed 1 {options}"));
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        ran
    };
    let settled = run("--jobs 2").out;
    let (counted, why) =
        settled.split_once("; nothing new was seen in the second half (--calls ").expect(&settled);
    let n = why.split_once(" repeats it, --no-settle searches on)").expect(&settled).0;
    let repeated = run(&format!("--calls {n}")).out;
    assert_eq!(repeated.lines().next(), Some(counted));
    assert_eq!(repeated.lines().skip(1).collect::<Vec<_>>(), settled.lines().skip(1).collect::<Vec<_>>());
    let whole = json(&run("--no-settle --json"));
    assert_eq!(whole["stopped_by"], "budget");
    let n_whole = whole["spent"]["calls"].as_u64().expect("a number");
    assert!(n_whole > 2 * n.parse::<u64>().expect("a number"), "{n_whole}");
}
