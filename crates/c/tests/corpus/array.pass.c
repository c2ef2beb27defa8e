// expect: pass
#include <stdlib.h>

/* Arrays as maps: each takes one element for every index that its guard admits. */

int *array(void)
/*@ ensures take A = each (u64 i; i < 16u64) { RW<int>(array_shift<int>(return, i)) }; @*/
{
    return calloc(16, sizeof(int));
}

void fill(int *a, unsigned n, int v)
/*@ requires n <= 16u32;
             take A = each (u64 i; i < (u64) n) { W<int>(array_shift<int>(a, i)) };
    ensures take A2 = each (u64 i; i < (u64) n) { RW<int>(array_shift<int>(a, i)) };
            each (u64 i; i < (u64) n) { A2[i] == v }; @*/
{
    for (unsigned i = 0; i < n; i++) a[i] = v;
}

int get(int *a, unsigned n, unsigned k)
/*@ requires k < n; n <= 16u32;
             take A = each (u32 i; i < n) { RW<int>(array_shift<int>(a, i)) };
    ensures take A2 = each (u32 i; i < n) { RW<int>(array_shift<int>(a, i)) };
            A2 == A; return == A[k]; @*/
{
    return a[k];
}

void put(int *a, unsigned n, unsigned k, int v)
/*@ requires k < n; n <= 16u32;
             take A = each (u32 i; i < n) { RW<int>(a + i) };
    ensures take A2 = each (u32 i; i < n) { RW<int>(a + i) };
            A2 == A[k: v]; @*/
{
    a[k] = v;
}

unsigned char *bytes(void)
/*@ ensures take L = each (u64 i; i < 4u64) { RW<unsigned char>(return + i) };
            take H = each (u64 i; 4u64 <= i && i < 8u64) { W<unsigned char>(return + i) }; @*/
{
    unsigned char *b = malloc(8);
    for (int i = 0; i < 4; i++) b[i] = i;
    return b;
}

/* Two halves of one array, owned apart. */
void copy_half(unsigned char *a)
/*@ requires take L = each (u64 i; i < 4u64) { RW<unsigned char>(a + i) };
             take H = each (u64 i; 4u64 <= i && i < 8u64) { W<unsigned char>(a + i) };
    ensures take L2 = each (u64 i; i < 4u64) { RW<unsigned char>(a + i) };
            take H2 = each (u64 i; 4u64 <= i && i < 8u64) { RW<unsigned char>(a + i) };
            L2 == L; each (u64 i; i < 4u64) { H2[i + 4u64] == L[i] }; @*/
{
    for (int i = 0; i < 4; i++) a[i + 4] = a[i];
}
