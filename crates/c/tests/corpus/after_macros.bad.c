/* Positions are those of the file, macros and continued lines notwithstanding. */
#include <stdint.h>

#define LONG_ONE(a, b) \
    ((a) < (b) ? (a) \
               : (b))

#define FUNCTION(name) int name(int a, int b)

FUNCTION(smaller)
/*@ ensures return <= a; /* not a nested comment in C either */
{
    return LONG_ONE(a, b);
}

FUNCTION(other) /*@ ensures return <= c; @*/ { return LONG_ONE(a, b); }
