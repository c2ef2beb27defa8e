// expect: postcondition of without_second, at most 1 calls
/* The item after the one that is taken out still points back to it. */
struct item { int value; struct item *next, *prev; };

/*@
predicate (u32) Forward(pointer p, pointer before) {
  if (is_null(p)) {
    return 0u32;
  } else {
    take I = RW<struct item>(p);
    assert(ptr_eq(I.prev, before));
    take n = Forward(I.next, p);
    return n + 1u32;
  }
}
@*/

struct item *without_second(struct item *first)
/*@ requires take n = Forward(first, NULL); n > 1u32;
    ensures take m = Forward(first, NULL); take S = RW<struct item>(return); m == n - 1u32; @*/
{
    struct item *second = first->next;
    first->next = second->next;
    return second;
}
