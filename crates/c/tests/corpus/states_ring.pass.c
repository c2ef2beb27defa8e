// expect: pass
/* A ring of cells without a beginning: the pointer is to any of them. */
struct cell { unsigned char value; struct cell *next; };

/*@
predicate (u32) Arc(pointer p, pointer end) {
  if (ptr_eq(p, end)) {
    return 0u32;
  } else {
    take C = RW<struct cell>(p);
    take n = Arc(C.next, end);
    return n + 1u32;
  }
}

predicate (u32) Ring(pointer p) {
  take C = RW<struct cell>(p);
  take n = Arc(C.next, p);
  return n + 1u32;
}
@*/

unsigned size(struct cell *ring)
/*@ requires take n = Ring(ring);
    ensures take m = Ring(ring); m == n; return == n; @*/
{
    unsigned n = 1;
    for (struct cell *p = ring->next; p != ring; p = p->next) n++;
    return n;
}

struct cell *turned(struct cell *ring)
/*@ requires take n = Ring(ring);
    ensures take m = Ring(return); m == n; @*/
{
    return ring->next;
}
