// expect: difference of absolute, at most 1 call
// options: --same absolute=reference
/* Two versions of one function; they differ for a single value. */

unsigned reference(short x)
{
    return x < 0 ? (unsigned)-(int)x : (unsigned)x;
}

unsigned absolute(short x)
{
    short y = x < 0 ? (short)-x : x;
    return (unsigned short)(y < 0 ? 0 : y);
}
