// expect: pass
/* A set of small numbers as bits, with their count beside them. */
struct set { unsigned bits; unsigned count; };

/*@
function (u32) bit(u32 bits, u32 k) { (bits / power(2u32, k)) % 2u32 }
predicate (struct set) Set(pointer p) {
  take S = RW<struct set>(p);
  assert(S.bits < 16u32);
  assert(S.count == bit(S.bits, 0u32) + bit(S.bits, 1u32) + bit(S.bits, 2u32) + bit(S.bits, 3u32));
  return S;
}
@*/

void insert(struct set *s, unsigned k)
/*@ requires take S = Set(s); k < 4u32;
    ensures take T = Set(s); T.count >= S.count; @*/
{
    if (!(s->bits >> k & 1)) s->count++;
    s->bits |= 1u << k;
}
