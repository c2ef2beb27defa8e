// expect: postcondition of advance, at most 1 calls
/* An iterator that must stay in its list: at the end it must not move. */
#include <stddef.h>
struct cell { int value; struct cell *next; };
struct iterator { struct cell *at; unsigned left; };

/*@
predicate (u32) Segment(pointer from, pointer to) {
  if (ptr_eq(from, to)) {
    return 0u32;
  } else {
    take C = RW<struct cell>(from);
    take n = Segment(C.next, to);
    return n + 1u32;
  }
}
@*/

void advance(struct iterator *it)
/*@ requires take I = RW<struct iterator>(it);
             take n = Segment(I.at, NULL);
             I.left == n;
    ensures take J = RW<struct iterator>(it);
            take m = Segment(I.at, NULL);
            m == n; n > 0u32 implies J.left == n - 1u32; @*/
{
    if (it->at && it->at->next) {
        it->at = it->at->next;
        it->left--;
    }
}
