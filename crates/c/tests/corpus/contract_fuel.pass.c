// expect: pass
// options: --fuel 200000
/* The invariant looks at everything in every round: where there is much, the contracts of a call use up its fuel, and it is not judged. */

void fill(unsigned char *p, unsigned int n)
/*@ requires n <= 600u32; take before = each (u32 i; i < n) { W<unsigned char>(array_shift<unsigned char>(p, i)) };
    ensures take after = each (u32 i; i < n) { RW<unsigned char>(array_shift<unsigned char>(p, i)) }; @*/
{
    unsigned int k;
    for (k = 0; k < n; k++)
    /*@ inv take now = each (u32 i; i < n) { W<unsigned char>(array_shift<unsigned char>(p, i)) };
            {p}unchanged; {n}unchanged; k <= n; @*/
    {
        p[k] = (unsigned char)k;
    }
}
