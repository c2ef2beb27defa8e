// expect: pass
/* The older spellings. */

void bump(int *p)
/*@ requires take P = Owned<int>(p); P < 100i32;
    ensures take P2 = Owned<int>(p); P2 == P + 1i32; @*/
{
    *p += 1;
}

void init(int *p)
/*@ requires take P = Block<int>(p);
    ensures take P2 = Owned(p); P2 == 7i32; @*/
{
    *p = 7;
}

unsigned square(unsigned x)
/*@ requires x < 1000u32;
    ensures return == mul_uf(x, x); div_uf(return, 1u32) == return;
            x != 0u32 implies mod_uf(return, x) == rem_uf(return, x);
            power_uf(2, 3) == 8; @*/
{
    return x * x;
}

unsigned countdown(unsigned n)
/*@ ensures return == 0u32; @*/
{
    while (n)
    /*@ inv n <= {n}@start; bw_and_uf(n, n) == n; xor_uf(n, n) == 0u32; @*/
    {
        n /= 2;
    }
    return n;
}
