// expect: pass
/* A doubly linked list with a sentinel: nothing here makes one, so states come from the predicate alone. */
struct link { int value; struct link *next, *prev; };

/*@
predicate (u32) Links(pointer p, pointer before, pointer sentinel, pointer last) {
  if (ptr_eq(p, sentinel)) {
    assert(ptr_eq(before, last));
    return 0u32;
  } else {
    take L = RW<struct link>(p);
    assert(ptr_eq(L.prev, before));
    take n = Links(L.next, p, sentinel, last);
    return n + 1u32;
  }
}

predicate (u32) Ring(pointer s) {
  take S = RW<struct link>(s);
  take n = Links(S.next, s, s, S.prev);
  return n;
}
@*/

unsigned ring_length(struct link *s)
/*@ requires take n = Ring(s);
    ensures take m = Ring(s); m == n; return == n; @*/
{
    unsigned n = 0;
    for (struct link *p = s->next; p != s; p = p->next)
        n++;
    return n;
}

void ring_unlink_last(struct link *s)
/*@ requires take n = Ring(s); n > 0u32;
    ensures take m = Ring(s); m == n; @*/
{
    (void)s;
}
