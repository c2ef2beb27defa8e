// expect: pass
/* Two arguments that share: an iterator and the list it stands in. */
struct cell { int value; struct cell *next; };
struct iterator { struct cell *at; };

/*@
predicate (u32) Segment(pointer from, pointer to) {
  if (ptr_eq(from, to)) {
    return 0u32;
  } else {
    take C = RW<struct cell>(from);
    take n = Segment(C.next, to);
    return n + 1u32;
  }
}
@*/

unsigned rest_of(struct cell *list, struct iterator *it)
/*@ requires take I = RW<struct iterator>(it);
             take n = Segment(list, I.at);
             take m = Segment(I.at, NULL);
    ensures take J = RW<struct iterator>(it); ptr_eq(J.at, I.at);
            take k = Segment(list, J.at);
            take l = Segment(J.at, NULL);
            k == n && l == m && return == m; @*/
{
    unsigned n = 0;
    (void)list;
    for (struct cell *c = it->at; c; c = c->next)
        n++;
    return n;
}
