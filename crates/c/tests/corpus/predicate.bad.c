/* Predicates that are not well-formed. */

struct node { int value; struct node *next; };

/*@
predicate (i32) node_at(pointer p) {
  take N = RW<struct node>(p);
  return N.value;
}

predicate (i32) Value(pointer p) {
  take N = RW<struct node>(p);
}

predicate (i32) Sum(pointer p) {
  if (is_null(p)) { return 0i32; }
  else { take N = RW<struct node>(p); take s = Summ(N.next); return s + N.value; }
}
@*/

int value(struct node *n)
/*@ requires take V = Value(n, 1u32);
    ensures take V2 = Value(n); @*/
{
    return n->value;
}
