// expect: pass
#include <stdlib.h>

/* What is taken and not given back has to be freed. */

struct node { unsigned char byte; struct node *next; };

/*@
predicate [rec] (u64) Chain(pointer p) {
  if (is_null(p)) {
    return 0u64;
  } else {
    take N = RW<struct node>(p);
    take n = Chain(N.next);
    return n + 1u64;
  }
}
@*/

struct node *grow(struct node *tail, unsigned char byte)
/*@ requires take n = Chain(tail);
    ensures take m = Chain(return); m == n + 1u64; @*/
{
    struct node *head = malloc(sizeof(struct node));
    *head = (struct node){ byte, tail };
    return head;
}

void destroy(struct node *l)
/*@ requires take n = Chain(l); @*/
{
    while (l) {
        struct node *next = l->next;
        free(l);
        l = next;
    }
}
