// expect: undefined-arithmetic of bit, at most 1 call
// options: --ub=all

unsigned long bit(unsigned k)
/*@ requires k <= 64u32;
    ensures k < 64u32 implies return != 0u64; @*/
{
    return k == 64 ? 0 : 1u << k;
}
