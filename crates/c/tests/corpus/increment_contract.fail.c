// expect: postcondition of increment, at most 1 call
// clause: return > n
/* Without undefined behaviour there is still a wrong clause. */

unsigned increment(unsigned n)
/*@ ensures return > n; @*/
{
    return n + 1;
}
