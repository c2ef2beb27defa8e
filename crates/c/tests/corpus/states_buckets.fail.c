// expect: postcondition of drop, at most 1 calls
// clause: take T2 = Table(t)
#include <stdlib.h>
#define N 4
struct entry { unsigned key; int value; struct entry *next; };
struct table { struct entry *bucket[N]; unsigned used; };
/*@
datatype Chain { End {}, Link { u32 key, i32 value, datatype Chain next } }
function [rec] (u32) length(datatype Chain c) { match c { End {} => { 0u32 } Link { key: _, value: _, next: n } => { 1u32 + length(n) } } }
function [rec] (boolean) member(datatype Chain c, u32 k) { match c { End {} => { false } Link { key: x, value: _, next: n } => { x == k || member(n, k) } } }
predicate [rec] (datatype Chain) Bucket(pointer p, u32 b) {
  if (is_null(p)) { return End {}; }
  else {
    take E = RW<struct entry>(p);
    assert(E.key % 4u32 == b);
    take R = Bucket(E.next, b);
    assert(!member(R, E.key));
    return Link { key: E.key, value: E.value, next: R };
  }
}
predicate ({datatype Chain c0, datatype Chain c1, datatype Chain c2, datatype Chain c3}) Table(pointer t) {
  take T = RW<struct table>(t);
  take B0 = Bucket(T.bucket[0u64], 0u32);
  take B1 = Bucket(T.bucket[1u64], 1u32);
  take B2 = Bucket(T.bucket[2u64], 2u32);
  take B3 = Bucket(T.bucket[3u64], 3u32);
  assert(T.used == length(B0) + length(B1) + length(B2) + length(B3));
  return { c0: B0, c1: B1, c2: B2, c3: B3 };
}
function (boolean) has({datatype Chain c0, datatype Chain c1, datatype Chain c2, datatype Chain c3} t, u32 k) {
  member(t.c0, k) || member(t.c1, k) || member(t.c2, k) || member(t.c3, k)
}
@*/
int lookup(struct table *t, unsigned key)
/*@ requires take T = Table(t);
    ensures take T2 = Table(t); T2 == T; (return != 0i32) == has(T, key); @*/
{
    for (struct entry *e = t->bucket[key % N]; e; e = e->next) if (e->key == key) return 1;
    return 0;
}
void drop(struct table *t, unsigned key)
/*@ requires take T = Table(t);
    ensures take T2 = Table(t); !has(T2, key); @*/
{
    struct entry **at = &t->bucket[key % N];
    while (*at && (*at)->key != key) at = &(*at)->next;
    if (*at) {
        struct entry *gone = *at;
        *at = gone->next;
        free(gone);
        if (*at == 0) t->used--;
    }
}
