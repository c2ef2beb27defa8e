// expect: assertion of count, at most 1 call
// clause: i == before
/* The statement compares with what the invariant bound when this round began, and the counter has moved since. */
int count(int n)
/*@ requires 0i32 <= n && n < 10i32; ensures return == n; @*/
{
    int i = 0;
    while (i < n)
    /*@ inv 0i32 <= i; i <= n; {n}unchanged; let before = i; @*/
    {
        i++;
        /*@ assert(i == before); @*/
    }
    return i;
}
