// expect: pass
#include <stdlib.h>

/* Links in both directions: a predicate that carries the predecessor along. */

struct cell { long value; struct cell *before, *behind; };
struct deque { struct cell *first, *last; };

/*@
predicate [rec] (u64) Cells(pointer p, pointer before, pointer last) {
  if (is_null(p)) {
    assert(ptr_eq(before, last));
    return 0u64;
  } else {
    take C = RW<struct cell>(p);
    assert(ptr_eq(C.before, before));
    take n = Cells(C.behind, p, last);
    return 1u64 + n;
  }
}
predicate (u64) Deque(pointer d) {
  take D = RW<struct deque>(d);
  take n = Cells(D.first, NULL, D.last);
  return n;
}
@*/

struct deque *deque(void)
/*@ ensures take n = Deque(return); n == 0u64; @*/
{
    return calloc(1, sizeof(struct deque));
}

void push_back(struct deque *d, long value)
/*@ requires take n = Deque(d); ensures take m = Deque(d); m == n + 1u64; @*/
{
    struct cell *c = malloc(sizeof *c);
    *c = (struct cell){ value, d->last, NULL };
    *(d->last ? &d->last->behind : &d->first) = c;
    d->last = c;
}

long pop_front(struct deque *d)
/*@ requires take n = Deque(d); n > 0u64; ensures take m = Deque(d); m == n - 1u64; @*/
{
    struct cell *c = d->first;
    long value = c->value;
    d->first = c->behind;
    *(d->first ? &d->first->before : &d->last) = NULL;
    free(c);
    return value;
}
