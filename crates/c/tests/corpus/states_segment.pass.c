// expect: pass
/* A queue as a segment of a list with a pointer to its last cell. */
struct cell { int value; struct cell *next; };
struct queue { struct cell *front, *back; };

/*@
predicate (u32) Segment(pointer p, pointer last) {
  if (ptr_eq(p, last)) {
    return 0u32;
  } else {
    take C = RW<struct cell>(p);
    take n = Segment(C.next, last);
    return n + 1u32;
  }
}

predicate (u32) Queue(pointer q) {
  take Q = RW<struct queue>(q);
  if (is_null(Q.front)) {
    assert(is_null(Q.back));
    return 0u32;
  } else {
    take n = Segment(Q.front, Q.back);
    take L = RW<struct cell>(Q.back);
    assert(is_null(L.next));
    return n + 1u32;
  }
}
@*/

struct cell *pop(struct queue *q)
/*@ requires take n = Queue(q); n > 0u32;
    ensures take m = Queue(q); take C = RW<struct cell>(return); m == n - 1u32; @*/
{
    struct cell *c = q->front;
    q->front = c->next;
    if (!q->front) q->back = 0;
    return c;
}
