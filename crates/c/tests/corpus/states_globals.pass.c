// expect: pass
/* Globals that a function accesses are made together with what they lead to. */
struct cell { int value; struct cell *next; };
struct cell *pool;
unsigned n_pool;

/*@
predicate (u32) Cells(pointer p) {
  if (is_null(p)) {
    return 0u32;
  } else {
    take C = RW<struct cell>(p);
    take n = Cells(C.next);
    return n + 1u32;
  }
}
@*/

struct cell *borrow(void)
/*@ accesses pool; accesses n_pool;
    requires take n = Cells(pool); n_pool == n; n > 2u32;
    ensures take m = Cells(pool); take C = RW<struct cell>(return); m == n - 1u32 && n_pool == m; @*/
{
    struct cell *c = pool;
    pool = c->next;
    n_pool--;
    return c;
}
