// expect: loop-invariant of product, at most 1 call
// clause: result == i * a
/* The result is right and the invariant is not: it is one step behind. */

unsigned product(unsigned a, unsigned b)
/*@ requires a < 100u32; b < 100u32;
    ensures return == a * b; @*/
{
    unsigned result = 0;
    for (unsigned i = 0; i < b; i++)
    /*@ inv result == i * a; i <= b; {b}unchanged;
            i < b || b == 0u32; @*/
    {
        result += a;
    }
    return result;
}
