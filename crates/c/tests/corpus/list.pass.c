// expect: pass
#include <stdlib.h>

/* A list on the heap, a list in the spec, and a predicate that reads one as the other. */

struct node {
    int value;
    struct node *next;
};

/*@
datatype List {
  Nil {},
  Cons { i32 head, datatype List tail }
}

predicate [rec] (datatype List) ListAt(pointer p) {
  if (is_null(p)) {
    return Nil {};
  } else {
    take N = RW<struct node>(p);
    take rest = ListAt(N.next);
    return Cons { head: N.value, tail: rest };
  }
}

function [rec] (datatype List) append(datatype List a, datatype List b) {
  match a {
    Nil {} => { b }
    Cons { head: h, tail: t } => { Cons { head: h, tail: append(t, b) } }
  }
}

function [rec] (u32) count(datatype List l) {
  match l {
    Nil {} => { 0u32 }
    Cons { head: _, tail: t } => { 1u32 + count(t) }
  }
}
@*/

struct node *nil(void)
/*@ ensures take L = ListAt(return); L == Nil {}; @*/
{
    return NULL;
}

struct node *cons(int value, struct node *next)
/*@ requires take L = ListAt(next);
    ensures take L2 = ListAt(return);
            L2 == Cons { head: value, tail: L }; @*/
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = next;
    return n;
}

unsigned length(const struct node *l)
/*@ requires take L = ListAt(l);
    ensures take L2 = ListAt(l); L2 == L; return == count(L); @*/
{
    unsigned n = 0;
    for (; l; l = l->next) n++;
    return n;
}

struct node *concat(struct node *a, struct node *b)
/*@ requires take A = ListAt(a); take B = ListAt(b);
    ensures take C = ListAt(return); C == append(A, B); @*/
{
    if (!a) return b;
    a->next = concat(a->next, b);
    return a;
}
