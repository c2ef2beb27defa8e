#include <stdlib.h>
struct cell { int v; };
struct cell *make(int v)
/*@ ensures take c = RW<struct cell>(return); c.v == v; @*/
{
    struct cell *c = malloc(sizeof *c);
    c->v = v;
    return c;
}
int take(struct cell *c)
/*@ requires take b = RW<struct cell>(c);
    ensures return == b.v; @*/
{
    int v = c->v;
    if (v < 10) free(c);
    return v;
}
