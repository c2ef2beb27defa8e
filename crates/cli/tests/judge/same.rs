//! Two implementations of one thing.

use crate::support::hunt;

const SUMS: &str = "
#include <stdio.h>
unsigned sum(unsigned n) { unsigned s = 0; n &= 0xff; for (unsigned i = 0; i <= n; i++) s += i; return s; }
unsigned gauss(unsigned n) { n &= 0xff; return n * (n + 1) / 2; }
unsigned wrong(unsigned n) { n &= 0xff; return n * n / 2 + n / 2; }
void say(int x) { printf(\"%d\\n\", x); }
void speak(int x) { printf(\"%i\\n\", x == 3 ? 4 : x); }
int other(int x) { return x; }
";

#[test]
fn equal_functions_pass() {
    let ended = hunt(SUMS, &["--same", "sum=gauss", "--skip", "wrong"]);
    ended.passes().does_not_say("gauss  ");
}

#[test]
fn different_results_are_found() {
    let ended = hunt(SUMS, &["--same", "sum=wrong"]);
    ended.fails().says("`wrong` differs from `sum`: 1 with `sum`, 0 with `wrong`").says("x1 = sum(1);");
}

#[test]
fn different_output_is_found() {
    hunt(SUMS, &["--same", "say=speak"])
        .fails()
        .says("`speak` differs from `say`: they print something else")
        .says("say(3);");
}

#[test]
fn functions_of_other_types_cannot_be_compared() {
    let ended = hunt(SUMS, &["--same", "sum=other"]);
    ended.says("`sum` and `other` cannot be compared");
    hunt(SUMS, &["--same", "sum=none"]).says("there is no function `none`");
    hunt(SUMS, &["--same", "sum=gauss", "--only", "say"]).says("there is no function `sum`");
    hunt(SUMS, &["--invariant", "none"]).says("there is no function `none`").does_not_say("loaded");
    hunt(SUMS, &["--invariant", "sum"]).says("`sum` cannot be an invariant");
    hunt(SUMS, &["--init", "none"]).says("there is no function `none`").does_not_say("loaded");
    hunt(SUMS, &["--same", "sum"]).says("name two functions");
}

const SORTS: &str = "
#include <stdlib.h>
#include <string.h>
struct four { int a[4]; };
void sort(struct four *f) {
    int *a = f->a;
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && a[j - 1] > a[j]; j--) { int t = a[j]; a[j] = a[j - 1]; a[j - 1] = t; }
}
static int compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
void library(struct four *f) {
    struct four *copy = malloc(sizeof *copy);
    *copy = *f;
    qsort(copy->a, 4, sizeof copy->a[0], compare);
    memcpy(f, copy, sizeof *f);
    free(copy);
}
void lazy(struct four *f) { if (f->a[0] > f->a[1]) { int t = f->a[0]; f->a[0] = f->a[1]; f->a[1] = t; } }
struct four *make(int a, int b, int c, int d) {
    struct four *g = malloc(sizeof *g);
    *g = (struct four){{a, b, c, d}};
    return g;
}
";

#[test]
fn memory_behind_pointers_is_compared() {
    hunt(SORTS, &["--same", "sort=library", "--only", "sort,make"]).passes();
    hunt(SORTS, &["--same", "sort=lazy", "--only", "sort,make"])
        .fails()
        .says("`lazy` differs from `sort`: other data behind a pointer");
}

#[test]
fn other_blocks_are_no_difference() {
    let code = "
#include <stdlib.h>
struct box { int *p; int n; };
struct box *make(int n) { struct box *b = malloc(sizeof *b); b->p = malloc(sizeof *b->p); *b->p = n; b->n = n; return b; }
struct box *spare(int n) {
    struct box *b = malloc(sizeof *b);
    free(malloc(100));
    b->p = calloc(4, sizeof *b->p);
    b->p[0] = n;
    b->n = n;
    return b;
}
int inside(struct box *b) { return b->p ? *b->p : 0; }
int *get(struct box *b) { return b->p; }
int deref(const int *p) { return *p; }
void set(struct box *b, int x) { if (b->p) *b->p = x; }
";
    hunt(code, &["--same", "make=spare", "--skip", "get,deref"]).passes();
    let broken = code.replace("b->p[0] = n;", "b->p[0] = n == 99 ? 98 : n;");
    let ended = hunt(&broken, &["--same", "make=spare", "--skip", "get,deref"]);
    ended.fails().says("`spare` differs from `make` in `inside`: 99 with `make`, 98 with `spare`");
}
