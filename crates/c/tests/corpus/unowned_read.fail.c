// expect: unowned-access|out-of-bounds of second, at most 2 calls
#include <stdlib.h>

/* The contract owns as many elements as it says, and the function looks one further. */

int *numbers(void)
/*@ ensures take A = each (u64 i; i < 8u64) { RW<int>(array_shift<int>(return, i)) }; @*/
{
    return calloc(8, sizeof(int));
}

int second(int *a, unsigned n)
/*@ requires 1u32 <= n && n <= 8u32;
             take A = each (u64 i; i < (u64) n) { RW<int>(array_shift<int>(a, i)) };
    ensures take A2 = each (u64 i; i < (u64) n) { RW<int>(array_shift<int>(a, i)) }; A2 == A; @*/
{
    return a[1];
}
