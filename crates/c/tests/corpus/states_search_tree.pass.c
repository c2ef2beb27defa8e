// expect: pass
#include <stdlib.h>
struct node { int key; int value; struct node *left; struct node *right; };
/*@
datatype tree { Leaf {}, Node { i32 key, i32 value, datatype tree left, datatype tree right } }
function [rec] (boolean) all_less(datatype tree t, i32 k) {
  match t { Leaf {} => { true }
    Node { key: x, value: _, left: l, right: r } => { x < k && all_less(l, k) && all_less(r, k) } } }
function [rec] (boolean) all_greater(datatype tree t, i32 k) {
  match t { Leaf {} => { true }
    Node { key: x, value: _, left: l, right: r } => { k < x && all_greater(l, k) && all_greater(r, k) } } }
predicate (datatype tree) Tree(pointer p) {
  if (is_null(p)) { return Leaf {}; }
  else {
    take n = RW<struct node>(p);
    take L = Tree(n.left);
    take R = Tree(n.right);
    assert(all_less(L, n.key));
    assert(all_greater(R, n.key));
    return Node { key: n.key, value: n.value, left: L, right: R };
  }
}
function [rec] (boolean) has(datatype tree t, i32 k) {
  match t { Leaf {} => { false }
    Node { key: x, value: _, left: l, right: r } => { x == k || has(l, k) || has(r, k) } } }
@*/
int find(struct node *t, int k)
/*@ requires take T = Tree(t);
    ensures take T2 = Tree(t); T == T2; (return == 1i32) == has(T, k); @*/
{
  while (t) { if (k == t->key) return 1; t = k < t->key ? t->left : t->right; }
  return 0;
}
