// expect: postcondition of set, at most 4 calls
// clause: T2 == T[k: v]
#include <stdlib.h>

/* Open addressing that stops one slot too early: the third key of a table for three overwrites the second. */

struct slot { unsigned key; int value; };
struct table { unsigned n; struct slot slots[3]; };

/*@
function [rec] (map<u32, i32>) upto(map<u64, struct slot> s, u32 n) {
  if (n == 0u32) { default<map<u32, i32> > }
  else { let one = s[(u64) (n - 1u32)]; let m = upto(s, n - 1u32); m[one.key: one.value] }
}
predicate ({u32 n, map<u32, i32> m}) Table(pointer t) {
  take T = RW<struct table>(t);
  assert(T.n <= 3u32);
  return { n: T.n, m: upto(T.slots, T.n) };
}
@*/

struct table *table(void)
/*@ ensures take T = Table(return); T.n == 0u32; @*/
{
    return calloc(1, sizeof(struct table));
}

void set(struct table *t, unsigned k, int v)
/*@ requires take W1 = Table(t); W1.n < 3u32; let T = W1.m;
    ensures take W2 = Table(t); let T2 = W2.m; T2 == T[k: v]; @*/
{
    unsigned i = 0;
    while (i < t->n && t->slots[i].key != k) i++;
    if (i == t->n) t->n++;
    if (i == 2) i = 1;
    t->slots[i] = (struct slot){ k, v };
}
