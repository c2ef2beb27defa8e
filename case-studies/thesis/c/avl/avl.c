/*
 * An AVL tree, after the example of VCDryad: every node stores its height, and the heights of its subtrees differ
 * by at most one. Each function is specified by the same function on an algebraic tree. The order of keys is stated
 * in two ways: checked after the walk over the subtrees, or as bounds that are passed down (`-DBOUNDS`).
 */

void *cn_malloc(unsigned long size);
void cn_free_sized(void *p, unsigned long size);

struct tree {
    int key;
    int height;
    struct tree *left;
    struct tree *right;
};

/*@
datatype Tree {
  Leaf {},
  Node { i32 key, i32 height, datatype Tree left, datatype Tree right }
}

function (i32) height_of(datatype Tree t) {
  match t {
    Leaf {} => { 0i32 }
    Node { key: _, height: height, left: _, right: _ } => { height }
  }
}

function (i32) larger(i32 a, i32 b) {
  a < b ? b : a
}

function (datatype Tree) node(i32 key, datatype Tree left, datatype Tree right) {
  Node { key: key, height: 1i32 + larger(height_of(left), height_of(right)), left: left, right: right }
}

function (datatype Tree) rotated_right(i32 key, datatype Tree left, datatype Tree right) {
  match left {
    Leaf {} => { Leaf {} }
    Node { key: k, height: _, left: l, right: r } => { node(k, l, node(key, r, right)) }
  }
}

function (datatype Tree) rotated_left(i32 key, datatype Tree left, datatype Tree right) {
  match right {
    Leaf {} => { Leaf {} }
    Node { key: k, height: _, left: l, right: r } => { node(k, node(key, left, l), r) }
  }
}

function (datatype Tree) leaning_left(datatype Tree t) {
  match t {
    Leaf {} => { Leaf {} }
    Node { key: k, height: _, left: l, right: r } => {
      if (height_of(l) < height_of(r)) { rotated_left(k, l, r) } else { node(k, l, r) }
    }
  }
}

function (datatype Tree) leaning_right(datatype Tree t) {
  match t {
    Leaf {} => { Leaf {} }
    Node { key: k, height: _, left: l, right: r } => {
      if (height_of(r) < height_of(l)) { rotated_right(k, l, r) } else { node(k, l, r) }
    }
  }
}

function (datatype Tree) balanced(i32 key, datatype Tree left, datatype Tree right) {
  if (height_of(right) + 1i32 < height_of(left)) { rotated_right(key, leaning_left(left), right) }
  else { if (height_of(left) + 1i32 < height_of(right)) { rotated_left(key, left, leaning_right(right)) }
  else { node(key, left, right) } }
}

function [rec] (datatype Tree) inserted(datatype Tree t, i32 k) {
  match t {
    Leaf {} => { node(k, Leaf {}, Leaf {}) }
    Node { key: key, height: _, left: left, right: right } => {
      if (k < key) { balanced(key, inserted(left, k), right) }
      else { if (key < k) { balanced(key, left, inserted(right, k)) }
      else { t } }
    }
  }
}

function [rec] (i32) smallest(datatype Tree t) {
  match t {
    Leaf {} => { 0i32 }
    Node { key: key, height: _, left: Leaf {}, right: _ } => { key }
    Node { key: _, height: _, left: left, right: _ } => { smallest(left) }
  }
}

function [rec] (datatype Tree) deleted(datatype Tree t, i32 k) {
  match t {
    Leaf {} => { Leaf {} }
    Node { key: key, height: _, left: left, right: right } => {
      if (k < key) { balanced(key, deleted(left, k), right) }
      else { if (key < k) { balanced(key, left, deleted(right, k)) }
      else { without_root(left, right) } }
    }
  }
}

function [rec] (datatype Tree) without_root(datatype Tree left, datatype Tree right) {
  match right {
    Leaf {} => { left }
    Node { key: _, height: _, left: _, right: _ } => {
      let next = smallest(right);
      balanced(next, left, deleted(right, next))
    }
  }
}

function [rec] (boolean) contains(datatype Tree t, i32 k) {
  match t {
    Leaf {} => { false }
    Node { key: key, height: _, left: left, right: right } => {
      k == key || (k < key && contains(left, k)) || (key < k && contains(right, k))
    }
  }
}

// The height that is stored is right, and the subtrees are about as high as each other.
function (boolean) is_balanced(struct tree n, datatype Tree left, datatype Tree right) {
  n.height == 1i32 + larger(height_of(left), height_of(right))
    && height_of(left) <= height_of(right) + 1i32
    && height_of(right) <= height_of(left) + 1i32
}
@*/

#ifndef BOUNDS
/*@
function [rec] (boolean) all_below(datatype Tree t, i32 k) {
  match t {
    Leaf {} => { true }
    Node { key: key, height: _, left: left, right: right } => {
      key < k && all_below(left, k) && all_below(right, k)
    }
  }
}

function [rec] (boolean) all_above(datatype Tree t, i32 k) {
  match t {
    Leaf {} => { true }
    Node { key: key, height: _, left: left, right: right } => {
      k < key && all_above(left, k) && all_above(right, k)
    }
  }
}

predicate [rec] (datatype Tree) Avl(pointer p) {
  if (is_null(p)) {
    return Leaf {};
  } else {
    take N = RW<struct tree>(p);
    take L = Avl(N.left);
    take R = Avl(N.right);
    assert(all_below(L, N.key));
    assert(all_above(R, N.key));
    assert(is_balanced(N, L, R));
    return Node { key: N.key, height: N.height, left: L, right: R };
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
    assert(is_balanced(N, L, R));
    return Node { key: N.key, height: N.height, left: L, right: R };
  }
}

predicate (datatype Tree) Avl(pointer p) {
  take T = Between(p, (i64) MINi32() - 1i64, (i64) MAXi32() + 1i64);
  return T;
}
@*/
#endif

static int height_of(struct tree *root) {
    return root == 0 ? 0 : root->height;
}

static void set_height(struct tree *root) {
    int left = height_of(root->left);
    int right = height_of(root->right);
    root->height = 1 + (left < right ? right : left);
}

static struct tree *rotate_right(struct tree *root) {
    struct tree *left = root->left;
    root->left = left->right;
    left->right = root;
    set_height(root);
    set_height(left);
    return left;
}

static struct tree *rotate_left(struct tree *root) {
    struct tree *right = root->right;
    root->right = right->left;
    right->left = root;
    set_height(root);
    set_height(right);
    return right;
}

static struct tree *rebalance(struct tree *root) {
    int left = height_of(root->left);
    int right = height_of(root->right);
    if (right + 1 < left) {
        if (height_of(root->left->left) < height_of(root->left->right)) {
            root->left = rotate_left(root->left);
        }
        return rotate_right(root);
    }
    if (left + 1 < right) {
        if (height_of(root->right->right) < height_of(root->right->left)) {
            root->right = rotate_right(root->right);
        }
        return rotate_left(root);
    }
    set_height(root);
    return root;
}

struct tree *insert(struct tree *root, int key)
/*@ requires take T = Avl(root);
    ensures take T_post = Avl(return);
            T_post == inserted(T, key); @*/
{
    if (root == 0) {
        struct tree *node = cn_malloc(sizeof(struct tree));
        node->key = key;
        node->height = 1;
        node->left = 0;
        node->right = 0;
        return node;
    }
    if (key < root->key) {
        root->left = insert(root->left, key);
    } else if (root->key < key) {
        root->right = insert(root->right, key);
    } else {
        return root;
    }
    return rebalance(root);
}

int find_smallest(struct tree *root)
/*@ requires take T = Avl(root);
             T != Leaf {};
    ensures take T_post = Avl(root);
            T_post == T;
            return == smallest(T); @*/
{
    while (root->left != 0) {
        root = root->left;
    }
    return root->key;
}

struct tree *delete(struct tree *root, int key)
/*@ requires take T = Avl(root);
    ensures take T_post = Avl(return);
            T_post == deleted(T, key); @*/
{
    if (root == 0) {
        return 0;
    }
    if (key < root->key) {
        root->left = delete(root->left, key);
    } else if (root->key < key) {
        root->right = delete(root->right, key);
    } else if (root->right == 0) {
        struct tree *left = root->left;
        cn_free_sized(root, sizeof(struct tree));
        return left;
    } else {
        root->key = find_smallest(root->right);
        root->right = delete(root->right, root->key);
    }
    return rebalance(root);
}

int has(struct tree *root, int key)
/*@ requires take T = Avl(root);
    ensures take T_post = Avl(root);
            T_post == T;
            (return != 0i32) == contains(T, key); @*/
{
    if (root == 0) {
        return 0;
    }
    if (key < root->key) {
        return has(root->left, key);
    }
    if (root->key < key) {
        return has(root->right, key);
    }
    return 1;
}
