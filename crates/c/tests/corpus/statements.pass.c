// expect: pass
/* Assertions between statements, lemmas, and what is for proofs only. */

/*@
function [rec] (u32) triangle(u32 n) { n == 0u32 ? 0u32 : n + triangle(n - 1u32) }

lemma step(u32 n)
  requires 0u32 < n && n <= 100u32;
  ensures triangle(n) == n + triangle(n - 1u32);
@*/

unsigned triangular(unsigned n)
/*@ requires n <= 100u32;
    ensures return == triangle(n); @*/
{
    unsigned sum = 0;
    /*@ assert(sum == triangle(0u32)); @*/
    for (unsigned i = 1; i <= n; i++) {
        sum += i;
        /*@ apply step(i); @*/
        /*@ unfold triangle(i);
            assert(sum == triangle(i)); @*/
    }
    /*@ split_case n == 0u32; @*/
    return sum;
}

unsigned rounded(unsigned *p)
/*@ requires take P = RW(p); P < 1000u32;
    ensures take P2 = RW(p); P2 == return; P2 % 8u32 == 0u32; P <= P2; @*/
{
    unsigned old = *p;
    *p = (old + 7) / 8 * 8;
    /*@ assert(*p >= old && {*p}%start == old); @*/
    return *p;
}
