// expect: leak of length, at most 1 call
#include <stdlib.h>

/* A scratch buffer is forgotten on one of the ways out. */

unsigned length(unsigned x)
/*@ ensures return <= 10u32; @*/
{
    unsigned char *digits = malloc(10);
    unsigned n = 0;
    do {
        digits[n++] = x % 10;
        x /= 10;
    } while (x);
    if (n == 1) return 1;
    free(digits);
    return n;
}
