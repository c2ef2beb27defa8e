// expect: pass
#include <stdlib.h>
struct cell { int head; struct cell *tail; };
/*@
datatype seq { Nil {}, Cons { i32 head, datatype seq tail } }
predicate (datatype seq) Sorted(pointer p) {
  if (is_null(p)) { return Nil {}; }
  else { take c = RW<struct cell>(p); take T = Sorted(c.tail);
    assert(match T { Nil {} => { true } Cons { head: h, tail: _ } => { c.head <= h } });
    return Cons { head: c.head, tail: T }; }
}
function [rec] (u32) length(datatype seq s) { match s { Nil {} => { 0u32 } Cons { head: _, tail: t } => { 1u32 + length(t) } } }
@*/
unsigned len(struct cell *p)
/*@ requires take S = Sorted(p); length(S) >= 3u32; ensures take S2 = Sorted(p); S == S2; return == length(S); @*/
{ unsigned n = 0; for (; p; p = p->tail) n++; return n; }
int first(struct cell *p)
/*@ requires take S = Sorted(p); S != Nil {}; ensures take S2 = Sorted(p); S == S2; @*/
{ return p->head; }
