// expect: pass
struct node { int key; struct node *left, *right; };
typedef struct node node_t;
/*@
datatype BST { Leaf {}, Node { i32 key, BST left, BST right } }
type_synonym pair = { i32 a, BST t }
function (BST) mirror(BST t) { match t { Leaf {} => { Leaf {} } Node { key: k, left: l, right: r } => { Node { key: k, left: mirror(r), right: mirror(l) } } } }
function (u32) size(BST t) { match t { Leaf {} => { 0u32 } Node { key: _, left: l, right: r } => { 1u32 + size(l) + size(r) } } }
predicate BST BST(pointer p) {
  if (is_null(p)) { return Leaf {}; }
  else { take N = RW<struct node>(p); take L = BST(N.left); take R = BST(N.right); return Node { key: N.key, left: L, right: R }; }
}
predicate {BST BST, u32 n} Both(pointer p) { take T = BST(p); return { BST: T, n: size(T) }; }
predicate (map<u64, BST>) Many(pointer p) { take a = each (u64 i; i < 2u64) { BST(array_shift<struct node *>(p, i)) }; return a; }
@*/
int f(struct node *p)
/*@ requires take BST = BST(p); ensures take t2 = BST(p); t2 == BST; @*/ { return 0; }
int g(node_t *p)
/*@ requires take B = Both(p); let s = (i32) B.n; let BSTx = B.BST; ensures take C = Both(p); C == B; @*/ { return 0; }
