// expect: pass
/* LRU cache of four entries, most recent first. */
#include <stddef.h>
#define CAP 4
struct entry { unsigned key; int value; };
struct lru { unsigned n; struct entry e[CAP]; };

/*@
predicate (struct lru) Lru(pointer p) {
  take L = RW<struct lru>(p);
  assert(L.n <= 4u32);
  assert(each (u64 i: 0, 3; each (u64 j: 0, 3; (i < j && j < (u64) L.n) implies (L.e[i]).key != (L.e[j]).key)));
  return L;
}
function (boolean) has(struct lru l, u32 key) {
  not(each (u64 i: 0, 3; i < (u64) l.n implies (l.e[i]).key != key))
}
@*/

void lru_init(struct lru *c)
/*@ requires take C = W<struct lru>(c);
    ensures take D = Lru(c); D.n == 0u32; @*/
{
    c->n = 0;
    for (int i = 0; i < CAP; i++) c->e[i] = (struct entry){0, 0};
}

static void to_front(struct lru *c, unsigned at)
{
    struct entry e = c->e[at];
    for (unsigned i = at; i > 0; i--) c->e[i] = c->e[i - 1];
    c->e[0] = e;
}

void lru_put(struct lru *c, unsigned key, int value)
/*@ requires take C = Lru(c);
    ensures take D = Lru(c);
            (D.e[0u64]).key == key; (D.e[0u64]).value == value;
            D.n <= 4u32; D.n >= C.n;
            has(C, key) implies D.n == C.n; @*/
{
    for (unsigned i = 0; i < c->n; i++)
        if (c->e[i].key == key) {
            c->e[i].value = value;
            to_front(c, i);
            return;
        }
    if (c->n < CAP) c->n++;
    c->e[c->n - 1] = (struct entry){key, value};
    to_front(c, c->n - 1);
}

int lru_get(struct lru *c, unsigned key, int *out)
/*@ requires take C = Lru(c); take O = W<int>(out);
    ensures take D = Lru(c); take P = W<int>(out);
            (return != 0i32) == has(C, key);
            return != 0i32 implies (D.e[0u64]).key == key; @*/
{
    for (unsigned i = 0; i < c->n; i++)
        if (c->e[i].key == key) {
            *out = c->e[i].value;
            to_front(c, i);
            return 1;
        }
    return 0;
}
