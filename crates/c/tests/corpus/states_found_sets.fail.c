// expect: postcondition of roots, at most 1 calls
// clause: (u32) return == n_roots(S)
// blocks: 2
// seeds: 4
#include <stdlib.h>
/* Union-find: sets that know their parents and sizes, in a list of all. */
struct set { struct set *parent; unsigned int size; struct set *all; };
/*@
datatype Sets { Empty {}, Set { pointer at, pointer parent, u32 size, datatype Sets rest } }
function [rec] (boolean) is_there(datatype Sets s, pointer p) {
  match s { Empty {} => { false } Set { at: a, parent: _, size: _, rest: r } => { ptr_eq(a, p) || is_there(r, p) } }
}
function [rec] (u32) n_roots(datatype Sets s) {
  match s { Empty {} => { 0u32 } Set { at: a, parent: p, size: _, rest: r } => { (ptr_eq(a, p) ? 1u32 : 0u32) + n_roots(r) } }
}
predicate [rec] (datatype Sets) Sets(pointer p) {
  if (is_null(p)) { return Empty {}; }
  else {
    take S = RW<struct set>(p);
    take R = Sets(S.all);
    assert(ptr_eq(S.parent, p) || is_there(R, S.parent));
    assert(1u32 <= S.size);
    return Set { at: p, parent: S.parent, size: S.size, rest: R };
  }
}
@*/
static struct set *root_of(struct set *s) { while (s->parent != s) s = s->parent; return s; }
int roots(struct set *all)
/*@ requires take S = Sets(all);
    ensures take S2 = Sets(all); S2 == S; (u32) return == n_roots(S); @*/
{
    int k = 0;
    for (struct set *s = all; s; s = s->all) k += root_of(s) == s || s->size > 3;
    return k;
}
