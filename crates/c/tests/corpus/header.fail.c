// expect: postcondition of pop, at most 3 calls
#include <stdlib.h>
#include "parts/stack.h"

/* The contracts stand in the header, the bug stands here. */

struct stack *stack(void)
{
    return calloc(1, sizeof(struct stack));
}

void push(struct stack *s, int x)
{
    s->items[s->depth++] = x;
}

int pop(struct stack *s)
{
    return s->depth == 1 ? s->items[--s->depth] + 1 : s->items[--s->depth];
}
