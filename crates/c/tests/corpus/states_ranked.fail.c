// expect: postcondition of nth, at most 4 calls
// seeds: 10
/* On the way to the right the node itself is not counted if it has no left subtree. A search tree whose
   nodes know how many there are below them, so that the k-th key is found at once; a map that is changed
   by making it anew along the way. */
void *cn_malloc(unsigned long size);
struct ranked { int key; unsigned size; struct ranked *left; struct ranked *right; };

/*@
datatype Ranked {
  Gone {},
  Ranked { i32 key, u32 size, datatype Ranked left, datatype Ranked right }
}

function (u32) size(datatype Ranked t) {
  match t { Gone {} => { 0u32 } Ranked { key: _, size: size, left: _, right: _ } => { size } }
}

function [rec] (i32) nth(datatype Ranked t, u32 n) {
  match t {
    Gone {} => { 0i32 }
    Ranked { key: key, size: _, left: left, right: right } => {
      n < size(left) ? nth(left, n) : (n == size(left) ? key : nth(right, n - size(left) - 1u32))
    }
  }
}

function [rec] (datatype Ranked) added(datatype Ranked t, i32 k) {
  match t {
    Gone {} => { Ranked { key: k, size: 1u32, left: Gone {}, right: Gone {} } }
    Ranked { key: key, size: n, left: left, right: right } => {
      k == key ? t : (k < key
        ? Ranked { key: key, size: 1u32 + size(added(left, k)) + size(right), left: added(left, k), right: right }
        : Ranked { key: key, size: 1u32 + size(left) + size(added(right, k)), left: left, right: added(right, k) })
    }
  }
}

predicate [rec] (datatype Ranked) RankedBetween(pointer p, i64 low, i64 high) {
  if (is_null(p)) {
    return Gone {};
  } else {
    take N = RW<struct ranked>(p);
    assert(low < (i64) N.key && (i64) N.key < high);
    take L = RankedBetween(N.left, low, (i64) N.key);
    take R = RankedBetween(N.right, (i64) N.key, high);
    assert(N.size == size(L) + size(R) + 1u32);
    return Ranked { key: N.key, size: N.size, left: L, right: R };
  }
}

predicate (datatype Ranked) RankedTree(pointer p) {
  take T = RankedBetween(p, (i64) MINi32() - 1i64, (i64) MAXi32() + 1i64);
  return T;
}
@*/

static unsigned size(struct ranked *t) { return t ? t->size : 0; }

struct ranked *add(struct ranked *t, int key)
/*@ requires take T = RankedTree(t); ensures take S = RankedTree(return); S == added(T, key); @*/
{
    if (!t) {
        t = cn_malloc(sizeof *t);
        *t = (struct ranked){key, 1, 0, 0};
    } else if (key < t->key) {
        t->left = add(t->left, key);
    } else if (t->key < key) {
        t->right = add(t->right, key);
    }
    t->size = size(t->left) + size(t->right) + 1;
    return t;
}

int nth(struct ranked *t, unsigned n)
/*@ requires take T = RankedTree(t); n < size(T); ensures take S = RankedTree(t); S == T; return == nth(T, n); @*/
{
    while (n != size(t->left)) {
        if (n < size(t->left)) {
            t = t->left;
        } else {
            n -= size(t->left) ? size(t->left) + 1 : n;
            t = t->right;
        }
    }
    return t->key;
}
