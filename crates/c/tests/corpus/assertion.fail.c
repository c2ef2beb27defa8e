// expect: assertion of isqrt, at most 1 call
// clause: low + 1u32 < high
/* An assertion in the body that is too strong. */

unsigned isqrt(unsigned x)
/*@ requires x < 10000u32;
    ensures return * return <= x; @*/
{
    unsigned low = 0, high = 101;
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (middle * middle <= x) low = middle; else high = middle;
    }
    /*@ assert(low + 1u32 < high); @*/
    return low;
}
