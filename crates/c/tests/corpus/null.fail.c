// expect: null of add, at most 1 call
// options: --malloc-fail
#include <stdlib.h>

/* The result of malloc is not looked at. */

struct cell { int x; struct cell *next; };

struct cell *add(int x)
{
    struct cell *c = malloc(sizeof *c);
    c->x = x;
    c->next = NULL;
    return c;
}
