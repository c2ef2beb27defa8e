//! Uninitialised values that decide something fail; those that are only handed on do not.

use crate::support::hunt;

#[test]
fn a_branch_on_fresh_memory_fails() {
    let code = "
#include <stdlib.h>
struct node { int value; int is_last; };
struct node *make(int value) {
    struct node *n = malloc(sizeof *n);
    if (!n) return NULL;
    n->value = value;
    return n;
}
int count(struct node *n) {
    if (n->is_last > 0) return 1;
    return 0;
}
";
    let ended = hunt(code, &[]);
    ended.fails().says("`count`: uninitialised memory decides what it does").says("file.c:11");
    ended.says("struct node *x1 = make(").says("= count(x1);");
    hunt(code, &["--replay", &ended.replay()]).fails().says("`count`: uninitialised memory");
}

#[test]
fn a_local_variable_that_is_not_always_set_fails() {
    let code = "
int some(int n, int k) {
    int table[4];
    for (int i = 0; i < (n & 3); i++) table[i] = i;
    return table[k & 3] ? 1 : 2;
}
";
    hunt(code, &[])
        .fails()
        .says("`some`: a variable that was never set decides what it does")
        .says("int x1 = some(0, 0);");
}

#[test]
fn garbage_that_is_returned_fails() {
    let code = "
#include <stdlib.h>
int fresh(void) { int *p = malloc(sizeof *p); int x = *p; free(p); return x; }
";
    hunt(code, &[]).fails().says("`fresh`: uninitialised memory decides").says("file.c:3");
}

#[test]
fn garbage_that_is_only_copied_passes() {
    let code = r#"
#include <stdlib.h>
#include <string.h>
struct padded { char c; long n; char d; };
struct part { int used; int unused; char name[20]; };
struct bits { unsigned a : 3, b : 5; };
struct padded whole(char c, long n) { struct padded p; p.c = c; p.n = n; p.d = 'x'; return p; }
long sum(struct padded p) { return p.c + (p.n & 0xff) + p.d; }
struct part *make(int used) {
    struct part *p = malloc(sizeof *p);
    p->used = used;
    strcpy(p->name, "part");
    return p;
}
struct part *copy(const struct part *from) {
    struct part *to = malloc(sizeof *to);
    memcpy(to, from, sizeof *to);
    return to;
}
struct part value(const struct part *from) { struct part p = *from; return p; }
int used(const struct part *p) { struct part q = *p; return q.used; }
int bit(int x) { struct bits *b = malloc(sizeof *b); b->a = 1; b->b = x & 7; x = b->b; free(b); return x; }
char *grown(int n) {
    char *p = malloc(8), *q;
    p[0] = 'a';
    p[1] = 0;
    q = realloc(p, 16 + (n & 15));
    return q;
}
"#;
    hunt(code, &[]).passes().does_not_say("uninitialised").does_not_say("replay");
}

#[test]
fn other_results_in_each_run_are_no_garbage() {
    let code = "
#include <stdio.h>
FILE *stream(void) { return fopen(\"x\", \"w\"); }
int is_open(FILE *f) { return f != NULL; }
";
    hunt(code, &["--calls", "1000"]).passes().does_not_say("uninitialised");
}

#[test]
fn contracts_with_fresh_memory_pass() {
    let code = "
void set(int *p, int x)
/*@ requires take before = W<int>(p);
    ensures take after = RW<int>(p); after == x; @*/
{ *p = x; }
int get(int *p)
/*@ requires take before = RW<int>(p);
    ensures take after = RW<int>(p); after == before; return == before; @*/
{ return *p; }
";
    hunt(code, &[]).passes().does_not_say("uninitialised");
}

#[test]
fn a_function_without_a_contract_is_not_blamed_for_garbage() {
    let code = "
#include <stdlib.h>
int fresh(void) { int *p = malloc(sizeof *p); int x = *p; free(p); return x; }
int one(void)
/*@ ensures return == 1i32; @*/
{ return 1; }
";
    hunt(code, &[]).passes().says("not blamed without a contract (--all does): uninitialised in fresh");
    hunt(code, &["--all"]).fails().says("`fresh`: uninitialised memory decides");
}
