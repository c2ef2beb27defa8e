// expect: postcondition of merge, at most 1 calls
// seeds: 10
/* The spines are not exchanged when the right one has become longer. A leftist heap: every node knows the
   length of its right spine, and no left subtree has a shorter one than the right subtree beside it. Two
   heaps are merged along their right spines. */
struct heap { int least; unsigned rank; struct heap *left; struct heap *right; };

/*@
datatype Heap {
  Nothing {},
  Both { i32 least, u32 rank, datatype Heap left, datatype Heap right }
}

function (u32) rank_of(datatype Heap h) {
  match h {
    Nothing {} => { 0u32 }
    Both { least: _, rank: rank, left: _, right: _ } => { rank }
  }
}

function [rec] (u32) size_of(datatype Heap h) {
  match h {
    Nothing {} => { 0u32 }
    Both { least: _, rank: _, left: left, right: right } => { 1u32 + size_of(left) + size_of(right) }
  }
}

function [rec] (boolean) is_at_least(datatype Heap h, i32 bound) {
  match h {
    Nothing {} => { true }
    Both { least: least, rank: _, left: left, right: right } => {
      bound <= least && is_at_least(left, bound) && is_at_least(right, bound)
    }
  }
}

predicate [rec] (datatype Heap) Heap(pointer p) {
  if (is_null(p)) {
    return Nothing {};
  } else {
    take N = RW<struct heap>(p);
    take L = Heap(N.left);
    take R = Heap(N.right);
    assert(is_at_least(L, N.least));
    assert(is_at_least(R, N.least));
    assert(rank_of(R) <= rank_of(L));
    assert(N.rank == rank_of(R) + 1u32);
    return Both { least: N.least, rank: N.rank, left: L, right: R };
  }
}
@*/

static unsigned rank_of(struct heap *h) { return h ? h->rank : 0; }

struct heap *merge(struct heap *a, struct heap *b)
/*@ requires take A = Heap(a); take B = Heap(b);
    ensures take R = Heap(return); size_of(R) == size_of(A) + size_of(B); @*/
{
    if (!a) return b;
    if (!b) return a;
    if (b->least < a->least) {
        struct heap *other = a;
        a = b;
        b = other;
    }
    a->right = merge(a->right, b);
    if (a->left && rank_of(a->left) + 1 < rank_of(a->right)) {
        struct heap *left = a->left;
        a->left = a->right;
        a->right = left;
    }
    a->rank = rank_of(a->right) + 1;
    return a;
}
