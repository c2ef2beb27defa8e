// expect: pass
#include <stdlib.h>

/* Buckets of chains; the spec is a map from keys to values. */

struct entry { unsigned key; int value; struct entry *next; };
struct table { struct entry *buckets[3]; };

/*@
predicate [rec] (map<u32, i32>) Chain(pointer p, u64 bucket, map<u32, i32> others) {
  if (is_null(p)) {
    return others;
  } else {
    take E = RW<struct entry>(p);
    assert((u64) E.key % 3u64 == bucket);
    take M = Chain(E.next, bucket, others);
    return M[E.key: E.value];
  }
}

predicate (map<u32, i32>) Table(pointer t) {
  take T = RW<struct table>(t);
  take A = Chain(T.buckets[0u64], 0u64, default<map<u32, i32> >);
  take B = Chain(T.buckets[1u64], 1u64, A);
  take C = Chain(T.buckets[2u64], 2u64, B);
  return C;
}
@*/

struct table *table(void)
/*@ ensures take T = Table(return); @*/
{
    return calloc(1, sizeof(struct table));
}

void put(struct table *t, unsigned key, int value)
/*@ requires take T = Table(t);
    ensures take T2 = Table(t); T2 == T[key: value]; @*/
{
    struct entry *e = t->buckets[key % 3];
    while (e && e->key != key) e = e->next;
    if (!e) {
        e = malloc(sizeof *e);
        e->key = key;
        e->next = t->buckets[key % 3];
        t->buckets[key % 3] = e;
    }
    e->value = value;
}

int get(const struct table *t, unsigned key)
/*@ requires take T = Table(t);
    ensures take T2 = Table(t); T2 == T; return == T[key]; @*/
{
    const struct entry *e = t->buckets[key % 3];
    while (e && e->key != key) e = e->next;
    return e ? e->value : 0;
}
