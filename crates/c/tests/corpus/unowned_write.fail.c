// expect: unowned-access of reset, at most 2 calls
#include <stdlib.h>

/* The contract hands over one member; the function writes both. */

struct pair { int first, second; };

struct pair *pair(int x)
/*@ ensures take P = RW<struct pair>(return); P.first == x; @*/
{
    struct pair *p = malloc(sizeof *p);
    p->first = p->second = x;
    return p;
}

void reset(struct pair *p)
/*@ requires take F = RW<int>(&(p->first));
    ensures take F2 = RW<int>(&(p->first)); F2 == 0i32; @*/
{
    p->first = 0;
    p->second = 0;
}
