// expect: pass
/* A bitmap of slots and a count of those in use. */
struct pool { unsigned char used; unsigned n_used; int slots[8]; };

/*@
function (u32) bit(u8 x, u8 k) { (u32) (shift_right(x, k) & 1u8) }
function (u32) count(u8 x) {
  bit(x, 0u8) + bit(x, 1u8) + bit(x, 2u8) + bit(x, 3u8) + bit(x, 4u8) + bit(x, 5u8) + bit(x, 6u8) + bit(x, 7u8)
}

predicate (struct pool) Pool(pointer p) {
  take P = RW<struct pool>(p);
  assert(P.n_used == count(P.used));
  return P;
}
@*/

unsigned n_free(struct pool *p)
/*@ requires take P = Pool(p);
    ensures take Q = Pool(p); P == Q; return == 8u32 - count(P.used); @*/
{
    return 8 - p->n_used;
}
