// expect: postcondition of ring_second, at most 1 calls
/* A doubly linked list with a sentinel; with one element, the second is the sentinel. */
struct link { int value; struct link *next, *prev; };

/*@
predicate (u32) Links(pointer p, pointer before, pointer sentinel, pointer last) {
  if (ptr_eq(p, sentinel)) {
    assert(ptr_eq(before, last));
    return 0u32;
  } else {
    take L = RW<struct link>(p);
    assert(ptr_eq(L.prev, before));
    assert(L.value > 0i32);
    take n = Links(L.next, p, sentinel, last);
    return n + 1u32;
  }
}

predicate (u32) Ring(pointer s) {
  take S = RW<struct link>(s);
  assert(S.value == 0i32);
  take n = Links(S.next, s, s, S.prev);
  return n;
}
@*/

int ring_second(struct link *s)
/*@ requires take n = Ring(s); n > 0u32;
    ensures take m = Ring(s); m == n; return > 0i32; @*/
{
    return s->next->next->value;
}
