#include <stddef.h>
#include <stdint.h>

uint64_t sum(const uint32_t *values, size_t n)
{
    uint64_t total = 0;
    for (size_t k = 0; k < n; k++)
        total += values[k];
    return total;
}
