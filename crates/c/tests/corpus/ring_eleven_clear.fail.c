// expect: out-of-bounds of ring_pop|ring_front, at most 36 calls
// seeds: 3
#include <stdlib.h>
#include <string.h>
#include <assert.h>
enum { CAP = 32 };
struct ring { int slots[CAP]; unsigned head, count; unsigned long total; };
struct ring *ring_new(void) { return calloc(1, sizeof(struct ring)); }
void ring_free(struct ring *r) { free(r); }
int ring_count(const struct ring *r) { return r->count; }
int ring_space(const struct ring *r) { return CAP - r->count; }
int ring_is_empty(const struct ring *r) { return r->count == 0; }
int ring_is_full(const struct ring *r) { return r->count == CAP; }
int ring_push(struct ring *r, int v)
{
    if (ring_is_full(r)) return 0;
    unsigned i = r->head + r->count;
    if (i >= CAP) i -= CAP;
    r->slots[i] = v;
    r->count++;
    r->total++;
    return 1;
}
int ring_pop(struct ring *r, int *out)
{
    if (r->count == 0) return 0;
    *out = r->slots[r->head];
    if (++r->head == CAP) r->head = 0;
    r->count--;
    return 1;
}
int ring_front(const struct ring *r, int *out)
{
    if (r->count == 0) return 0;
    *out = r->slots[r->head];
    return 1;
}
void ring_clear(struct ring *r) { r->head = r->count == CAP ? CAP : 0; r->count = 0; }
int ring_last(const struct ring *r)
{
    if (r->count == 0) return -1;
    unsigned i = (r->head + r->count - 1) % CAP;
    assert(r->count <= CAP);
    return r->slots[i];
}
