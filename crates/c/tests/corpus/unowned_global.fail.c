// expect: unowned-access of next, at most 1 call
/* A global variable that the contract does not mention. */

static unsigned seed = 1;
static unsigned n_calls;

unsigned next(void)
/*@ accesses seed;
    ensures seed == return; @*/
{
    n_calls++;
    seed = seed * 1103515245u + 12345u;
    return seed;
}
