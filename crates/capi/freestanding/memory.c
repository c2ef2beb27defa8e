/* The four functions that C compilers take for granted, for platforms that have none. Compile with
 * `-ffreestanding -fno-builtin`, or the compiler may turn the loops into calls of themselves. */

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *left, const void *right, size_t n);

void *memcpy(void *to, const void *from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    while (n--) *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t <= f) return memcpy(to, from, n);
    while (n--) t[n] = f[n];
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    unsigned char *t = to;
    while (n--) *t++ = (unsigned char)byte;
    return to;
}

int memcmp(const void *left, const void *right, size_t n)
{
    const unsigned char *l = left, *r = right;
    for (; n--; l++, r++)
        if (*l != *r) return *l < *r ? -1 : 1;
    return 0;
}
