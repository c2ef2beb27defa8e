// expect: postcondition of root, at most 1 calls
// clause: take V = Forest(u)
/* Union and find in arrays of which only the first `n` elements count: a path is halved, and from the sixth
   element on it leads one place too low, to a root that may be smaller. */
struct forest { unsigned n; unsigned parent[8]; unsigned size[8]; };

/*@
predicate (struct forest) Forest(pointer p) {
  take U = RW<struct forest>(p);
  assert(0u32 < U.n && U.n <= 8u32);
  assert(each (u64 i : 0u64, 7u64; (u32) i < U.n implies (U.parent[i] < U.n && i <= (u64) U.parent[i])));
  assert(each (u64 i : 0u64, 7u64;
         (u32) i < U.n implies (1u32 <= U.size[i] && U.size[i] <= U.n && U.size[i] <= U.size[(u64) U.parent[i]])));
  return U;
}
@*/

unsigned root(struct forest *u, unsigned x)
/*@ requires take U = Forest(u); x < U.n;
    ensures take V = Forest(u); return < V.n; V.parent[(u64) return] == return; @*/
{
    while (u->parent[x] != x) {
        u->parent[x] = u->parent[u->parent[x]] - (u->parent[x] >= 5);
        x = u->parent[x];
    }
    return x;
}
