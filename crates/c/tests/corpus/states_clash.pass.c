// expect: pass, except both
/* A precondition that nothing satisfies: found at once, with the clause. */
struct cell { int value; struct cell *next; };

/*@
predicate (u32) Cells(pointer p) {
  if (is_null(p)) {
    return 0u32;
  } else {
    take C = RW<struct cell>(p);
    assert(C.value > 10i32);
    take n = Cells(C.next);
    return n + 1u32;
  }
}
@*/

int both(struct cell *p)
/*@ requires take n = Cells(p); n > 0u32; n == 0u32;
    ensures take m = Cells(p); @*/
{
    return p->value;
}

int one(void)
/*@ ensures return == 1i32; @*/
{
    return 1;
}
