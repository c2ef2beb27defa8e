// expect: postcondition of latest, at most 2 calls
// clause: take L = RW<int>(return)
#include <stdlib.h>

/* What is returned is no longer there: it was freed by an earlier call. */

static int *last;

int *remember(int x)
/*@ accesses last;
    requires is_null(last);
    ensures !is_null(last); @*/
{
    int *p = malloc(sizeof *p);
    *p = x;
    last = p;
    free(p);
    return NULL;
}

int *latest(void)
/*@ accesses last;
    requires !is_null(last);
    ensures take L = RW<int>(return); @*/
{
    return last;
}
