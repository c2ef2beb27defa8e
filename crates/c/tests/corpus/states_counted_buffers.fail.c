// expect: postcondition of set_first, at most 1 calls
// clause: take P2 = Pair(p)
// blocks: 3
// seeds: 4
#include <stdlib.h>
/* Two views that may share a buffer, which counts them. */
struct buffer { unsigned int n_views, n; int *at; };
struct pair { struct buffer *first, *second; };
/*@
predicate (struct buffer) Buffer(pointer p) {
  take B = RW<struct buffer>(p);
  assert(1u32 <= B.n && B.n <= 16u32);
  take At = each (u64 i; i < (u64) B.n) { RW<int>(array_shift<int>(B.at, i)) };
  return B;
}
predicate ({boolean is_shared, u32 n, u32 m}) Pair(pointer p) {
  take P = RW<struct pair>(p);
  if (ptr_eq(P.first, P.second)) {
    take A = Buffer(P.first);
    assert(A.n_views == 2u32);
    return { is_shared: true, n: A.n, m: A.n };
  } else {
    take A = Buffer(P.first);
    take B = Buffer(P.second);
    assert(A.n_views == 1u32 && B.n_views == 1u32);
    return { is_shared: false, n: A.n, m: B.n };
  }
}
@*/
void set_first(struct pair *p, unsigned int i, int x)
/*@ requires take P = Pair(p); i < P.n;
    ensures take P2 = Pair(p); !P2.is_shared; P2.n == P.n; P2.m == P.m; @*/
{
    struct buffer *a = p->first;
    if (a->n_views > 1) {
        struct buffer *own = malloc(sizeof *own);
        if (!own) abort();
        own->n_views = 1;
        own->n = a->n;
        own->at = malloc(a->n * sizeof *own->at);
        if (!own->at) abort();
        for (unsigned int k = 1; k < a->n; k++) own->at[k] = a->at[k];
        a->n_views--;
        p->first = a = own;
    }
    a->at[i] = x;
}
