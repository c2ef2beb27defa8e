// expect: pass
#include <math.h>

/* Floats as arguments and results, all of their values included. */

int is_number(double x)
/*@ ensures return == 0i32 || return == 1i32; @*/
{
    return x == x;
}

float clamp(float x)
{
    if (!(x >= 0.0f)) return 0.0f;
    return x > 1.0f ? 1.0f : x;
}

unsigned char level(float x)
/*@ ensures return <= 255u8; @*/
{
    return (unsigned char)(clamp(x) * 255.0f);
}

long double widened(float f, double d)
{
    long double sum = (long double)f + d;
    return sum != sum ? 0.0L : sum;
}

int order(double a, double b)
/*@ ensures -1i32 <= return && return <= 1i32; @*/
{
    return (a > b) - (a < b);
}
