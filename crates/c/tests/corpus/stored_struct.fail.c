// expect: unowned-access of reset, at most 1 call
/* The call returns into memory of which the function owns the first member only. */

struct range { long from, to, step; };

static struct range whole(long n)
{
    struct range r = { 0, n, 1 };
    return r;
}

void reset(struct range *r)
/*@ requires take F = RW<long>(&(r->from));
    ensures take G = RW<long>(&(r->from)); @*/
{
    *r = whole(10);
}
