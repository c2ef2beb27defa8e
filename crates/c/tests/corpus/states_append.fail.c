// expect: leak|postcondition of joined, at most 1 calls
/* The second list is forgotten when the first one has more than one element. */
struct node { int head; struct node *tail; };

/*@
predicate (u32) List(pointer p) {
  if (is_null(p)) { return 0u32; }
  else {
    take N = RW<struct node>(p);
    take n = List(N.tail);
    return n + 1u32;
  }
}
@*/

struct node *joined(struct node *a, struct node *b)
/*@ requires take n = List(a); take m = List(b);
    ensures take k = List(return); k == n + m; @*/
{
    if (!a) return b;
    if (!a->tail) a->tail = b;
    return a;
}
