// expect: pass
#include <stddef.h>

/* Functions with the names of library functions, but meanings of their own. */

size_t strnlen(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i]) i++;
    return i;
}

int index(int *table, int n)
{
    return table && n > 3 ? 1 : 0;
}

int read(int x)
/*@ requires x < 1000i32;
    ensures return == x + 1i32; @*/
{
    return x + 1;
}

int signal(int new)
/*@ requires new >= 0i32;
    ensures return == new / 2i32; @*/
{
    return new / 2;
}
