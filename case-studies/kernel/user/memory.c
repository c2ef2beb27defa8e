/* What compilers call without being asked: the functions on memory that a C library would have. */
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *at, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
int bcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *text);

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    for (size_t i = 0; i < n; i++)
        t[i] = f[i];
    return to;
}

void *memmove(void *to, const void *from, size_t n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t <= f)
        return memcpy(to, from, n);
    for (size_t i = n; i > 0; i--)
        t[i - 1] = f[i - 1];
    return to;
}

void *memset(void *at, int byte, size_t n) {
    unsigned char *bytes = at;
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)byte;
    return at;
}

int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

int bcmp(const void *a, const void *b, size_t n) {
    return memcmp(a, b, n);
}

size_t strlen(const char *text) {
    size_t n = 0;
    while (text[n] != '\0')
        n++;
    return n;
}
