// expect: pass
/* Structs that calls return and are passed, in all the places where they can stand. */
#include <stdlib.h>

struct pair { int a, b; };
typedef struct { long from, to, step; } range;
struct holder { struct pair p; range r[2]; unsigned low : 3, high : 7; _Bool is_set; };

static struct pair swapped(struct pair p) { return (struct pair){ p.b, p.a }; }
static range moved(range r, int by) { r.from = r.from > 1000 || r.from < -1000 ? 0 : r.from + by; return r; }
static struct holder kept;

void turn(struct holder *h, int which)
/*@ requires take H = RW<struct holder>(h);
    ensures take J = RW<struct holder>(h);
            J.p.a == H.p.b; J.p.b == H.p.a;
            J.low == H.low; J.is_set == H.is_set; @*/
{
    h->p = swapped(h->p);
    h->r[0] = which ? moved(h->r[1], 3) : moved(moved(h->r[0], 1), 2);
    struct holder copy = *h;
    *h = copy;
}

struct pair first(struct holder *h)
/*@ requires take H = RW<struct holder>(h);
    ensures take J = RW<struct holder>(h); J == H; return == H.p; @*/
{
    return h->p;
}

int stored(int a, int b)
/*@ accesses kept;
    ensures kept.p.a == b; return == a; @*/
{
    struct pair p = { a, b };
    kept.p = swapped(p);
    kept.r[1] = (range){ .to = 3 };
    kept.low = 5;
    return swapped(kept.p).a;
}
