// expect: unowned-access of clear, at most 1 call
/* What is lent may be read and not written. */

int clear(int *p)
/*@ requires take x = R<int>(p);
    ensures return == x; @*/
{
    int old = *p;
    if (old > 100) *p = 0;
    return old;
}
