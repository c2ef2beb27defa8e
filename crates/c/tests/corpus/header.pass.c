// expect: pass
/* Types and contracts come from a header. */
#include <stdlib.h>
#include "parts/stack.h"

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
    return s->items[--s->depth];
}
