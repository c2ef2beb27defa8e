// expect: pass
/* Pure clauses over integers: no memory at all. */

int larger(int a, int b)
/*@ ensures return >= a; return >= b;
            return == a || return == b; @*/
{
    return a > b ? a : b;
}

unsigned clamp(unsigned x, unsigned low, unsigned high)
/*@ requires low <= high;
    ensures low <= return && return <= high;
            (low <= x && x <= high) implies return == x;
            x < low implies return == low; @*/
{
    if (x < low) return low;
    if (x > high) return high;
    return x;
}

/* The sum is computed in a type that is wide enough. */
int midpoint(int a, int b)
/*@ requires a <= b;
    ensures a <= return; return <= b;
            let sum = (i64) a + (i64) b;
            (i64) return == sum / 2i64 || (i64) return == sum / 2i64 - 1i64; @*/
{
    return a + (int)(((unsigned)b - (unsigned)a) / 2u);
}

int sign(int x)
/*@ ensures return == (x < 0i32 ? -1i32 : (x == 0i32 ? 0i32 : 1i32)); @*/
{
    return (x > 0) - (x < 0);
}
