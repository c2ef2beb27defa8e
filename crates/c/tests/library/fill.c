#include <stdint.h>

/* Sets n elements from `from` on to v, as far as there are elements. */
void fill(uint8_t *values, uint32_t len, uint32_t from, uint32_t n, uint8_t v)
{
    uint32_t end = from + n < len ? from + n : len;
    for (uint32_t k = from; k < end; k++)
        values[k] = v;
}
