// expect: pass
#include <stddef.h>

/* NULL is passed where the contract says what happens then. */

/*@
predicate (i32) Maybe(pointer p) {
  if (is_null(p)) { return 0i32; } else { take V = RW<int>(p); return V; }
}
@*/

int value_or_zero(int *p)
/*@ requires take V = Maybe(p);
    ensures take V2 = Maybe(p); V2 == V; return == V; @*/
{
    return p ? *p : 0;
}

_Bool is_there(const void *p)
/*@ ensures (return == 0u8) == is_null(p); @*/
{
    return p != NULL;
}
