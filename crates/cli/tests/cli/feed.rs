//! What functions are fed with: how often they are called, with which arguments, and what a report says of that.

use crate::support::{Folder, Ran};
use serde_json::Value as Json;
use std::fmt::Write as _;

fn json(ran: &Ran) -> Json {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}{}", ran.out, ran.err))
}

const TWO: &str = "#include <stddef.h>\nint one(int x) { return x > 3; }\nint other(const char *text) { return text[0] == 'x'; }\n";

#[test]
fn any_number_of_functions_is_called() {
    let mut text = String::new();
    for k in 0..300 {
        let _ = writeln!(text, "int f{k}(int x) {{ return x > {k}; }}");
    }
    let folder = Folder::with(&text);
    let ran = folder.stairway("test t.c --seed 1 --calls 20000 --demand-all --json");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let report = json(&ran);
    assert_eq!(report["functions"].as_array().map(Vec::len), Some(300));
}

#[test]
fn a_weight_is_kept_and_an_unknown_function_refused() {
    let folder = Folder::with(TWO);
    let calls = |options: &str| -> (u64, u64) {
        let report = json(&folder.test(&format!("--json {options}")));
        let of = |k: usize| report["functions"][k]["calls"].as_u64().expect("a number");
        (of(0), of(1))
    };
    let (one, other) = calls("");
    assert!(one < 2 * other && other < 2 * one, "{one} and {other}");
    let (one, other) = calls("--weight one=20");
    assert!(one > 3 * other, "{one} and {other}");
    let ran = folder.test("--weight nobody=2");
    assert_eq!((ran.code, ran.err.contains("there is no function `nobody`")), (64, true), "{}", ran.err);
    let ran = folder.test("--weight one=0");
    assert_eq!((ran.code, ran.err.contains("--skip leaves a function out")), (64, true), "{}", ran.err);
}

#[test]
fn the_distribution_says_what_was_passed() {
    let folder = Folder::with(TWO);
    let ran = folder.test("--distribution");
    assert_eq!(ran.code, 0, "{}", ran.err);
    for words in
        ["arguments of one\n  x  ", "0 (", "arguments of other\n  text  new, ", "512 elements and more ("]
    {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
    let report = json(&folder.test("--distribution --json"));
    let drawn = &report["functions"][1]["arguments"][0];
    assert_eq!(drawn["name"], "text");
    assert!(drawn["drawn"].as_array().is_some_and(|drawn| drawn.len() > 3), "{drawn}");
    assert!(json(&folder.test("--json"))["functions"][1]["arguments"].is_null());
}

#[test]
fn the_distribution_counts_states_too() {
    let text = "/*@ predicate (i64) Cell(pointer p) { take x = RW<long>(p); assert (x > 2i64); return x; } @*/\n\
        long get(long *p)\n/*@ requires take x = Cell(p); ensures take y = Cell(p); @*/\n{ return *p; }\n";
    let ran = Folder::with(text).test("--distribution --from states");
    assert!(ran.out.contains("all together  a state, 1 object ("), "{}{}", ran.out, ran.err);
}

/// The lines of a report that say what to do.
fn help(ran: &Ran) -> String {
    let mut is_help = false;
    let lines = ran.out.lines().filter(|line| {
        is_help = line.starts_with("help:") || (is_help && line.starts_with("    "));
        is_help
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_function_without_a_contract_is_reported_with_what_to_write() {
    let at = Folder::with("int at(const int *p, int i) { return p[i]; }\n").test("");
    let sum = "int sum(const int *p, int width) { int s = 0; for (int i = 0; i < width + 1; i++) s |= p[i]; return s; }\n";
    let sum = Folder::with(sum).test("");
    let null = Folder::with("int first(const int *p) { return *p; }\n").test("--hostile");
    let number = "#include <stdlib.h>\nint low(int x) { if (x > 40) abort(); return x; }\n";
    let number = Folder::with(number).test("");
    let object = "#include <stdlib.h>\nstruct box { int n; };\nint open_it(struct box *b) { if (b->n == 0) abort(); return 1; }\n";
    let object = Folder::with(object).test("");
    let global = "static int n;\nstatic int m;\nint get(void)\n/*@ accesses m; ensures return == m; @*/\n{ n = m; return n; }\n";
    let global = Folder::with(global).test("");
    let all = [at, sum, null, number, object, global].map(|ran| {
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        help(&ran)
    });
    insta::assert_snapshot!(all.join("\n\n"));
}

/// What is proposed for a file that fails, after the marker that it is pasted in place of.
fn proposal(file: &str, marker: &str) -> String {
    let ran = Folder::with(file).test("");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let proposed = ran.out.lines().find_map(|line| line.strip_prefix("    ")?.strip_prefix(marker));
    proposed.unwrap_or_else(|| panic!("nothing that begins with `{marker}`: {}", ran.out)).to_string()
}

#[test]
fn what_is_proposed_is_about_what_a_pointer_leads_to() {
    let file = "void put(unsigned char **at)\n//HERE\n{ *(*at)++ = 1; *(*at)++ = 2; }\n";
    let taken = "take Of_at = RW<unsigned char *>(at);";
    assert_eq!(proposal(file, "/*@ requires "), format!("{taken} !is_null(Of_at); @*/"));
    let file = file.replace("{ *", "{ if (!*at) return; *");
    let clause = proposal(&file, "/*@ requires ");
    let elements = "each (u64 i; i < 2u64) { RW<unsigned char>(array_shift<unsigned char>(Of_at, i)) }";
    assert_eq!(clause, format!("{taken} take Elements = {elements}; @*/"));
    let right = file.replace("//HERE", &format!("/*@ requires {clause}"));
    let ran = Folder::with(&right).test("");
    assert!(!ran.out.contains("outside block"), "{}{}", ran.out, ran.err);
}

#[test]
fn what_is_proposed_may_be_about_an_earlier_call() {
    let file = "#include <stdlib.h>\nstatic int n;\nvoid set(int to)\n//HERE\n{ n = to; }\nint get(void) { if (n > 50) abort(); return n; }\n";
    let clause = proposal(file, "/*@ requires ");
    assert_eq!(clause, "to < 51i32; @*/");
    let right = file.replace("//HERE", &format!("/*@ requires {clause}"));
    let ran = Folder::with(&right).test("--all");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn what_an_assertion_demands_is_proposed_as_a_guard() {
    let file = "#include <assert.h>\n#include <stdlib.h>\nstruct motor { int is_on; };\n\
                struct motor *make(void) { return calloc(1, sizeof(struct motor)); }\n\
                int start(struct motor *m) { if (!m) return 1; assert(!m->is_on); m->is_on = 1; return 0; }\n";
    let guard = proposal(file, "int guarded_start");
    assert_eq!(guard, "(struct motor *m) { if (!m->is_on) return start(m); return (int){0}; }");
    let ran = Folder::with(&format!("{file}int guarded_start{guard}\n")).test("--skip start");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn a_number_after_a_text_may_be_more_than_its_length() {
    let file = "#include <stdlib.h>\n#include <string.h>\nchar *pad(const char *s, size_t NAME)\n{\n\
                size_t n = strlen(s), all = n > NAME ? n : NAME;\nchar *out = malloc(n + 1);\nif (!out) return NULL;\n\
                memset(out, ' ', all - n);\nmemcpy(out + (all - n), s, n + 1);\nreturn out;\n}\n";
    let ran = Folder::with(&file.replace("NAME", "width")).test("");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let doubtful = "help: doubtful: `width` of `pad` (call 1) is more than the text before it has bytes";
    assert!(ran.out.contains(doubtful), "{}", ran.out);
    // By its name this one is the length, and a caller who passes more is wrong.
    let ran = Folder::with(&file.replace("NAME", "len")).test("");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn who_freed_what_is_used_is_named() {
    let file = "#include <stdlib.h>\nstruct item { int n; };\nstatic struct item *kept;\n\
                struct item *make(void) { return calloc(1, sizeof(struct item)); }\n\
                void keep(struct item *i) { kept = i; }\nvoid drop(struct item *i) { free(i); }\n\
                int look(void) { return kept ? kept->n : 0; }\n";
    let ran = Folder::with(file).test("--only make,keep,drop,look");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let named = "help: `drop` (call 3) has freed it, and nobody says that it was still needed";
    assert!(ran.out.contains(named), "{}", ran.out);
    assert!(ran.out.contains("leave `drop` out with --skip drop"), "{}", ran.out);
}

#[test]
fn what_is_proposed_excludes_the_call() {
    for (body, clause) in [
        ("{ if (x > 40) abort(); return x; }", "x < 41i32;"),
        ("{ if (x < -40) abort(); return x; }", "x > -41i32;"),
        ("{ if (x == 0) abort(); return x; }", "x != 0i32;"),
    ] {
        let failing = format!("#include <stdlib.h>\nint f(int x)\n{body}\n");
        let ran = Folder::with(&failing).test("");
        assert!(ran.out.contains(&format!("/*@ requires {clause} @*/")), "{}", ran.out);
        let right = format!("#include <stdlib.h>\nint f(int x)\n/*@ requires {clause} @*/\n{body}\n");
        let ran = Folder::with(&right).test("");
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    }
}

#[test]
fn thirty_seven_blocks_of_one_byte_are_thirty_seven_bytes() {
    let folder = Folder::with(
        "#include <stdlib.h>\nint kept;\nvoid f(void)\n/*@ accesses kept; @*/\n\
         { for (int i = 0; i < 37; i++) { char *p = malloc(1); if (p) *p = 1; } kept = 1; }\n",
    );
    let ran = folder.test("");
    assert!(ran.out.contains("`f` leaks 37 bytes"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_made_up_callback_is_part_of_the_program_that_is_written() {
    let folder = Folder::with(
        "#include <stdlib.h>\nint run(int (*next)(int), int n) { if (n > 0 && next(1) == 5 && next(2) == 6) abort(); return 0; }\n",
    );
    let ran = folder.stairway("test t.c --seed 1 --emit-test repro.c");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let program = folder.read("repro.c");
    assert!(program.contains("static const int answers[] = {5, 6};"), "{program}");
    assert_eq!(folder.compile_and_run("repro.c", &[]), -6, "{program}");
}

#[test]
fn a_failing_allocation_belongs_to_its_call() {
    let folder = Folder::with(
        "#include <stdlib.h>\nstatic char *kept[3];\nvoid warm(void) { free(kept[0]); kept[0] = malloc(1); free(kept[1]); kept[1] = malloc(1); }\n\
         int grow(void) { char *p = malloc(2); if (!p) return 0; char *q = malloc(2); *q = 1; free(p); free(q); return 1; }\n",
    );
    let ran = folder.test("--malloc-fail");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("    // the 2nd allocation of this call fails\n    int x1 = grow();\n"),
        "{}",
        ran.out
    );
}

#[test]
fn what_was_registered_under_an_address_is_looked_for_by_it() {
    let folder = Folder::with(
        "#include <assert.h>\nstatic const void *known[8];\nstatic int n;\n\
         int watch(const void *owner) { if (n == 8) return 0; known[n++] = owner; return 1; }\n\
         int unwatch(const void *owner)\n{\n    for (int k = 0; k < n; k++)\n        assert(known[k] != owner);\n    return 0;\n}\n",
    );
    let ran = folder.test("");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("watch(m1_1)") && ran.out.contains("unwatch(m1_1)"), "{}", ran.out);
}

#[test]
fn constants_that_are_bits_are_passed_together() {
    let folder = Folder::with(
        "#include <assert.h>\nenum mode { NONE, READ, WRITE, APPEND = 4, ALL = 7 };\n\
         int valid(enum mode m) { assert((int)m != 5); return m != APPEND; }\n",
    );
    let ran = folder.test("");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("valid(READ | APPEND)"), "{}", ran.out);
}

#[test]
fn an_array_of_pointers_ends_with_null_and_one_without_is_doubtful() {
    let folder = Folder::with(
        "#include <stdlib.h>\nvoid drop(char **parts)\n{\n    for (char **p = parts; *p; p++) free(*p);\n    free(parts);\n}\n",
    );
    assert_eq!(folder.test("--cautious").code, 0);
    let ran = folder.test("");
    let doubt =
        "help: doubtful: `parts` of `drop` (call 1) is an array of pointers without a NULL at its end";
    assert!(ran.code == 1 && ran.out.contains(doubt), "{}{}", ran.out, ran.err);
    assert!(!ran.out.contains("requires"), "a number of elements is no help: {}", ran.out);
}
