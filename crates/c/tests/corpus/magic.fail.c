// expect: postcondition of decode, at most 1 call
// clause: return < 100u32
/* Only one argument of four billion fails; it stands in the source. */

unsigned decode(unsigned word)
/*@ ensures return < 100u32; @*/
{
    if (word == 0xfeedf00du) return 100;
    return word % 100;
}
