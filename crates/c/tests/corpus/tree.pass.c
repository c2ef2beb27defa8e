// expect: pass
#include <stdlib.h>

/* A search tree; bounds travel down the predicate as arguments. */

struct tree { unsigned key; struct tree *left, *right; };

/*@
datatype Tree { Leaf {}, Fork { datatype Tree l, u32 k, datatype Tree r } }

predicate [rec] (datatype Tree) Between(pointer t, u64 low, u64 high) {
  if (is_null(t)) {
    return Leaf {};
  } else {
    take T = RW<struct tree>(t);
    let k = (u64) T.key;
    assert(low <= k && k < high);
    take L = Between(T.left, low, k);
    take R = Between(T.right, k + 1u64, high);
    return Fork { l: L, k: T.key, r: R };
  }
}

function [rec] (boolean) member(datatype Tree t, u32 x) {
  match t {
    Leaf {} => { false }
    Fork { l: l, k: k, r: r } => { x == k || member(x < k ? l : r, x) }
  }
}
@*/

struct tree *empty(void)
/*@ ensures take T = Between(return, 0u64, 4294967296u64); T == Leaf {}; @*/
{
    return 0;
}

struct tree *insert(struct tree *t, unsigned key)
/*@ requires take T = Between(t, 0u64, 4294967296u64);
    ensures take T2 = Between(return, 0u64, 4294967296u64);
            member(T2, key);
            member(T, key) implies T2 == T; @*/
{
    struct tree **at = &t;
    while (*at && (*at)->key != key) at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    if (!*at) {
        *at = calloc(1, sizeof **at);
        (*at)->key = key;
    }
    return t;
}

_Bool has(struct tree *t, unsigned key)
/*@ requires take T = Between(t, 0u64, 4294967296u64);
    ensures take T2 = Between(t, 0u64, 4294967296u64);
            T2 == T; (return == 1u8) == member(T, key); @*/
{
    while (t && t->key != key) t = key < t->key ? t->left : t->right;
    return t != 0;
}
