// expect: pass
#include <stdlib.h>

/* A bounded queue in an array that wraps around. */

#define SIZE 4

struct ring { unsigned first, n; short cells[SIZE]; };

/*@
datatype Seq { Empty {}, More { i16 x, datatype Seq rest } }

function [rec] (datatype Seq) from(map<u64, i16> cells, u32 first, u32 n) {
  n == 0u32 ? Empty {} : More { x: cells[(u64) (first % 4u32)], rest: from(cells, first + 1u32, n - 1u32) }
}

function [rec] (datatype Seq) add(datatype Seq s, i16 x) {
  match s {
    Empty {} => { More { x: x, rest: Empty {} } }
    More { x: y, rest: r } => { More { x: y, rest: add(r, x) } }
  }
}

predicate (datatype Seq) Ring(pointer p) {
  take R = RW<struct ring>(p);
  assert(R.first < 4u32 && R.n <= 4u32);
  return from(R.cells, R.first, R.n);
}
@*/

struct ring *ring(void)
/*@ ensures take R = Ring(return); R == Empty {}; @*/
{
    return calloc(1, sizeof(struct ring));
}

_Bool put(struct ring *r, short x)
/*@ requires take R = Ring(r);
    ensures take R2 = Ring(r); R2 == (return == 1u8 ? add(R, x) : R); @*/
{
    if (r->n == SIZE) return 0;
    r->cells[(r->first + r->n++) % SIZE] = x;
    return 1;
}

short get(struct ring *r)
/*@ requires take R = Ring(r); R != Empty {};
    ensures take R2 = Ring(r); R == More { x: return, rest: R2 }; @*/
{
    short x = r->cells[r->first];
    r->first = (r->first + 1) % SIZE;
    r->n--;
    return x;
}
