// expect: postcondition of largest, at most 1 call
// clause: return >= b
/* The bug is in a macro: an argument without parentheses. */

#define TWICE(x) x * 2
#define ENTRY(type, name) type name(type a, type b)

ENTRY(unsigned, largest)
/*@ requires a < 1000u32; b < 1000u32;
    ensures return >= b; @*/
{
    return TWICE(a + b) / 3;
}
