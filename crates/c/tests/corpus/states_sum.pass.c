// expect: pass
/* A list that keeps the sum of its values in its header. */
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

int sum(struct list *l)
/*@ requires take s = Summed(l);
    ensures take t = Summed(l); t == s; return == s; @*/
{
    int sum = 0;
    for (struct cell *c = l->first; c; c = c->next)
        sum += c->value;
    return sum;
}
