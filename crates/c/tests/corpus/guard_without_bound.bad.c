void clear(unsigned *a, unsigned n)
/*@ requires take A = each (u64 i; i >= (u64) n) { RW<unsigned int>(array_shift<unsigned int>(a, i)) };
    ensures each (u32 i; i != n) { i == i }; @*/
{
    a[0] = 0;
}
