//! What is said and fails nothing.

use crate::support::hunt;

#[test]
fn blocks_that_nothing_leads_to_are_noted() {
    let code = "
#include <stdlib.h>
static int *last;
void remember(int x) {
    last = malloc(sizeof *last);
    *last = x;
}
int *kept(int x) {
    int *p = malloc(sizeof *p);
    *p = x;
    return p;
}
";
    let ended = hunt(code, &[]);
    ended.passes().says("note: never freed, and nothing leads to it at the end: allocated at file.c:5");
    ended.does_not_say("file.c:9");
}

#[test]
fn a_function_that_frees_leaves_nothing_behind() {
    let code = "
#include <stdlib.h>
static int *last;
void remember(int x) {
    free(last);
    last = malloc(sizeof *last);
    *last = x;
}
void take(int *p) { last = p; }
";
    hunt(code, &["--only", "remember"]).passes().does_not_say("never freed");
}

const HELPER: &str = "
static int cells[4];
void put(int at, int x) { cells[at] = x; }
int deref(int *p, int n) { return p[n]; }
int first(void)
/*@ accesses cells; @*/
/*@ ensures return == cells[0u64]; @*/
{ return cells[0]; }
int bad(int x)
/*@ ensures return != 77i32; @*/
{ return x == 1234 ? 77 : 0; }
";

#[test]
fn functions_without_a_contract_are_not_blamed() {
    let ended = hunt(HELPER, &["--skip", "bad"]);
    ended.passes().says("note: not blamed without a contract (--all does): `put`: out of bounds at file.c:3");
    ended.says("`deref`: read at file.c:4").does_not_say("NEVER CALLED").does_not_say("gave up");
    hunt(HELPER, &["--skip", "bad", "--all"]).fails();
}

#[test]
fn they_do_not_keep_others_from_being_blamed() {
    hunt(HELPER, &[]).fails().says("the postcondition of `bad` does not hold").says("bad(1234)");
}

#[test]
fn always_failing_functions_do_not_end_the_hunt() {
    let code = "
#include <stdlib.h>
void never(int x) { (void)x; abort(); }
int one(void)
/*@ ensures return == 1i32; @*/
{ return 1; }
";
    let ended = hunt(code, &[]);
    ended.passes().says("`never`: abort at file.c:3").does_not_say("gave up");
}

#[test]
fn a_nested_function_with_a_contract_is_blamed() {
    let code = "
int half(int x)
/*@ requires 0i32 <= x; ensures return <= x; @*/
{ return x == 1000 ? 2000 : x / 2; }
int outer(int x) { return half(x == 5 ? 1000 : 0); }
";
    let ended = hunt(code, &["--only", "outer"]);
    ended.fails().says("the postcondition of `half` does not hold").says("outer(5)");
}

#[test]
fn ending_the_program_is_noted() {
    let code = "
#include <stdlib.h>
int checked(int x) { if (x > 100) exit(3); return x; }
";
    hunt(code, &[]).passes().says("note: ends the program: `checked` with status 3");
}

#[test]
fn a_call_that_is_not_blamed_is_undone() {
    let code = "
#include <stdlib.h>
static int n;
static int *last;
int *box(int x) { int *p = malloc(sizeof *p); *p = x; last = p; return p; }
void bump(int *p, int x) { n++; *p += 1; if (x > 3) abort(); *p -= 1; n--; }
int zero(void)
/*@ accesses n; ensures return == 0i32; @*/
{ return n; }
int same(const int *p)
/*@ requires take before = RW<int>(p); ensures take after = RW<int>(p); after == before; return == before; @*/
{ return *p; }
";
    hunt(code, &[]).passes().says("`bump`: abort at file.c:6").does_not_say("different results on replay");
}
