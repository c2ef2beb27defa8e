// expect: pass
/* A tree whose nodes know their parents, and how many nodes are below them. */
struct node { struct node *parent, *left, *right; unsigned count; };

/*@
predicate (u32) Below(pointer p, pointer parent) {
  if (is_null(p)) {
    return 0u32;
  } else {
    take N = RW<struct node>(p);
    assert(ptr_eq(N.parent, parent));
    take l = Below(N.left, p);
    take r = Below(N.right, p);
    assert(l < 1000u32 && r < 1000u32 && N.count == 1u32 + l + r);
    return N.count;
  }
}
@*/

unsigned depth_of(struct node *root, unsigned way)
/*@ requires take n = Below(root, NULL); !is_null(root);
    ensures take m = Below(root, NULL); m == n; return < n; @*/
{
    unsigned depth = 0;
    struct node *p = root;
    while (way & 1 ? p->left : p->right) {
        p = way & 1 ? p->left : p->right;
        way >>= 1;
        depth++;
    }
    return depth;
}
