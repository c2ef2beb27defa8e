// expect: unowned-access of peek, at most 1 call
/* What is lent stays its owner's: it cannot be freed. */
#include <stdlib.h>

int peek(int *p)
/*@ requires take x = R<int>(p);
    ensures return == x; @*/
{
    int x = *p;
    if (x == 7) free(p);
    return x;
}
