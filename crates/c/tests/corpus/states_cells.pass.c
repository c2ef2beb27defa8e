// expect: pass
#include <stdlib.h>
/* An arena of cells; those that are free are linked by their numbers. */
#define N 5
struct cell { int next; int load; };
struct pool { struct cell cell[N]; int first; int n_free; };
/*@
function [rec] (boolean) chain(map<u64, struct cell> c, i32 at, i32 n) {
  if (n == 0i32) { at == -1i32 }
  else { 0i32 <= at && at < 5i32 && chain(c, c[(u64) at].next, n - 1i32) }
}
predicate (struct pool) Pool(pointer p) {
  take P = RW<struct pool>(p);
  assert(0i32 <= P.n_free && P.n_free <= 5i32);
  assert(chain(P.cell, P.first, P.n_free));
  return P;
}
@*/
void pool_init(struct pool *p)
/*@ requires take P = W<struct pool>(p);
    ensures take P2 = Pool(p); P2.n_free == 5i32; @*/
{
    for (int i = 0; i < N; i++) { p->cell[i].next = i + 1 < N ? i + 1 : -1; p->cell[i].load = 0; }
    p->first = 0;
    p->n_free = N;
}
int pool_take(struct pool *p)
/*@ requires take P = Pool(p); P.n_free > 0i32;
    ensures take P2 = Pool(p); return == P.first; P2.n_free == P.n_free - 1i32; @*/
{
    int at = p->first;
    p->first = p->cell[at].next;
    p->n_free--;
    return at;
}
int pool_free(struct pool *p)
/*@ requires take P = Pool(p);
    ensures take P2 = Pool(p); P2 == P; return == P.n_free; @*/
{
    int n = 0;
    for (int at = p->first; at != -1; at = p->cell[at].next) n++;
    return n;
}
