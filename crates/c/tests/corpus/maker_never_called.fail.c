// expect: abort of box_bump, at most 6 calls
// seeds: 3
#include <stdlib.h>
struct box { int n; };
static struct box *box_new(void) { return calloc(1, sizeof(struct box)); }
int box_bump(struct box *b) { b->n++; if (b->n > 5) abort(); return b->n; }
