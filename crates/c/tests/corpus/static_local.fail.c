// expect: abort of ticket, at most 3 calls
#include <stdlib.h>

unsigned ticket(void)
{
    static unsigned n;
    if (++n == 3) abort();
    return n;
}
