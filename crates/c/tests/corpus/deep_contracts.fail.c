// expect: unowned-access of start, at most 1 call
// options: --only start
/* The innermost function writes what its caller owns and has not handed over, 150 contracts deep. */

int leaf(int *p, int *q)
/*@ requires take P = RW<int>(p);
    ensures take P2 = RW<int>(p); @*/
{
    *q = 1;
    return *p;
}

int down(int n, int *p, int *q)
/*@ requires take P = RW<int>(p);
             take Q = RW<int>(q);
             n >= 0i32; n <= 150i32;
    ensures take P2 = RW<int>(p);
            take Q2 = RW<int>(q); @*/
{
    return n ? down(n - 1, p, q) : leaf(p, q);
}

int start(int *p, int *q)
/*@ requires take P = RW<int>(p);
             take Q = RW<int>(q);
    ensures take P2 = RW<int>(p);
            take Q2 = RW<int>(q); @*/
{
    return down(150, p, q);
}
