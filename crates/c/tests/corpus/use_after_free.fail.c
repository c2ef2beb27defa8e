// expect: use-after-free of pop, at most 2 calls
#include <stdlib.h>

struct node { int value; struct node *next; };

static void discard(void *p) { free(p); }

struct node *push(struct node *top, int value)
/*@ requires is_null(top);
    ensures take N = RW<struct node>(return); is_null(N.next); @*/
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = top;
    return n;
}

struct node *pop(struct node *top)
/*@ requires take N = RW<struct node>(top);
    ensures return == N.next; @*/
{
    discard(top);
    return top->next;
}
