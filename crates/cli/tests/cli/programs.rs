//! `--emit-test`: programs that fail without Stairway while the bug is there, and pass once it is fixed.

use crate::support::Folder;

/// Hunts, compiles what was written and expects it to fail; then mends the file and expects it to pass, if it can.
fn fails(text: &str, flags: &[&str], mended: Option<(&str, &str)>) {
    let folder = Folder::with(text);
    let ran = folder.test("--emit-test repro.c");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let program = folder.read("repro.c");
    assert_ne!(folder.compile_and_run("repro.c", flags), 0, "{program}");
    if let Some((from, to)) = mended {
        assert!(text.contains(from));
        folder.write("t.c", &text.replace(from, to));
        assert_eq!(folder.compile_and_run("repro.c", flags), 0, "{program}");
    }
}

const SANITIZERS: &[&str] = &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

#[test]
fn a_clause_over_numbers_is_asserted() {
    let text = "int max(int a, int b)\n/*@ ensures return >= a && return >= b; (return == a) || return == b; @*/\n\
                { return a > 100 ? a : (a > b ? a : b); }\n";
    fails(text, &[], Some(("a > 100 ? a : ", "")));
}

#[test]
fn arithmetic_wraps_as_in_the_contract() {
    let text = "unsigned char next(unsigned char x)\n/*@ ensures return == x + 1u8; @*/\n\
                { return x == 255 ? 255 : x + 1; }\n";
    fails(text, &[], Some(("x == 255 ? 255 : x + 1", "x + 1")));
}

#[test]
fn memory_before_and_after_is_compared() {
    let text = "struct s { int n; unsigned m; };\nstatic void bump(struct s *p, unsigned k)\n\
                /*@ requires take b = RW<struct s>(p); k < 10u32;\n\
                    ensures take a = RW<struct s>(p); a.m == b.m + 1u32; @*/\n\
                { p->m += k == 7 ? 2 : 1; }\nint main(void) { struct s s = {0}; bump(&s, 1); return 9; }\n";
    fails(text, &[], Some(("k == 7 ? 2 : 1", "1")));
}

#[test]
fn globals_and_spec_functions_are_asserted() {
    let text = "static int total;\n/*@ function [rec] (i32) sum(i32 n) { if (n <= 0i32) { 0i32 } else { n + sum(n - 1i32) } } @*/\n\
                void add(int n)\n/*@ accesses total; requires n >= 0i32; n < 30i32; total >= 0i32; total < 1000i32;\n\
                    ensures total == {total}%start + sum(n); @*/\n\
                { total += n == 5 ? 14 : n * (n + 1) / 2; }\n";
    fails(text, &[], Some(("n == 5 ? 14 : ", "")));
}

#[test]
fn a_result_that_a_list_demands_is_asserted() {
    let queue = include_str!("queue.c");
    fails(queue, &[], Some(("x = 0;", "")));
}

#[test]
fn what_c_cannot_say_fails_in_any_case() {
    let queue = include_str!("queue.c");
    let text = queue.replace("        x = 0;\n", "").replace(
        "        q->back->next = c;\n        q->back = c;\n",
        "        c->next = q->front;\n        q->front = c;\n",
    );
    assert_ne!(text, queue);
    fails(&text, &[], None);
}

#[test]
fn what_only_a_contract_forbids_fails_in_any_case() {
    let text = "struct s { int a, b; };\nvoid set(struct s *p)\n/*@ requires take A = RW<int>(&(p->a)); ensures take B = RW<int>(&(p->a)); @*/\n\
                { p->a = p->b; }\n";
    fails(text, SANITIZERS, None);
}

#[test]
fn an_invariant_is_asked() {
    let text = "static int n;\nint sane(void) { return n < 3; }\nvoid up(void) { n++; }\n";
    let folder = Folder::with(text);
    let ran = folder.test("--invariant sane --emit-test repro.c");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert_ne!(folder.compile_and_run("repro.c", &[]), 0);
    folder.write("t.c", &text.replace("n++", "n = 1"));
    assert_eq!(folder.compile_and_run("repro.c", &[]), 0);
}

#[test]
fn calls_that_do_not_return_are_enough() {
    fails("#include <assert.h>\nint f(int x) { assert(x != 3); return x; }\n", &[], Some(("x != 3", "1")));
    fails(
        "#include <stdlib.h>\nint f(int x) { if (x > 3) abort(); return x; }\n",
        &[],
        Some(("abort()", "x = 0")),
    );
    fails("int f(int x) { return 100 / (x - 7); }\n", &[], Some(("(x - 7)", "8")));
    let endless = "int f(int x) { while (x == 42) { } return x; }\n";
    fails(endless, &[], Some(("x == 42", "0")));
}

#[test]
fn memory_errors_are_for_sanitizers() {
    fails(include_str!("leak.c"), SANITIZERS, None);
    let freed = "#include <stdlib.h>\nint *make(void) { int *p = malloc(sizeof *p); *p = 1; return p; }\n\
                 void drop(int *p) { free(p); }\nint get(int *p) { return *p; }\n";
    fails(freed, SANITIZERS, None);
    let behind = "#include <stdlib.h>\nint last(int n)\n/*@ requires n > 0i32; n < 9i32; @*/\n\
                  { int *p = malloc(n * sizeof *p); p[n] = 1; int x = p[n]; free(p); return x; }\n";
    fails(behind, SANITIZERS, Some(("p[n]", "p[n - 1]")));
}

#[test]
fn types_without_tags_and_several_files_compile() {
    let text = "#include \"a.h\"\nstatic int inner(mode m) { return m == LOUD ? 2 : STEP; }\nint level(mode m, pt p)\n\
                /*@ requires p.x < 100i32; p.x > -100i32; ensures return == p.x + 1i32; @*/\n\
                { return p.x + inner(m) + zero(); }\n";
    let folder = Folder::with(text);
    folder.write(
        "a.h",
        "typedef enum { QUIET, LOUD } mode;\ntypedef struct { int x; char name[3]; double d; } pt;\nint zero(void);\n",
    );
    folder.write(
        "b.c",
        "#include \"a.h\"\nstatic int inner(void) { return 0; }\nint zero(void) { return inner(); }\n",
    );
    let ran = folder.stairway("test t.c b.c --calls 5000 -DSTEP=1 --emit-test repro.c");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(folder.read("repro.c").contains("gcc -DSTEP=1 -g repro.c "), "{}", folder.read("repro.c"));
    assert_ne!(folder.compile_and_run("repro.c", &["-DSTEP=1", "b.c"]), 0);
    folder.write("t.c", &text.replace("m == LOUD ? 2 : ", ""));
    assert_eq!(folder.compile_and_run("repro.c", &["-DSTEP=1", "b.c"]), 0);
}

#[test]
fn nothing_is_written_when_everything_holds() {
    let folder = Folder::with("int f(int x) { return x; }\n");
    assert_eq!(folder.test("--emit-test repro.c").code, 0);
    assert!(!folder.path().join("repro.c").exists());
}

#[test]
fn functions_without_a_body_are_in_the_program_that_shows_a_failure() {
    let folder = Folder::with(
        "#include <stdlib.h>\n\
         int between(int low, int high);\n\
         /*@ spec between(i32 low, i32 high); requires low <= high; ensures low <= return; return <= high; @*/\n\
         void fill(int *p, int n);\n\
         /*@ spec fill(pointer p, i32 n);\n\
             requires take P = W<int>(p); ensures take Q = RW<int>(p); Q == n; @*/\n\
         int *fresh(int n);\n\
         /*@ spec fresh(i32 n); requires true; ensures take R = RW<int>(return); R == n; @*/\n\
         int never_called(void);\n\
         /*@ spec never_called(); requires true; ensures true; @*/\n\
         int sum(int n)\n\
         /*@ requires 0i32 <= n; n < 100i32; ensures return < n + n + n; @*/\n\
         { int x; fill(&x, n); int *p = fresh(n); int all = between(0, n) + x + *p; free(p);\n\
           return n > 1000 ? never_called() : all; }\n",
    );
    let ran = folder.test("--emit-test repro.c");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let text = folder.read("repro.c");
    assert!(text.contains("int between(int low, int high)\n{"), "{text}");
    // It ends with the violated clause, which is checked by `abort`.
    assert_eq!(folder.compile_and_run("repro.c", &[]), -6, "{text}");
}
