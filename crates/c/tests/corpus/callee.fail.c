// expect: precondition-of-callee of average, at most 1 call
// clause: n != 0u32
/* The caller does not establish what the callee needs. */

static unsigned divide(unsigned sum, unsigned n)
/*@ requires n != 0u32;
    ensures return == sum / n; @*/
{
    return n ? sum / n : 0;
}

unsigned average(unsigned sum, unsigned n)
/*@ requires n < 100u32; sum < 10000u32;
    ensures return <= sum; @*/
{
    return divide(sum, n);
}
