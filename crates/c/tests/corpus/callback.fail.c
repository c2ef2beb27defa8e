// expect: assert of fold, at most 1 call
#include <assert.h>

/* Right for one of the functions that can be passed, wrong for another. */

typedef unsigned (*operation)(unsigned, unsigned);

static unsigned plus(unsigned a, unsigned b) { return a + b; }
static unsigned minus(unsigned a, unsigned b) { return a - b; }

unsigned fold(operation f, unsigned char x)
{
    unsigned forth = f(f(0, x), 1), back = f(0, f(x, 1));
    assert(forth == back);
    return forth;
}

operation standard(_Bool other)
{
    return other ? minus : plus;
}
