// expect: invalid-free of drop, at most 2 calls
#include <stdlib.h>

static char fallback[16];

char *buffer(unsigned n)
{
    return n > 1000 ? fallback : malloc(16);
}

void drop(char **b)
{
    free(*b);
    *b = NULL;
}
