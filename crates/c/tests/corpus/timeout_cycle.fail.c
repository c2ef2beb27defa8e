// expect: timeout of length, at most 5 calls
// options: --fuel 100000
#include <stdlib.h>

/* A list can be tied into a circle; walking it does not end. */

struct node { struct node *next; };

struct node *node(void)
{
    return calloc(1, sizeof(struct node));
}

void tie(struct node *a, struct node *b)
{
    a->next = b;
}

unsigned length(const struct node *l)
{
    unsigned n = 0;
    for (; l; l = l->next) n++;
    return n;
}
