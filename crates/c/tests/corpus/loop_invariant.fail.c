// expect: loop-invariant of product, at most 1 call
// clause: i < b || b == 0u32
/* The result is right and the invariant is not: it forgets the last evaluation of the condition. */

unsigned product(unsigned a, unsigned b)
/*@ requires a < 100u32; b < 100u32;
    ensures return == a * b; @*/
{
    unsigned result = 0;
    for (unsigned i = 0; i < b; i++)
    /*@ inv result == i * a; {b}unchanged;
            i < b || b == 0u32; @*/
    {
        result += a;
    }
    return result;
}
