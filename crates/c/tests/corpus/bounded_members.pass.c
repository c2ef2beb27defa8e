// expect: pass
/* Preconditions on members of what is taken, which choose their values. */

struct gauge { unsigned char level, limit; int scale; unsigned fine : 4; struct { short low, high; } range; };

int reading(struct gauge *g)
/*@ requires take G = RW<struct gauge>(g);
             G.level <= 4u8; G.limit == 9u8; G.scale >= 100i32 && G.scale < 200i32; G.fine > 11u32;
             G.range.low == 2i16 || G.range.low == 4i16; G.range.high > 1000i16;
    ensures take H = RW<struct gauge>(g); H == G; return > 0i32; @*/
{
    return g->scale * (g->limit - g->level) + (int)g->fine - 11 + g->range.low;
}

int by_value(struct gauge g, int *out)
/*@ requires g.scale == 7i32; g.level < 3u8; take O = RW<int>(out); O > 0i32; O < 10i32;
    ensures take P = RW<int>(out); P == O + 7i32; return == (i32) g.level; @*/
{
    *out += g.scale;
    return g.level;
}
