// expect: pass
/* What is wanted of a tree as a whole is known to all its subtrees before their shapes are chosen. */

struct tree {
    int key;
    struct tree *left;
    struct tree *right;
};

/*@
datatype Tree { Leaf {}, Node { i32 key, datatype Tree left, datatype Tree right } }

function [rec] (boolean) all_below(datatype Tree t, i32 k) {
  match t {
    Leaf {} => { true }
    Node { key: key, left: left, right: right } => { key < k && all_below(left, k) && all_below(right, k) }
  }
}

predicate [rec] (datatype Tree) Heap(pointer p) {
  if (is_null(p)) {
    return Leaf {};
  } else {
    take N = RW<struct tree>(p);
    take L = Heap(N.left);
    take R = Heap(N.right);
    assert (all_below(L, N.key));
    assert (all_below(R, N.key));
    return Node { key: N.key, left: L, right: R };
  }
}

function [rec] (i32) depth(datatype Tree t) {
  match t {
    Leaf {} => { 0i32 }
    Node { key: _, left: left, right: right } => {
      1i32 + (depth(left) < depth(right) ? depth(right) : depth(left))
    }
  }
}

predicate [rec] (datatype Tree) Balanced(pointer p) {
  if (is_null(p)) {
    return Leaf {};
  } else {
    take N = RW<struct tree>(p);
    take L = Balanced(N.left);
    take R = Balanced(N.right);
    assert (depth(L) <= depth(R) + 1i32);
    assert (depth(R) <= depth(L) + 1i32);
    return Node { key: N.key, left: L, right: R };
  }
}
@*/

int largest(struct tree *t)
/*@ requires take T = Heap(t);
             T != Leaf {};
    ensures take U = Heap(t);
            U == T; @*/
{
    return t->key;
}

int root(struct tree *t)
/*@ requires take T = Balanced(t);
             T != Leaf {};
    ensures take U = Balanced(t);
            U == T; @*/
{
    return t->key;
}
