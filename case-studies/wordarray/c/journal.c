/* Saves an array block by block in a store that is not here: tests put a mock of it in its place. */
#include <stdint.h>

#define BLOCK 4

/* 0, or an error. */
int store_write(uint32_t block, const uint8_t *data, uint32_t n);

/* How many blocks were written; all of them unless the store gives an error. */
uint32_t save(const uint8_t *data, uint32_t n)
{
    uint32_t block = 0;
    for (uint32_t at = 0; at < n; at += BLOCK, block++) {
        uint32_t size = n - at < BLOCK ? n - at : BLOCK;
        if (store_write(block, data + at, size)) break;
    }
    return block;
}
