// expect: postcondition of divide, at most 1 call
// clause: take R2 = RW<unsigned int>(remainder)
/* One of two results is forgotten when there is nothing to divide. */

void divide(unsigned a, unsigned b, unsigned *quotient, unsigned *remainder)
/*@ requires b != 0u32;
             take Q = W<unsigned int>(quotient); take R = W<unsigned int>(remainder);
    ensures take Q2 = RW<unsigned int>(quotient); take R2 = RW<unsigned int>(remainder);
            Q2 <= a; @*/
{
    *quotient = a / b;
    if (*quotient != 0) *remainder = a % b;
}
