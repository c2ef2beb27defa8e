// expect: pass
#include <stddef.h>
#include <stdint.h>

/* No contracts: a pointer followed by a length gets a length that fits. */

uint32_t checksum(const uint8_t *data, size_t n)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < n; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

void fill(int *values, size_t n, int v)
{
    while (n--) values[n] = v;
}

ptrdiff_t index_of(const int *values, size_t n, int wanted)
{
    for (size_t i = 0; i < n; i++)
        if (values[i] == wanted) return (ptrdiff_t)i;
    return -1;
}
