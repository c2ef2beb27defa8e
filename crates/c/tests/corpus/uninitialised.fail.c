// expect: uninitialised of count, at most 1 call
#include <stdlib.h>

/* The last flag has no value, and a branch depends on it. */

static void set(unsigned char *flags, unsigned n, unsigned char x)
{
    for (unsigned i = 0; i + 1 < n; i++) flags[i] = x;
}

unsigned count(unsigned char x)
/*@ ensures return <= 4u32; @*/
{
    unsigned char *flags = malloc(4);
    unsigned n = 0;
    set(flags, 4, x);
    for (int i = 0; i < 4; i++)
        if (flags[i]) n++;
    free(flags);
    return n;
}
