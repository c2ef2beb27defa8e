// expect: pass
/* An object that its caller has the memory for: what one call sets up, later ones use. */

struct gauge { int low, high, n; };

void gauge_init(struct gauge *g)
/*@ requires take G = W<struct gauge>(g); ensures take H = RW<struct gauge>(g); H.n == 0i32; @*/
{
    *g = (struct gauge){0};
}

void gauge_add(struct gauge *g, int x)
/*@ requires take G = RW<struct gauge>(g); 0i32 <= G.n; G.n < 1000i32; G.n == 0i32 || G.low <= G.high;
    ensures take H = RW<struct gauge>(g); H.n == G.n + 1i32; H.low <= x; x <= H.high; @*/
{
    if (g->n == 0 || x < g->low) g->low = x;
    if (g->n == 0 || x > g->high) g->high = x;
    g->n++;
}
