// expect: pass
#include <stdlib.h>
struct node { int key; int height; struct node *left; struct node *right; };
/*@
datatype tree { Leaf {}, Node { i32 key, i32 height, datatype tree left, datatype tree right } }
function (i32) max(i32 a, i32 b) { if (a < b) { b } else { a } }
function (i32) height(datatype tree t) { match t { Leaf {} => { 0i32 } Node { key: _, height: h, left: _, right: _ } => { h } } }
function (boolean) below(datatype tree t, i32 k) { match t { Leaf {} => { true } Node { key: x, height: _, left: _, right: r } => { x < k && below(r, k) } } }
function (boolean) above(datatype tree t, i32 k) { match t { Leaf {} => { true } Node { key: x, height: _, left: l, right: _ } => { k < x && above(l, k) } } }
predicate (datatype tree) Avl(pointer p) {
  if (is_null(p)) { return Leaf {}; }
  else {
    take n = RW<struct node>(p);
    take L = Avl(n.left);
    take R = Avl(n.right);
    assert(n.height == 1i32 + max(height(L), height(R)));
    assert(height(L) - height(R) <= 1i32);
    assert(height(R) - height(L) <= 1i32);
    assert(below(L, n.key));
    assert(above(R, n.key));
    return Node { key: n.key, height: n.height, left: L, right: R };
  }
}
function [rec] (boolean) has(datatype tree t, i32 k) {
  match t { Leaf {} => { false }
    Node { key: x, height: _, left: l, right: r } => { x == k || has(l, k) || has(r, k) } } }
@*/
int find(struct node *t, int k)
/*@ requires take T = Avl(t);
    ensures take T2 = Avl(t); T == T2; (return == 1i32) == has(T, k); @*/
{
  while (t) { if (k == t->key) return 1; t = k < t->key ? t->left : t->right; }
  return 0;
}
