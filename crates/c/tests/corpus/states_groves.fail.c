// expect: postcondition of reweigh_child, at most 6 calls
// clause: take P2 = Siblings(p, NULL)
#include <stdlib.h>
/* Trees of any width: the first child, and the next sibling; parents are known. */
struct item { struct item *parent, *child, *sibling; int weight, sum; };
/*@
datatype Forest { Bare {}, Grove { i32 weight, i32 sum, datatype Forest below, datatype Forest beside } }
function [rec] (i32) sums(datatype Forest f) {
  match f { Bare {} => { 0i32 } Grove { weight: _, sum: s, below: _, beside: b } => { s + sums(b) } }
}
predicate [rec] (datatype Forest) Siblings(pointer p, pointer parent) {
  if (is_null(p)) { return Bare {}; }
  else {
    take I = RW<struct item>(p);
    assert(ptr_eq(I.parent, parent));
    assert(0i32 <= I.weight && I.weight <= 100i32);
    take B = Siblings(I.child, p);
    take R = Siblings(I.sibling, parent);
    assert(I.sum == I.weight + sums(B));
    return Grove { weight: I.weight, sum: I.sum, below: B, beside: R };
  }
}
@*/
struct item *leaf(int weight)
/*@ requires 0i32 <= weight && weight <= 100i32;
    ensures take F = Siblings(return, NULL); F == Grove { weight: weight, sum: weight, below: Bare {}, beside: Bare {} }; @*/
{
    struct item *i = malloc(sizeof *i);
    if (!i) abort();
    i->parent = i->child = i->sibling = 0;
    i->weight = i->sum = weight;
    return i;
}
void adopt(struct item *p, struct item *c)
/*@ requires take P = Siblings(p, NULL); take C = Siblings(c, NULL);
             P != Bare {}; C != Bare {};
             match C { Bare {} => { false } Grove { weight: _, sum: _, below: _, beside: b } => { b == Bare {} } };
    ensures take P2 = Siblings(p, NULL);
            match P { Bare {} => { false } Grove { weight: w, sum: s, below: _, beside: _ } => {
            match P2 { Bare {} => { false } Grove { weight: w2, sum: s2, below: _, beside: _ } => { w2 == w && s2 == s + sums(C) } } } }; @*/
{
    c->parent = p;
    c->sibling = p->child;
    p->child = c;
    p->sum += c->sum;
}
int total(struct item *p)
/*@ requires take P = Siblings(p, NULL);
    ensures take P2 = Siblings(p, NULL); P2 == P; return == sums(P); @*/
{
    int n = 0;
    for (; p; p = p->sibling) n += p->sum;
    return n;
}
void reweigh_child(struct item *p, int weight)
/*@ requires take P = Siblings(p, NULL); 0i32 <= weight && weight <= 100i32;
    ensures take P2 = Siblings(p, NULL); @*/
{
    if (!p || !p->child) return;
    struct item *c = p->child;
    int by = weight - c->weight;
    c->weight = weight;
    c->sum += by;
    if (c->child == 0) p->sum += by;
}
