// expect: invalid-free of drop, at most 2 calls
#include <stdlib.h>

/* Large requests get a buffer that was never allocated. */

static char fallback[16];

char *buffer(unsigned n)
{
    char *b = n > 1000 ? fallback : malloc(16);
    b[0] = 0;
    return b;
}

void drop(char *b)
{
    free(b);
}
