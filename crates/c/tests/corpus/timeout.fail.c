// expect: timeout of collatz, at most 1 call
// options: --fuel 100000
/* Ends for all numbers anyone has tried, apart from this one. */

unsigned collatz(unsigned n)
/*@ requires n < 1000u32;
    ensures return < 1000u32; @*/
{
    unsigned steps = 0;
    for (volatile unsigned x = n; x != 1; steps++) x = x % 2 ? 3 * x + 1 : x / 2;
    return steps;
}
