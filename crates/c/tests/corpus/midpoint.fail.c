// expect: postcondition of midpoint, at most 1 call
// clause: a <= return && return <= b
/* The famous one: the sum wraps. */

unsigned midpoint(unsigned a, unsigned b)
/*@ requires a <= b;
    ensures a <= return && return <= b; @*/
{
    return (a + b) / 2;
}
