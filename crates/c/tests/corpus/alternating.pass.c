// expect: pass
#include <stdlib.h>

/* Predicates that call one another, definitions in any order. */

struct a { unsigned char x; struct b *next; };
struct b { unsigned short y; struct a *next; };

/*@
predicate [rec] (u32) EndsInB(pointer p) {
  if (is_null(p)) { return 0u32; }
  else { take B = RW<struct b>(p); take n = EndsInA(B.next); return n + (u32) B.y; }
}
predicate [rec] (u32) EndsInA(pointer p) {
  if (is_null(p)) { return 0u32; }
  else { take A = RW<struct a>(p); take n = EndsInB(A.next); return n + (u32) A.x; }
}
@*/

struct a *make_a(unsigned char x, struct b *next)
/*@ requires take n = EndsInB(next);
    ensures take m = EndsInA(return); m == n + (u32) x; @*/
{
    struct a *a = malloc(sizeof *a);
    a->x = x;
    a->next = next;
    return a;
}

struct b *make_b(unsigned short y, struct a *next)
/*@ requires take n = EndsInA(next);
    ensures take m = EndsInB(return); m == n + (u32) y; @*/
{
    struct b *b = malloc(sizeof *b);
    b->y = y;
    b->next = next;
    return b;
}
