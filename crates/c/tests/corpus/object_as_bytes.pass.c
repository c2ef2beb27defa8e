// expect: pass
/* A filter over any bytes, and a struct with bytes between its members that nobody sets: it is no key. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct filter { size_t n_bits; unsigned n_hashes; uint8_t *bits; };

static size_t place(const struct filter *f, const void *key, size_t len, unsigned k)
{
    const uint8_t *bytes = key;
    uint64_t hash = 14695981039346656037ull + k;
    for (size_t i = 0; i < len; i++) hash = (hash ^ bytes[i]) * 1099511628211ull;
    return hash % f->n_bits;
}

struct filter *filter_new(size_t n_bits, unsigned n_hashes)
{
    if (!n_bits || n_bits > 4096 || n_hashes > 8) return NULL;
    struct filter *f = malloc(sizeof *f);
    if (!f) return NULL;
    f->n_bits = n_bits;
    f->n_hashes = n_hashes;
    f->bits = calloc(n_bits / 8 + 1, 1);
    return f;
}

void filter_add(struct filter *f, const void *key, size_t len)
{
    for (unsigned k = 0; k < f->n_hashes; k++) {
        size_t at = place(f, key, len, k);
        if (f->bits) f->bits[at / 8] |= (uint8_t)(1u << at % 8);
    }
}

int filter_has(const struct filter *f, const void *key, size_t len)
{
    for (unsigned k = 0; k < f->n_hashes; k++) {
        size_t at = place(f, key, len, k);
        if (!f->bits || !(f->bits[at / 8] >> at % 8 & 1)) return 0;
    }
    return 1;
}
