// expect: pass
/* Bit-fields: reading one loads its neighbours, which may have no value yet. */

struct flags { unsigned low : 3; unsigned middle : 7; signed high : 6; };

unsigned middle_of(unsigned x)
/*@ ensures return == x % 128u32; @*/
{
    struct flags f;
    f.middle = x & 127;
    return f.middle;
}

struct flags packed(unsigned a, unsigned b)
/*@ ensures return.low == a % 8u32; return.middle == b % 128u32; @*/
{
    struct flags f = { 0 };
    f.low = a & 7;
    f.middle = b & 127;
    f.high = -1;
    return f;
}

int high_of(struct flags *f)
/*@ requires take F = RW<struct flags>(f);
    ensures take F2 = RW<struct flags>(f); return == F.high; -32i32 <= return && return < 32i32; @*/
{
    return f->high;
}
