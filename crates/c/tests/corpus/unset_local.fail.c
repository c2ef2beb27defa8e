// expect: precondition-of-callee of pick, at most 1 call
// clause: take X = RW<int>(p)
/* Where n is small, a local variable is handed over that was never set. */

int get(int *p)
/*@ requires take X = RW<int>(p);
    ensures take Y = RW<int>(p);
            return == Y; @*/
{
    return *p;
}

int pick(int n)
/*@ requires n < 1000i32; n > -1000i32; @*/
{
    int x;
    if (n > 5) x = n;
    return get(&x);
}
