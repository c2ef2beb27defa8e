// expect: postcondition of get, at most 6 calls
// clause: return == R.cells[(u64) R.first]
#include <stdlib.h>

/* Reads the wrong cell when it is full and has wrapped. */

struct ring { unsigned first, n; int cells[2]; };

/*@
predicate (struct ring) Ring(pointer r) {
  take R = RW<struct ring>(r);
  assert(R.first < 2u32 && R.n <= 2u32);
  return R;
}
@*/

struct ring *ring(void)
/*@ ensures take R = Ring(return); R.n == 0u32; @*/
{
    return calloc(1, sizeof(struct ring));
}

void put(struct ring *r, int x)
/*@ requires take R = Ring(r); R.n < 2u32;
    ensures take R2 = Ring(r); R2.n == R.n + 1u32;
            R2.cells[(u64) ((R.first + R.n) % 2u32)] == x; @*/
{
    r->cells[(r->first + r->n++) % 2] = x;
}

int get(struct ring *r)
/*@ requires take R = Ring(r); R.n > 0u32;
    ensures take R2 = Ring(r); return == R.cells[(u64) R.first]; R2.n == R.n - 1u32; @*/
{
    int x = r->cells[r->first == 1 && r->n == 2 ? 0 : r->first];
    r->first = (r->first + 1) % 2;
    r->n--;
    return x;
}
