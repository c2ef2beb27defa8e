/* The pointer of a predicate has no C type to scale by. */

/*@
predicate (i32) Second(pointer p) {
  take V = RW<int>(p + 1i32);
  return V;
}
@*/

int second(int *a)
/*@ requires take V = Second(a);
    ensures take V2 = Second(a); return == V; @*/
{
    return a[1];
}
