// expect: spec-error of ratio, at most 1 call
// clause: (a / b) * b <= a
/* The clause itself divides by zero. */

unsigned ratio(unsigned a, unsigned b)
/*@ ensures (a / b) * b <= a; @*/
{
    return b ? a / b : 0;
}
