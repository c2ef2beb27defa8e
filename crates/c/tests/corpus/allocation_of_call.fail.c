// expect: null of pair_new, at most 1 calls
// seeds: 3
// options: --malloc-fail
#include <stdlib.h>
struct pair { int *a, *b; };
struct pair *pair_new(void)
{
    struct pair *p = malloc(sizeof *p);
    if (!p) return NULL;
    p->a = malloc(4);
    if (!p->a) { free(p); return NULL; }
    p->b = malloc(4);
    *p->b = 1;
    *p->a = 2;
    return p;
}
int pair_sum(struct pair *p) { return *p->a + *p->b; }
