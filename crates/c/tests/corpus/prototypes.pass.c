// expect: pass
/* Contracts for prototypes: by `spec`, with names of their own, and bare. */
#include <stdlib.h>

int absolute(int x);
/*@ spec absolute(i32 number);
    requires number != MINi32();
    ensures return >= 0i32;
            return == number || return == -number; @*/

unsigned half(unsigned x);
/*@ ensures return == x / 2u32; @*/

/* A library function: its contract is checked where it is called. */
/*@ spec abs(i32 n);
    requires n != MINi32();
    ensures return >= 0i32; @*/

int absolute(int x)
{
    return x < 0 ? -x : x;
}

unsigned half(unsigned x)
{
    return x >> 1;
}

int distance(int a, int b)
/*@ requires -1000i32 <= a && a <= 1000i32; -1000i32 <= b && b <= 1000i32;
    ensures return >= 0i32; return <= 2000i32; @*/
{
    return abs(a - b);
}
