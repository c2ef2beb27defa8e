// expect: double-free of exchange, at most 1 call
#include <stdlib.h>

/* Two names for one block, if the caller wants it so. */

unsigned exchange(_Bool share)
/*@ ensures return <= 8u32; @*/
{
    char *volatile left = malloc(4);
    char *volatile right = share ? left : malloc(4);
    unsigned n = left == right ? 4 : 8;
    free(left);
    free(right);
    return n;
}
