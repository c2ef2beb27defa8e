// expect: loop-invariant of drain, at most 1 call
// clause: {n}unchanged
/* Holds at first, and no longer after the first round. */

unsigned drain(unsigned n)
/*@ requires n < 50u32;
    ensures return == n; @*/
{
    unsigned taken = 0;
    while (n > 0)
    /*@ inv {n}unchanged; @*/
    {
        n--;
        taken++;
    }
    return taken;
}
