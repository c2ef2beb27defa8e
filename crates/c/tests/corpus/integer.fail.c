// expect: postcondition of total, at most 1 call
// clause: (integer) return == (integer) a + (integer) b
/* Unbounded integers see what wrapping arithmetic hides. */

unsigned char total(unsigned char a, unsigned char b)
/*@ ensures return == a + b; (integer) return == (integer) a + (integer) b; @*/
{
    return a + b;
}
