// expect: postcondition of digest, at most 1 call
// clause: return == folded(x)
/* The contract is stated in terms of a C function, and the two differ above 16 bits. */

/*@ function (u32) folded(u32 x) @*/

static unsigned fold(unsigned x)
/*@ cn_function folded; @*/
{
    return (x ^ x >> 16) & 0xffff;
}

unsigned digest(unsigned x)
/*@ ensures return == folded(x); @*/
{
    return x & 0xffff;
}
