/*
 * The heap of the code under test: blocks from the arena, one after the other, with red zones, never used
 * again before `reset`. Hands every block to the frame that allocates it; does not know what a leak is.
 */
#include "internal.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define RED_ZONE 16ul

/* Noise is a function of the address, so that one can tell later whether a word still holds it. */
static uint64_t noise(uint64_t word)
{
    uint64_t h = (word ^ S.settings.fill << 48) * 0x9e3779b97f4a7c15ul;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9ul;
    return h ^ h >> 32;
}

static int is_noise(void) { return S.settings.fill != 0 && S.settings.fill != 255; }

static void fill(uint64_t a, uint64_t n)
{
    if (!is_noise()) {
        memset((void *)a, (int)S.settings.fill, n);
        return;
    }
    for (uint64_t i = 0; i < n; i += 8) {
        uint64_t word = noise(a + i);
        if (n - i >= 8) __builtin_memcpy((void *)(a + i), &word, 8);
        else memcpy((void *)(a + i), &word, n - i);
    }
}

/* Not every write is seen: the compiler does not announce `*p = f()` for structs, and most of the C library is not
   wrapped. A word that does not hold its noise any more was written. */
static void settle(uint64_t a, uint64_t n)
{
    for (uint64_t word = a & ~7ul; word < a + n; word += 8) {
        uint8_t *s = SHADOW(word);
        uint64_t expected = noise(word);
        int is_written = 0;
        for (int i = 0; i < 8; i++)
            is_written |= (s[i] & (SW_LIVE | SW_INIT)) == SW_LIVE && ((uint8_t *)word)[i] != (uint8_t)(expected >> 8 * i);
        for (int i = 0; is_written && i < 8; i++)
            if (s[i] & SW_LIVE) s[i] |= SW_INIT;
    }
}

static uint64_t allocate(uint64_t size, uint64_t align, uint32_t kind, void *pc)
{
    if (align < 16) align = 16;
    if (size > SW_ARENA_SIZE || align > SW_ARENA_SIZE || S.n_blocks >= SW_MAX_BLOCKS) return 0;
    uint64_t a = (S.top + RED_ZONE + align - 1) & ~(align - 1), end = a + size + RED_ZONE;
    if (end > SW_ARENA + S.settings.heap_limit) return 0;
    S.busy = 1;
    blocks()[S.n_blocks++] = (struct sw_block){ .address = a, .size = size, .alloc_pc = (uint64_t)pc, .is_live = 1, .kind = kind };
    S.top = end;
    memset(SHADOW(a), (int)(S.depth << 2 | SW_LIVE | (S.settings.is_plain || !is_noise() ? SW_INIT : 0)), size);
    fill(a, size);
    S.busy = 0;
    return a;
}

static void *heap(uint64_t size, uint64_t align, void *pc)
{
    if (S.trouble) return 0;
    flush_pending();
    S.report.n_allocations++;
    uint64_t a = ++S.allocations == S.settings.fail_at ? 0 : allocate(size, align, 0, pc);
    if (!a) {
        S.report.n_failed++;
        errno = ENOMEM;
    }
    return (void *)a;
}

static void *zeroed(uint64_t n, uint64_t size, void *pc)
{
    uint64_t total;
    if (__builtin_mul_overflow(n, size, &total)) total = ~0ul;
    void *p = heap(total, 16, pc);
    if (p) {
        memset(p, 0, total);
        memset(SHADOW((uint64_t)p), (int)(S.depth << 2 | SW_LIVE | SW_INIT), total);
    }
    return p;
}

/* The live block that begins at `p`, or leaves. */
static struct sw_block *block_at(void *p, void *pc)
{
    uint64_t a = (uint64_t)p, k = a - SW_ARENA < SW_ARENA_SIZE ? find_block(a) : 0;
    struct sw_block *b = k ? &blocks()[k - 1] : 0;
    if (b && b->address == a && b->is_live && b->kind == 0) return b;
    S.report.violation = (struct sw_violation){ .address = a, .pc = (uint64_t)pc };
    describe(a, &S.report.violation);
    if (b && b->is_live && b->address <= a && a - b->address < b->size) S.report.violation.what = SW_WHAT_LIVE;
    leave(SW_BAD_FREE);
}

static void release_bytes(struct sw_block *b, uint64_t n, void *pc)
{
    uint8_t *s = SHADOW(b->address);
    if (S.depth && S.armed)
        for (uint64_t i = 0; i < n; i++)
            if (s[i] >> 2 != S.depth && s[i] & SW_LIVE) bad_access(b->address + i, n, 1, pc);
    S.busy = 1;
    b->free_pc = (uint64_t)pc;
    memset(s, 0, n);
    S.busy = 0;
}

static void dispose(void *p, void *pc)
{
    flush_pending();
    if (!p || S.trouble) return;
    if (!S.armed && (uint64_t)p - SW_ARENA >= SW_ARENA_SIZE) return;
    struct sw_block *b = block_at(p, pc);
    release_bytes(b, b->size, pc);
    b->is_live = 0;
}

WRAP(void *, malloc)(size_t n) { return heap(n, 16, RA); }
WRAP(void *, calloc)(size_t n, size_t size) { return zeroed(n, size, RA); }
WRAP(void, free)(void *p) { dispose(p, RA); }
WRAP(void, cfree)(void *p) { dispose(p, RA); }

static void *resize(void *p, uint64_t n, void *pc)
{
    if (!p) return heap(n, 16, pc);
    struct sw_block *b = block_at(p, pc);
    if (!n) {
        dispose(p, pc);
        return 0;
    }
    uint64_t keep = b->size < n ? b->size : n;
    range_access(b->address, b->size, 0, pc);
    void *q = heap(n, 16, pc);
    if (!q) return 0;
    memcpy(q, p, keep);
    copy_state((uint64_t)q, (uint64_t)p, keep);
    dispose(p, pc);
    return q;
}

WRAP(void *, realloc)(void *p, size_t n) { return resize(p, n, RA); }
WRAP(void *, reallocarray)(void *p, size_t n, size_t size)
{
    uint64_t total;
    return resize(p, __builtin_mul_overflow(n, size, &total) ? ~0ul : total, RA);
}

static void *aligned(uint64_t align, uint64_t n, void *pc)
{
    if (align & (align - 1)) {
        errno = EINVAL;
        return 0;
    }
    return heap(n, align, pc);
}

WRAP(void *, aligned_alloc)(size_t align, size_t n) { return aligned(align, n, RA); }
WRAP(void *, memalign)(size_t align, size_t n) { return aligned(align, n, RA); }
WRAP(void *, valloc)(size_t n) { return aligned(4096, n, RA); }
WRAP(int, posix_memalign)(void **out, size_t align, size_t n)
{
    if (align & (align - 1) || align % sizeof(void *)) return EINVAL;
    void *p = heap(n, align, RA);
    if (!p) return ENOMEM;
    check_write((uint64_t)out, 8, RA);
    *out = p;
    return 0;
}

WRAP(size_t, malloc_usable_size)(void *p) { return p ? block_at(p, RA)->size : 0; }

/* CN's own, which need no header. */
CN(void *, cn_malloc)(size_t n) { return heap(n, 16, RA); }
CN(void *, cn_calloc)(size_t n, size_t size) { return zeroed(n, size, RA); }
CN(void *, cn_aligned_alloc)(size_t align, size_t n) { return aligned(align, n, RA); }
CN(void *, cn_unsafe_malloc)(size_t n) { return heap(n, 16, RA); }
CN(void *, cn_unsafe_calloc)(size_t n, size_t size) { return zeroed(n, size, RA); }
CN(void, cn_free)(void *p) { dispose(p, RA); }
CN(void, cn_free_sized)(void *p, size_t n)
{
    if (!p) return;
    struct sw_block *b = block_at(p, RA);
    if (n > b->size) bad_access(b->address + b->size, n, 1, RA);
    /* What is not freed stays live and owned by nobody's pointer: it leaks. */
    release_bytes(b, n, RA);
    if (n == b->size) b->is_live = 0;
}

static void reset_heap(void)
{
    uint64_t used = S.top - S.kept_top;
    if (used > (4ul << 20)) { /* give large sequences' pages back instead of clearing them */
        uint64_t from = (S.kept_top + 4095) & ~4095ul, to = (S.top + 4095) & ~4095ul;
        madvise((void *)from, to - from, MADV_DONTNEED);
        madvise(SHADOW(from), to - from, MADV_DONTNEED);
        memset(SHADOW(S.kept_top), 0, from - S.kept_top);
    } else {
        memset(SHADOW(S.kept_top), 0, used);
    }
    S.top = S.kept_top;
    S.n_blocks = S.kept_blocks;
}
