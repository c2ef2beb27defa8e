// expect: stack-overflow of down, at most 1 call
/* Steps over zero if n is odd. */

int down(unsigned n)
/*@ ensures return == 0i32; @*/
{
    volatile char page[4096];
    page[0] = (char)n;
    if (n == 0) return page[0];
    return down(n - 2) + (page[0] - (char)n);
}
