// expect: pass
#include <stdlib.h>

/* Two names for one cell: the contract takes it once if they are equal. */

/*@
predicate (i32) Other(pointer p, pointer q, i32 at_q) {
  if (ptr_eq(p, q)) { return at_q; } else { take V = RW<int>(p); return V; }
}
@*/

int *cell(int x)
/*@ ensures take C = RW<int>(return); C == x; @*/
{
    int *p = malloc(sizeof *p);
    *p = x;
    return p;
}

_Bool equal(int *a, int *b)
/*@ requires take A = RW<int>(a); take B = Other(b, a, A);
    ensures take A2 = RW<int>(a); take B2 = Other(b, a, A2);
            A2 == A; B2 == B; (return == 1u8) == (A == B); @*/
{
    return *a == *b;
}

_Bool same_cell(int *a, int *b)
/*@ ensures (return == 1u8) == ptr_eq(a, b); (return == 1u8) == addr_eq(a, b); @*/
{
    return a == b;
}
