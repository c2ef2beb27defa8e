// expect: postcondition of insert, at most 2 calls
// clause: take T2 = Search(return, 0u64, 256u64)
#include <stdlib.h>

/* Keys that are equal to one above go to the wrong side. */

struct tree { unsigned char key; struct tree *left, *right; };

/*@
predicate [rec] (u32) Search(pointer t, u64 low, u64 high) {
  if (is_null(t)) {
    return 0u32;
  } else {
    take T = RW<struct tree>(t);
    assert(low <= (u64) T.key && (u64) T.key < high);
    take l = Search(T.left, low, (u64) T.key);
    take r = Search(T.right, (u64) T.key + 1u64, high);
    return 1u32 + l + r;
  }
}
@*/

struct tree *insert(struct tree *t, unsigned char key)
/*@ requires take T = Search(t, 0u64, 256u64);
    ensures take T2 = Search(return, 0u64, 256u64); T <= T2; @*/
{
    struct tree **at = &t;
    while (*at) at = key <= (*at)->key ? &(*at)->left : &(*at)->right;
    *at = calloc(1, sizeof **at);
    (*at)->key = key;
    return t;
}
