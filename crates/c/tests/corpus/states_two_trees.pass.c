// expect: pass
/* A pair of trees of the same height, which only the predicate relates. */
struct tree { struct tree *left, *right; };
struct pair { struct tree *a, *b; };

/*@
function (u32) larger(u32 a, u32 b) { a < b ? b : a }
predicate (u32) Height(pointer t) {
  if (is_null(t)) { return 0u32; }
  else {
    take T = RW<struct tree>(t);
    take l = Height(T.left);
    take r = Height(T.right);
    return 1u32 + larger(l, r);
  }
}
predicate (u32) Pair(pointer p) {
  take P = RW<struct pair>(p);
  take a = Height(P.a);
  take b = Height(P.b);
  assert(a == b);
  return a;
}
@*/

static unsigned height(struct tree *t)
{
    if (!t) return 0;
    unsigned l = height(t->left), r = height(t->right);
    return 1 + (l > r ? l : r);
}

unsigned common(struct pair *p)
/*@ requires take h = Pair(p);
    ensures take k = Pair(p); k == h; return == h; @*/
{
    return height(p->b);
}
