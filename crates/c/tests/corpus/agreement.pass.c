// expect: pass
// options: --same fast=slow --invariant is_small
/* Two implementations that agree, and a predicate in C that holds after each call. */

static unsigned n_calls;

unsigned fast(unsigned x)
{
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    return (((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}

unsigned slow(unsigned x)
{
    unsigned n = 0;
    while (x) {
        n += x & 1;
        x >>= 1;
    }
    return n;
}

void count(void)
{
    if (n_calls < 10) n_calls++;
}

_Bool is_small(void)
{
    return n_calls <= 10;
}
