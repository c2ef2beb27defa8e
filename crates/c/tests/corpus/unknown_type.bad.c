struct point { int x, y; };

/*@ function (u31) low(struct pointt p) { 0u32 } @*/

int x_of(struct point *p)
/*@ requires take P = RW<struct pont>(p);
    ensures take P2 = RW<point>(p); return == P.z; @*/
{
    return p->x;
}
