// expect: pass
#include <stdlib.h>
struct cell { int first; struct cell *next; };
struct queue { struct cell *front; struct cell *back; };
/*@
datatype seq { Nil {}, Cons { i32 head, datatype seq tail } }
function [rec] (datatype seq) snoc(datatype seq xs, i32 y) { match xs { Nil {} => { Cons { head: y, tail: Nil {} } } Cons { head: x, tail: zs } => { Cons { head: x, tail: snoc(zs, y) } } } }
predicate (datatype seq) QueueAux(pointer f, pointer b) {
  if (ptr_eq(f, b)) { return Nil {}; }
  else { take F = RW<struct cell>(f); assert(!is_null(F.next)); take B = QueueAux(F.next, b);
    return Cons { head: F.first, tail: B }; }
}
predicate (datatype seq) QueueFB(pointer front, pointer back) {
  if (is_null(front)) { return Nil {}; }
  else { take B = RW<struct cell>(back); assert(is_null(B.next)); take L = QueueAux(front, back);
    return snoc(L, B.first); }
}
predicate (datatype seq) Queue(pointer q) {
  take Q = RW<struct queue>(q);
  assert((is_null(Q.front) && is_null(Q.back)) || (!is_null(Q.front) && !is_null(Q.back)));
  take L = QueueFB(Q.front, Q.back);
  return L;
}
@*/
int pop(struct queue *q)
/*@ requires take Q = Queue(q); Q != Nil {}; ensures take Q2 = Queue(q); @*/
{ struct cell *c = q->front; int x = c->first; q->front = c->next; if (!q->front) q->back = 0; free(c); return x; }
