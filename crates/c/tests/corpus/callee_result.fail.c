// expect: postcondition of root, at most 1 call
// clause: return * return <= x
/* The inner function is wrong, so it is blamed, not its caller. */

static unsigned root(unsigned x)
/*@ requires x < 10000u32;
    ensures return * return <= x; (return + 1u32) * (return + 1u32) > x; @*/
{
    unsigned r = 0;
    while (r * r < x) r++;
    return r;
}

unsigned side(unsigned short area)
/*@ requires area == 10u16;
    ensures return < 200u32; @*/
{
    return root(area);
}
