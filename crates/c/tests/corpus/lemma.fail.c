// expect: lemma of both, at most 1 call
// clause: twice(a) != a
/* An applied lemma that does not hold. */

/*@
function (u32) twice(u32 x) { x + x }
lemma grows(u32 a)
  requires a < 1000u32;
  ensures twice(a) != a;
@*/

unsigned both(unsigned char a)
/*@ ensures return == twice((u32) a); @*/
{
    unsigned x = a;
    /*@ apply grows(x); @*/
    return x + x;
}
