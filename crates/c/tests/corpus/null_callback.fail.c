// expect: signal of visit, at most 1 calls
// seeds: 2
/* A call of what is no function is the caller's statement, and the worker goes on. */
#include <stddef.h>

typedef int (*visitor)(int);
struct visitors { visitor before, after; };

int visit(int n, const struct visitors *visitors)
{
    int sum = n & 0xff;
    if (visitors->before) sum += visitors->before(sum);
    return sum + visitors->after(sum);
}
