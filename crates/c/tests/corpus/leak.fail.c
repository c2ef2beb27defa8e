// expect: leak of drop, at most 2 calls
#include <stdlib.h>

struct box { int *content; };

struct box *box(int x)
/*@ ensures take B = RW<struct box>(return); take C = RW<int>(B.content); C == x; @*/
{
    struct box *b = malloc(sizeof *b);
    b->content = malloc(sizeof(int));
    *b->content = x;
    return b;
}

/* The content is taken, not given back, and not freed. */
void drop(struct box *b)
/*@ requires take B = RW<struct box>(b); take C = RW<int>(B.content); @*/
{
    free(b);
}
