// expect: postcondition of drop_first, at most 1 calls
// clause: take t = Summed(l)
/* A list that keeps the sum of its values in its header; dropping the first value forgets that. */
#include <stdlib.h>
struct cell { int value; struct cell *next; };
struct list { int sum; struct cell *first; };

/*@
predicate (i32) Cells(pointer p) {
  if (is_null(p)) {
    return 0i32;
  } else {
    take C = RW<struct cell>(p);
    assert(0i32 <= C.value && C.value < 100i32);
    take s = Cells(C.next);
    return C.value + s;
  }
}

predicate (i32) Summed(pointer l) {
  take L = RW<struct list>(l);
  take s = Cells(L.first);
  assert(L.sum == s);
  return s;
}
@*/

void drop_first(struct list *l)
/*@ requires take s = Summed(l); s > 0i32;
    ensures take t = Summed(l); @*/
{
    struct cell *c = l->first;
    l->first = c->next;
    free(c);
}
