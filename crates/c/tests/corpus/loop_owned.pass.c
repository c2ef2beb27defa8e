// expect: pass
#include <stdlib.h>

/* An invariant that takes memory: what it takes must hold, and the body may touch the rest as well. */

unsigned *eight(unsigned x)
/*@ ensures take A = each (u32 i; i < 8u32) { RW<unsigned int>(return + i) }; @*/
{
    unsigned *a = malloc(8 * sizeof *a);
    for (unsigned i = 0; i < 8; i++) a[i] = x ^ i;
    return a;
}

void zero(unsigned *a, unsigned n)
/*@ requires n <= 8u32;
             take A = each (u64 i; i < (u64) n) { W<unsigned int>(array_shift<unsigned int>(a, i)) };
    ensures take A2 = each (u64 i; i < (u64) n) { RW<unsigned int>(array_shift<unsigned int>(a, i)) };
            each (u64 i; i < (u64) n) { A2[i] == 0u32 }; @*/
{
    unsigned k = 0;
    while (k < n)
    /*@ inv k <= n; {a}unchanged; {n}unchanged;
            take D = each (u64 i; i < (u64) k) { RW<unsigned int>(array_shift<unsigned int>(a, i)) };
            take R = each (u64 i; (u64) k <= i && i < (u64) n) { W<unsigned int>(array_shift<unsigned int>(a, i)) };
            each (u64 i; i < (u64) k) { D[i] == 0u32 }; @*/
    {
        a[k] = 0;
        k++;
    }
}

unsigned largest(unsigned *a, unsigned n)
/*@ requires 0u32 < n && n <= 8u32;
             take A = each (u32 i; i < n) { RW<unsigned int>(a + i) };
    ensures take A2 = each (u32 i; i < n) { RW<unsigned int>(a + i) };
            A2 == A; each (u32 i; i < n) { A[i] <= return }; @*/
{
    unsigned best = a[0];
    for (unsigned i = 1; i < n; i++)
    /*@ inv take B = each (u32 j; j < n) { RW<unsigned int>(a + j) };
            B == A; i <= n;
            each (u32 j; j < i) { B[j] <= best }; @*/
    {
        if (a[i] > best) best = a[i];
    }
    return best;
}
