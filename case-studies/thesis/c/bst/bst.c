/*
 * A binary search tree from keys to values, after "How to Specify It!" (Hughes, 2019). Each function is specified
 * by the same function on an algebraic tree. The order of keys is stated in two ways: checked after the walk over
 * the subtrees, or as bounds that are passed down (`-DBOUNDS`).
 */

void *cn_malloc(unsigned long size);
void cn_free_sized(void *p, unsigned long size);

struct tree {
    int key;
    int value;
    struct tree *left;
    struct tree *right;
};

/*@
datatype Tree {
  Leaf {},
  Node { i32 key, i32 value, datatype Tree left, datatype Tree right }
}

function [rec] (datatype Tree) inserted(datatype Tree t, i32 k, i32 v) {
  match t {
    Leaf {} => { Node { key: k, value: v, left: Leaf {}, right: Leaf {} } }
    Node { key: key, value: value, left: left, right: right } => {
      if (k < key) { Node { key: key, value: value, left: inserted(left, k, v), right: right } }
      else { if (key < k) { Node { key: key, value: value, left: left, right: inserted(right, k, v) } }
      else { Node { key: key, value: v, left: left, right: right } } }
    }
  }
}

function [rec] ({i32 key, i32 value}) smallest(datatype Tree t) {
  match t {
    Leaf {} => { { key: 0i32, value: 0i32 } }
    Node { key: key, value: value, left: Leaf {}, right: _ } => { { key: key, value: value } }
    Node { key: _, value: _, left: left, right: _ } => { smallest(left) }
  }
}

function [rec] (datatype Tree) deleted(datatype Tree t, i32 k) {
  match t {
    Leaf {} => { Leaf {} }
    Node { key: key, value: value, left: left, right: right } => {
      if (k < key) { Node { key: key, value: value, left: deleted(left, k), right: right } }
      else { if (key < k) { Node { key: key, value: value, left: left, right: deleted(right, k) } }
      else { without_root(left, right) } }
    }
  }
}

function [rec] (datatype Tree) without_root(datatype Tree left, datatype Tree right) {
  match right {
    Leaf {} => { left }
    Node { key: _, value: _, left: _, right: _ } => {
      let next = smallest(right);
      Node { key: next.key, value: next.value, left: left, right: deleted(right, next.key) }
    }
  }
}

function [rec] (i32) found(datatype Tree t, i32 k, i32 otherwise) {
  match t {
    Leaf {} => { otherwise }
    Node { key: key, value: value, left: left, right: right } => {
      if (k < key) { found(left, k, otherwise) }
      else { if (key < k) { found(right, k, otherwise) } else { value } }
    }
  }
}
@*/

#ifndef BOUNDS
/*@
function [rec] (boolean) all_below(datatype Tree t, i32 k) {
  match t {
    Leaf {} => { true }
    Node { key: key, value: _, left: left, right: right } => {
      key < k && all_below(left, k) && all_below(right, k)
    }
  }
}

function [rec] (boolean) all_above(datatype Tree t, i32 k) {
  match t {
    Leaf {} => { true }
    Node { key: key, value: _, left: left, right: right } => {
      k < key && all_above(left, k) && all_above(right, k)
    }
  }
}

predicate [rec] (datatype Tree) SearchTree(pointer p) {
  if (is_null(p)) {
    return Leaf {};
  } else {
    take N = RW<struct tree>(p);
    take L = SearchTree(N.left);
    take R = SearchTree(N.right);
    assert(all_below(L, N.key));
    assert(all_above(R, N.key));
    return Node { key: N.key, value: N.value, left: L, right: R };
  }
}
@*/
#else
/*@
predicate [rec] (datatype Tree) Between(pointer p, i64 low, i64 high) {
  if (is_null(p)) {
    return Leaf {};
  } else {
    take N = RW<struct tree>(p);
    assert(low < (i64) N.key && (i64) N.key < high);
    take L = Between(N.left, low, (i64) N.key);
    take R = Between(N.right, (i64) N.key, high);
    return Node { key: N.key, value: N.value, left: L, right: R };
  }
}

predicate (datatype Tree) SearchTree(pointer p) {
  take T = Between(p, (i64) MINi32() - 1i64, (i64) MAXi32() + 1i64);
  return T;
}
@*/
#endif

struct tree *insert(struct tree *root, int key, int value)
/*@ requires take T = SearchTree(root);
    ensures take T_post = SearchTree(return);
            T_post == inserted(T, key, value); @*/
{
    if (root == 0) {
        struct tree *node = cn_malloc(sizeof(struct tree));
        node->key = key;
        node->value = value;
        node->left = 0;
        node->right = 0;
        return node;
    }
    if (key < root->key) {
        root->left = insert(root->left, key, value);
    } else if (root->key < key) {
        root->right = insert(root->right, key, value);
    } else {
        root->value = value;
    }
    return root;
}

struct tree *delete(struct tree *root, int key)
/*@ requires take T = SearchTree(root);
    ensures take T_post = SearchTree(return);
            T_post == deleted(T, key); @*/
{
    if (root == 0) {
        return 0;
    }
    if (key < root->key) {
        root->left = delete(root->left, key);
        return root;
    }
    if (root->key < key) {
        root->right = delete(root->right, key);
        return root;
    }
    if (root->right == 0) {
        struct tree *left = root->left;
        cn_free_sized(root, sizeof(struct tree));
        return left;
    }
    struct tree *next = root->right;
    while (next->left != 0) {
        next = next->left;
    }
    root->key = next->key;
    root->value = next->value;
    root->right = delete(root->right, root->key);
    return root;
}

int find(struct tree *root, int key, int otherwise)
/*@ requires take T = SearchTree(root);
    ensures take T_post = SearchTree(root);
            T_post == T;
            return == found(T, key, otherwise); @*/
{
    if (root == 0) {
        return otherwise;
    }
    if (key < root->key) {
        return find(root->left, key, otherwise);
    }
    if (root->key < key) {
        return find(root->right, key, otherwise);
    }
    return root->value;
}
