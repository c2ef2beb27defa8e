// expect: assert of clamped, at most 1 call
#include <assert.h>

/* Comparisons with NaN are all false. */

double clamped(double x)
{
    double y = x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
    assert(y >= 0.0 && y <= 1.0);
    return y;
}
