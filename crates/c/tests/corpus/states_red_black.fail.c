// expect: postcondition of black_height, at most 1 calls
// seeds: 10
/* Below a red node with black children one black node is left out. A red-black tree: no red node has a
   red child, and every way down meets as many black nodes. */
struct tree { int key; int is_red; struct tree *left; struct tree *right; };

/*@
datatype Tree {
  End {},
  Node { i32 key, boolean is_red, i32 n_black, datatype Tree left, datatype Tree right }
}

function (i32) n_black(datatype Tree t) {
  match t {
    End {} => { 0i32 }
    Node { key: _, is_red: is_red, n_black: n_black, left: _, right: _ } => { n_black }
  }
}

function (boolean) is_red(datatype Tree t) {
  match t {
    End {} => { false }
    Node { key: _, is_red: is_red, n_black: _, left: _, right: _ } => { is_red }
  }
}

function [rec] (boolean) is_between(datatype Tree t, i64 low, i64 high) {
  match t {
    End {} => { true }
    Node { key: key, is_red: _, n_black: _, left: left, right: right } => {
      low < (i64) key && (i64) key < high && is_between(left, low, (i64) key) && is_between(right, (i64) key, high)
    }
  }
}

function [rec] (i32) largest(datatype Tree t) {
  match t {
    End {} => { 0i32 }
    Node { key: key, is_red: _, n_black: _, left: _, right: End {} } => { key }
    Node { key: _, is_red: _, n_black: _, left: _, right: right } => { largest(right) }
  }
}

predicate [rec] (datatype Tree) Tree(pointer p) {
  if (is_null(p)) {
    return End {};
  } else {
    take N = RW<struct tree>(p);
    assert(N.is_red == 0i32 || N.is_red == 1i32);
    take L = Tree(N.left);
    take R = Tree(N.right);
    assert(is_between(L, (i64) MINi32() - 1i64, (i64) N.key));
    assert(is_between(R, (i64) N.key, (i64) MAXi32() + 1i64));
    assert(N.is_red == 1i32 implies (!is_red(L) && !is_red(R)));
    assert(n_black(L) == n_black(R));
    return Node { key: N.key, is_red: N.is_red == 1i32, n_black: n_black(L) + 1i32 - N.is_red, left: L, right: R };
  }
}
@*/

int black_height(struct tree *t)
/*@ requires take T = Tree(t);
    ensures take S = Tree(t); S == T; return == n_black(T); @*/
{
    int n = 0;
    while (t) {
        n += !t->is_red;
        if (t->is_red && t->left && t->left->left) t = t->left;
        t = t->left;
    }
    return n;
}

int largest(struct tree *t)
/*@ requires take T = Tree(t); T != End {};
    ensures take S = Tree(t); S == T; return == largest(T); @*/
{
    while (t->right) t = t->right;
    return t->key;
}
