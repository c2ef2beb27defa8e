// expect: postcondition of tie, at most 2 calls
// clause: take L2 = Chain(a)
#include <stdlib.h>

/* The predicate walks in a circle: it takes the same cell twice, which does not hold, and it does not hang. */

struct node { struct node *next; };

/*@
predicate [rec] (u32) Chain(pointer p) {
  if (is_null(p)) { return 0u32; }
  else { take N = RW<struct node>(p); take n = Chain(N.next); return n + 1u32; }
}
@*/

struct node *node(void)
/*@ ensures take n = Chain(return); n == 1u32; @*/
{
    return calloc(1, sizeof(struct node));
}

void tie(struct node *a)
/*@ requires take L = Chain(a); !is_null(a);
    ensures take L2 = Chain(a); @*/
{
    struct node *end = a;
    while (end->next) end = end->next;
    end->next = a;
}
