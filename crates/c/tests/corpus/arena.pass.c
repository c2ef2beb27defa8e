// expect: pass
#include <stdint.h>
#include <stdlib.h>

/* An allocator of its own inside one block; aligned pieces, freed together. No contracts. */

struct arena { size_t used, size; unsigned char bytes[]; };

struct arena *arena_new(void)
{
    struct arena *a = malloc(sizeof *a + 256);
    a->used = 0;
    a->size = 256;
    return a;
}

void *arena_take(struct arena *a, unsigned char n)
{
    size_t start = (a->used + 7) / 8 * 8;
    if (start + n > a->size) return NULL;
    a->used = start + n;
    return a->bytes + start;
}

uint64_t *arena_number(struct arena *a, uint64_t x)
{
    uint64_t *p = arena_take(a, sizeof x);
    if (p) *p = x;
    return p;
}

void arena_reset(struct arena *a)
{
    a->used = 0;
}
