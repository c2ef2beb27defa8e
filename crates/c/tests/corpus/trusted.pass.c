// expect: pass
#include <string.h>

/* Trusted functions run like all others; what they promise about memory is believed. */

struct pair { int first, second; };

void wipe(struct pair *p)
/*@ trusted;
    requires take P = W<struct pair>(p);
    ensures take P2 = RW<struct pair>(p); P2.first == 0i32; P2.second == 0i32; @*/
{
    memset(p, 0, sizeof *p);
}

int total(struct pair *p)
/*@ requires take P = W<struct pair>(p);
    ensures take P2 = RW<struct pair>(p); return == 0i32; @*/
{
    wipe(p);
    return p->first + p->second;
}
