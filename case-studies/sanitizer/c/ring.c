/* A ring buffer of bytes. The PLANTED_ switches bring in one mistake each, for the tests. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define JOIN(a, b) a##_##b
#define NAME(a, b) JOIN(a, b)
#define FUNCTION(name) NAME(PREFIX, name)

struct ring {
    uint32_t capacity, first, len;
    uint8_t *bytes;
};

struct ring *FUNCTION(ring_new)(uint32_t capacity)
{
    struct ring *ring = malloc(sizeof *ring);
    if (!ring) return NULL;
    *ring = (struct ring){ .capacity = capacity, .bytes = malloc(capacity) };
    if (!ring->bytes) {
        free(ring);
        return NULL;
    }
    return ring;
}

void FUNCTION(ring_free)(struct ring *ring)
{
#ifdef PLANTED_LEAK
    /* What is empty has nothing to free, one might think. */
    if (ring->len == 0) {
        free(ring);
        return;
    }
#endif
    free(ring->bytes);
    free(ring);
}

/* Whether there was room. */
bool FUNCTION(ring_push)(struct ring *ring, uint8_t byte)
{
    if (ring->len == ring->capacity) return false;
    uint32_t at = ring->first + ring->len;
#ifdef PLANTED_OVERRUN
    if (at > ring->capacity) at -= ring->capacity;
#else
    if (at >= ring->capacity) at -= ring->capacity;
#endif
    ring->bytes[at] = byte;
    ring->len++;
    return true;
}

/* Whether there was a byte, and which. */
bool FUNCTION(ring_pop)(struct ring *ring, uint8_t *byte)
{
    if (ring->len == 0) return false;
    *byte = ring->bytes[ring->first++];
    if (ring->first == ring->capacity) ring->first = 0;
    ring->len--;
    return true;
}

/* Empties the ring and gives it another capacity; whether there was memory. */
bool FUNCTION(ring_reset)(struct ring *ring, uint32_t capacity)
{
    uint8_t *bytes = malloc(capacity);
    if (!bytes) return false;
    free(ring->bytes);
#ifdef PLANTED_USE_AFTER_FREE
    if (capacity == ring->capacity) {
        /* The new memory is as good as the old, one might think. */
        free(bytes);
        bytes = ring->bytes;
    }
#endif
    *ring = (struct ring){ .capacity = capacity, .bytes = bytes };
    return true;
}
