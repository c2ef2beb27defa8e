// expect: postcondition of parity, at most 1 call
// clause: return == x % 2u32
/* Trusted is for proofs; tests look all the same. */

unsigned parity(unsigned x)
/*@ trusted;
    ensures return == x % 2u32; @*/
{
    return x & 3;
}
