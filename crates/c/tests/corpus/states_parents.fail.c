// expect: postcondition of climb, at most 1 calls
/* A tree whose nodes know their parents; climbing forgets one level. */
struct node { struct node *parent, *left, *right; int depth; };

/*@
predicate (void) Below(pointer p, pointer parent, i32 depth) {
  if (is_null(p)) {
    return;
  } else {
    take N = RW<struct node>(p);
    assert(ptr_eq(N.parent, parent) && N.depth == depth && depth < 100i32);
    take L = Below(N.left, p, depth + 1i32);
    take R = Below(N.right, p, depth + 1i32);
    return;
  }
}
@*/

int climb(struct node *root)
/*@ requires !is_null(root); take T = Below(root, NULL, 0i32);
    ensures take U = Below(root, NULL, 0i32); return == 0i32; @*/
{
    struct node *p = root;
    while (p->left)
        p = p->left;
    return p->parent && p->parent->parent ? p->parent->parent->depth : 0;
}
