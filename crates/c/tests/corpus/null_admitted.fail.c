// expect: null of value, at most 1 call
/* The contract admits NULL, the function does not expect it. */

/*@
predicate (i32) Maybe(pointer p) {
  if (is_null(p)) { return 0i32; } else { take V = RW<int>(p); return V; }
}
@*/

int value(int *p)
/*@ requires take V = Maybe(p);
    ensures take V2 = Maybe(p); V2 == V; return == V; @*/
{
    return *p;
}
