// expect: out-of-bounds of br_peek|br_read|br_ue|br_se, at most 2 calls
// seeds: 2
/* Bits of a buffer, refilled once too often. */
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
typedef struct {
    const uint8_t *p, *end;
    uint32_t cache;
    unsigned nbits : 6;
    bool error : 1;
} BitReader;
void br_init(BitReader *br, const uint8_t *data, size_t len);
uint32_t br_read(BitReader *br, unsigned n);
uint32_t br_peek(BitReader *br, unsigned n);
uint32_t br_ue(BitReader *br);
int32_t br_se(BitReader *br);
void br_align(BitReader *br);
size_t br_left(const BitReader *br);
bool br_failed(const BitReader *br);

void br_init(BitReader *br, const uint8_t *data, size_t len)
{
    *br = (BitReader){ .p = data, .end = data + len };
}

static void refill(BitReader *br)
{
    while (br->nbits <= 24) {
        if (br->p > br->end) break;
        br->cache |= (uint32_t)*br->p++ << (24 - br->nbits);
        br->nbits += 8;
    }
}

uint32_t br_peek(BitReader *br, unsigned n)
{
    if (n == 0 || n > 25) return 0;
    if (br->nbits < n) refill(br);
    return br->cache >> (32 - n);
}

uint32_t br_read(BitReader *br, unsigned n)
{
    uint32_t v;
    if (n == 0) return 0;
    if (n > 25) { br->error = true; return 0; }
    v = br_peek(br, n);
    if (br->nbits < n) { br->error = true; return 0; }
    br->cache <<= n;
    br->nbits -= n;
    return v;
}

uint32_t br_ue(BitReader *br)
{
    unsigned zeros = 0;
    while (!br_read(br, 1)) {
        if (br->error || ++zeros > 24) { br->error = true; return 0; }
    }
    return zeros ? (1u << zeros) - 1 + br_read(br, zeros) : 0;
}

int32_t br_se(BitReader *br)
{
    uint32_t u = br_ue(br);
    return u & 1 ? (int32_t)(u / 2 + 1) : -(int32_t)(u / 2);
}

void br_align(BitReader *br)
{
    unsigned odd = br->nbits % 8;
    br->cache <<= odd;
    br->nbits -= odd;
}

size_t br_left(const BitReader *br) { return (size_t)(br->end - br->p) * 8 + br->nbits; }
bool br_failed(const BitReader *br) { return br->error; }
