// expect: pass
/* An array in order, of a length that is passed beside it. */

/*@
function (boolean) in_order(map<u64, i32> a, u64 n) {
  each (u64 i : 0u64, 6u64; i + 1u64 < n implies a[i] <= a[i + 1u64])
}
@*/

int first_at_least(int *a, unsigned long n, int key)
/*@ requires n <= 8u64;
             take A = each (u64 i; i < n) { RW<int>(array_shift<int>(a, i)) };
             in_order(A, n);
    ensures take B = each (u64 i; i < n) { RW<int>(array_shift<int>(a, i)) };
            B == A;
            0i32 <= return; return <= (i32) n;
            return < (i32) n implies A[(u64) return] >= key;
            return > 0i32 implies A[(u64) return - 1u64] < key; @*/
{
    unsigned long low = 0, high = n;
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        if (a[middle] < key) low = middle + 1; else high = middle;
    }
    return (int)low;
}
