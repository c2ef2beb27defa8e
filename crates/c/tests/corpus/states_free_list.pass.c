// expect: pass
/* A pool: slots that are used and slots on a free list, all of them in one array. */
struct slot { int next; int used; };
struct pool { int free; struct slot at[3]; };

/*@
predicate (struct pool) Pool(pointer p) {
  take P = RW<struct pool>(p);
  assert(-1i32 <= P.free && P.free < 3i32);
  assert(each (u64 i : 0u64, 2u64; -1i32 <= P.at[i].next && P.at[i].next < 3i32));
  assert(P.free >= 0i32 implies P.at[(u64) P.free].used == 0i32);
  return P;
}
@*/

int grab(struct pool *p)
/*@ requires take P = Pool(p); P.free < 0i32 || P.at[(u64) P.free].next < 0i32;
    ensures take Q = Pool(p); return == P.free; @*/
{
    int k = p->free;
    if (k < 0) return -1;
    p->free = p->at[k].next;
    p->at[k].used = 1;
    return k;
}
