// expect: unowned-access of length, at most 1 call
/* Passed by value, all of it is read; the function owns half of it. */

typedef struct { int from, to; } range;

static int width(range r) { return r.to > r.from ? 1 : 0; }

int length(range *r)
/*@ requires take F = RW<int>(&(r->from));
    ensures take G = RW<int>(&(r->from)); @*/
{
    return width(*r);
}
