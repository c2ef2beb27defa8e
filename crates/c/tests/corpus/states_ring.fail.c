// expect: timeout of size, at most 1 calls
// options: --fuel 100000
/* Goes round until it meets NULL, which no ring has. */
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
@*/

unsigned size(struct cell *ring)
/*@ requires take C = RW<struct cell>(ring); take n = Arc(C.next, ring);
    ensures take D = RW<struct cell>(ring); take m = Arc(D.next, ring); @*/
{
    unsigned n = 1;
    for (struct cell *p = ring->next; p; p = p->next) n++;
    return n;
}
