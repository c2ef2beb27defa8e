// expect: pass
/* A hash table with chains: every key is in the chain that its remainder names. */
struct entry { unsigned key; struct entry *next; };
struct table { struct entry *chains[4]; };

/*@
predicate (u32) Chain(pointer p, u32 k) {
  if (is_null(p)) {
    return 0u32;
  } else {
    take E = RW<struct entry>(p);
    assert(mod(E.key, 4u32) == k);
    take n = Chain(E.next, k);
    return n + 1u32;
  }
}

predicate (u32) Table(pointer t) {
  take T = RW<struct table>(t);
  take a = Chain(T.chains[0u64], 0u32);
  take b = Chain(T.chains[1u64], 1u32);
  take c = Chain(T.chains[2u64], 2u32);
  take d = Chain(T.chains[3u64], 3u32);
  return a + b + c + d;
}
@*/

int table_has(struct table *t, unsigned key)
/*@ requires take n = Table(t);
    ensures take m = Table(t); m == n; return == 0i32 || n > 0u32; @*/
{
    for (struct entry *e = t->chains[key % 4]; e; e = e->next)
        if (e->key == key)
            return 1;
    return 0;
}
