// expect: pass
#include <stdlib.h>

/* A growing array: realloc moves it, and the unused part has no value yet. */

struct vector { unsigned n, capacity; int *items; };

/*@
predicate (map<u64, i32>) Items(pointer items, u32 n, u32 capacity) {
  if (is_null(items)) {
    assert(n == 0u32 && capacity == 0u32);
    return default<map<u64, i32> >;
  } else {
    take U = each (u64 i; i < (u64) n) { RW<int>(array_shift<int>(items, i)) };
    take F = each (u64 i; (u64) n <= i && i < (u64) capacity) { W<int>(array_shift<int>(items, i)) };
    return U;
  }
}

predicate ({u32 n, map<u64, i32> items}) Vector(pointer v) {
  take V = RW<struct vector>(v);
  assert(V.n <= V.capacity);
  take M = Items(V.items, V.n, V.capacity);
  return { n: V.n, items: M };
}
@*/

struct vector *vector(void)
/*@ ensures take V = Vector(return); V.n == 0u32; @*/
{
    return calloc(1, sizeof(struct vector));
}

void append(struct vector *v, int x)
/*@ requires take V = Vector(v);
    ensures take V2 = Vector(v); V2.n == V.n + 1u32;
            V2.items[(u64) V.n] == x;
            each (u64 i; i < (u64) V.n) { V2.items[i] == V.items[i] }; @*/
{
    if (v->n == v->capacity) {
        v->capacity = v->capacity ? 2 * v->capacity : 2;
        v->items = realloc(v->items, v->capacity * sizeof(int));
    }
    v->items[v->n++] = x;
}

int at(struct vector *v, unsigned i)
/*@ requires take V = Vector(v); i < V.n;
    ensures take V2 = Vector(v); V2 == V; return == V.items[(u64) i]; @*/
{
    return v->items[i];
}

void drop(struct vector *v)
/*@ requires take V = Vector(v); @*/
{
    free(v->items);
    free(v);
}
