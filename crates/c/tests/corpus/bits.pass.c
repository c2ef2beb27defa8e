// expect: pass
/* Bit vectors: builtins, shifts, masks. There is no << in specs. */

int leading(unsigned x)
/*@ requires x != 0u32;
    ensures (u32) return == bw_clz(x); @*/
{
    int n = 0;
    while (!(x & 0x80000000u)) {
        x <<= 1;
        n++;
    }
    return n;
}

unsigned trailing(unsigned x)
/*@ requires x != 0u32;
    ensures return == bw_ctz(x); return + 1u32 == (u32) bw_ffs(x);
            shift_right(x, return) % 2u32 == 1u32; @*/
{
    unsigned n = 0;
    for (; !(x & 1); x >>= 1) n++;
    return n;
}

unsigned long with_bit(unsigned long set, unsigned k)
/*@ requires k < 64u32;
    ensures return == (set | shift_left(1u64, (u64) k)); @*/
{
    return set | 1ul << k;
}

unsigned char toggled(unsigned char x)
/*@ ensures (return ^ x) == 0xffu8; return == ~x; (return & x) == 0u8; @*/
{
    return ~x;
}

_Bool is_power(unsigned x)
/*@ ensures (return == 1u8) == (x != 0u32 && x == power(2u32, (u32) (bw_fls(x) - bw_fls(1u32)))); @*/
{
    return x && !(x & (x - 1));
}
