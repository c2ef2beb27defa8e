// expect: undefined-arithmetic of increment, at most 1 call
// options: --ub=all
/* The thesis' first example: nothing keeps n away from INT_MAX. */

int increment(int n)
{
    return n + 1;
}
