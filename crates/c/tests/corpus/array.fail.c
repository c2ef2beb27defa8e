// expect: postcondition of fill, at most 2 calls
// clause: each (u64 i; i < (u64) n) { A2[i] == v }
#include <stdlib.h>

/* Fills all but the last. */

int *array(void)
/*@ ensures take A = each (u64 i; i < 4u64) { RW<int>(array_shift<int>(return, i)) }; @*/
{
    return calloc(4, sizeof(int));
}

void fill(int *a, unsigned n, int v)
/*@ requires n <= 4u32;
             take A = each (u64 i; i < (u64) n) { RW<int>(array_shift<int>(a, i)) };
    ensures take A2 = each (u64 i; i < (u64) n) { RW<int>(array_shift<int>(a, i)) };
            each (u64 i; i < (u64) n) { A2[i] == v }; @*/
{
    for (unsigned i = 0; i + 1 < n; i++) a[i] = v;
}
