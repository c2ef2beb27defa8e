// expect: pass
/* The bound of the precondition is what keeps the addition defined. */

int increment(int n)
/*@ requires n < MAXi32();
    ensures return == n + 1i32; @*/
{
    return n + 1;
}

int decrement(int n)
/*@ requires MINi32() < n;
    ensures return == n - 1i32; return < n; @*/
{
    return n - 1;
}

/* The same bound, written with `power` over unbounded integers. */
long twice(long n)
/*@ requires let wide = (integer) n;
             wide < power(2, 62); 0 - power(2, 62) < wide;
    ensures (integer) return == 2 * wide; @*/
{
    return n * 2;
}
