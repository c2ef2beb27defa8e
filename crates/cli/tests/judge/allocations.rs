//! Allocations that fail.

use crate::support::hunt;

const UNCHECKED: &str = "
#include <stdlib.h>
struct pair { int *a; int *b; };
struct pair *make(int x) {
    struct pair *p = malloc(sizeof *p);
    if (!p) return NULL;
    p->a = malloc(sizeof *p->a);
    if (!p->a) { free(p); return NULL; }
    *p->a = x;
    p->b = malloc(sizeof *p->b);
    *p->b = x;
    return p;
}
";

#[test]
fn a_missing_check_is_found() {
    hunt(UNCHECKED, &[]).passes();
    let ended = hunt(UNCHECKED, &["--malloc-fail"]);
    ended.fails().says("// the 3rd allocation of this call fails").says("file.c:11").says("x1 = make(0);");
    let again = hunt(UNCHECKED, &["--malloc-fail", "--replay", &ended.replay()]);
    again.fails().says("// the 3rd allocation of this call fails");
}

#[test]
fn checked_allocations_pass() {
    let code = UNCHECKED.replace("    *p->b = x;", "    if (p->b) *p->b = x;");
    hunt(&code, &["--malloc-fail"]).passes();
}

#[test]
fn what_fails_anyway_needs_no_failing_allocation() {
    let code = "
#include <stdlib.h>
int *box(int x) { int *p = malloc(sizeof *p); if (p) *p = x; return p; }
int half(int x) { if (x == 12) abort(); return x / 2; }
";
    hunt(code, &["--malloc-fail"])
        .fails()
        .says("half(12)")
        .does_not_say("allocation of this call fails")
        .does_not_say("box(");
}
