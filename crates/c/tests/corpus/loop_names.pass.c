// expect: pass
/* A statement may name what the invariant around it binds: it has the value of the last evaluation. */
int count(int n)
/*@ requires 0i32 <= n && n < 10i32; ensures return == n; @*/
{
    int i = 0;
    while (i < n)
    /*@ inv 0i32 <= i; i <= n; {n}unchanged; take I = RW<int>(&i); let before = I; @*/
    {
        /*@ assert(before == I && before == i); @*/
        i++;
    }
    return i;
}
