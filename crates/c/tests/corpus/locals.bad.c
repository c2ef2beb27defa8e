/* Names in loops and statements: misspelt, out of scope, of the wrong type. */

unsigned sum(unsigned n)
/*@ requires n < 100u32;
    ensures return == total; @*/
{
    unsigned total = 0;
    for (unsigned i = 0; i < n; i++)
    /*@ inv totl <= n * n; i < 100i32; @*/
    {
        unsigned inner = i;
        total += inner;
    }
    /*@ assert(inner == n); @*/
    return total;
}
