// expect: out-of-bounds of msgring_push, at most 4 calls
// seeds: 2
/* Messages of any length in a ring of bytes: a header that goes round the end is written past it. */
#include <stdint.h>
#include <stddef.h>
struct msgring;
struct msg_hdr { uint16_t len; uint8_t type; uint8_t flags; };
struct msgring *msgring_new(uint32_t size);
int msgring_push(struct msgring *r, uint8_t type, const void *body, uint16_t len);
int msgring_pop(struct msgring *r, struct msg_hdr *hdr, void *body, size_t cap);
int msgring_peek_type(const struct msgring *r);
uint32_t msgring_pending(const struct msgring *r);
void msgring_delete(struct msgring *r);

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct msgring {
    uint32_t size, head, tail, used, pending;
    uint8_t buf[];
};

struct msgring *msgring_new(uint32_t size)
{
    struct msgring *r;
    if (size < 8 || size > 65536) return NULL;
    r = malloc(sizeof(*r) + size);
    if (r) {
        memset(r, 0, sizeof(*r));
        r->size = size;
    }
    return r;
}

static void put(struct msgring *r, const void *src, uint32_t n)
{
    uint32_t first = r->size - r->head;
    if (first >= n || n <= 4) {      /* "a header never wraps" */
        memcpy(r->buf + r->head, src, n);
    } else {
        memcpy(r->buf + r->head, src, first);
        memcpy(r->buf, (const uint8_t *)src + first, n - first);
    }
    r->head = (r->head + n) % r->size;
    r->used += n;
}

static void get(const struct msgring *r, uint32_t at, void *dst, uint32_t n)
{
    uint32_t first = r->size - at;
    if (first > n) first = n;
    memcpy(dst, r->buf + at, first);
    memcpy((uint8_t *)dst + first, r->buf, n - first);
}

int msgring_push(struct msgring *r, uint8_t type, const void *body, uint16_t len)
{
    struct msg_hdr h = { .len = len, .type = type };
    if (sizeof h + len > r->size - r->used) return -ENOSPC;
    put(r, &h, sizeof h);
    if (len) put(r, body, len);
    r->pending++;
    return 0;
}

int msgring_pop(struct msgring *r, struct msg_hdr *hdr, void *body, size_t cap)
{
    struct msg_hdr h;
    if (!r->pending) return -EAGAIN;
    get(r, r->tail, &h, sizeof h);
    if (h.len > cap) return -EMSGSIZE;
    if (h.len) get(r, (r->tail + sizeof h) % r->size, body, h.len);
    r->tail = (r->tail + sizeof h + h.len) % r->size;
    r->used -= sizeof h + h.len;
    r->pending--;
    if (hdr) *hdr = h;
    return h.len;
}

int msgring_peek_type(const struct msgring *r)
{
    struct msg_hdr h;
    if (!r->pending) return -1;
    get(r, r->tail, &h, sizeof h);
    return h.type;
}

uint32_t msgring_pending(const struct msgring *r) { return r->pending; }
void msgring_delete(struct msgring *r) { free(r); }
