// expect: precondition-of-callee of twice, at most 1 call
// clause: take y = R<int>(q)
/* What is owned for writing is lent to nobody at the same time. */

void add(int *p, const int *q)
/*@ requires take x = RW<int>(p); take y = R<int>(q); x < 1000i32; y < 1000i32; x > -1000i32; y > -1000i32;
    ensures take z = RW<int>(p); z == x + y; @*/
{
    *p += *q;
}

void twice(int *p)
/*@ requires take x = RW<int>(p); x > 0i32; x < 100i32;
    ensures take y = RW<int>(p); y == 2i32 * x; @*/
{
    add(p, p);
}
