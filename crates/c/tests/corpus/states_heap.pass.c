// expect: pass
/* A binary heap in an array: every element is at most its children. */
struct heap { unsigned n; int at[15]; };

/*@
predicate (struct heap) Heap(pointer p) {
  take H = RW<struct heap>(p);
  assert(H.n <= 15u32);
  assert(H.n <= 1u32 || H.at[0u64] <= H.at[1u64]);
  assert(H.n <= 2u32 || H.at[0u64] <= H.at[2u64]);
  assert(H.n <= 3u32 || H.at[1u64] <= H.at[3u64]);
  return H;
}
@*/

int least(struct heap *h)
/*@ requires take H = Heap(h); H.n > 0u32;
    ensures take I = Heap(h); I == H; return == H.at[0u64]; @*/
{
    return h->at[0];
}
