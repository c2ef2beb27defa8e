/*
 * The heap of the code under test: blocks from the arena, one after the other, with red zones. When its end is
 * reached, a sweep forgets blocks that were freed, the last ones excepted, and allocation starts again at the
 * beginning, in the gaps: a use after free is seen for as long as possible, and a program that frees what it allocates
 * never runs out. Hands every block to the frame that allocates it; does not know what a leak is.
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

/* Gap number n lies before block n of the last sweep, the last gap behind all of them. Without a sweep there is one gap: everything. */
static void open_gap(uint64_t gap)
{
    S.gap = gap;
    S.cursor = gap ? blocks()[gap - 1].address + blocks()[gap - 1].size + RED_ZONE : SW_ARENA;
    S.gap_end = gap < S.n_old ? blocks()[gap].address : SW_ARENA + S.settings.heap_limit;
}

/* The next place in a gap for a block, or 0; gaps on the way there are not used again before a sweep. */
static uint64_t place(uint64_t size, uint64_t align)
{
    uint64_t gap = S.gap, cursor = S.cursor, passed_over = S.passed_over;
    while (S.n_blocks < SW_MAX_BLOCKS) {
        uint64_t a = (S.cursor + RED_ZONE + align - 1) & ~(align - 1), end = a + size + RED_ZONE;
        if (end <= S.gap_end) {
            S.cursor = end;
            return a;
        }
        if (S.gap >= S.n_old) break;
        if (S.gap_end > S.cursor) S.passed_over += S.gap_end - S.cursor;
        open_gap(S.gap + 1);
    }
    open_gap(gap);
    S.cursor = cursor;
    S.passed_over = passed_over;
    return 0;
}

/* What a freed block counts beside its bytes: it takes room in the table. */
#define RECORD_SIZE 64ul

/* Forgets blocks that were freed, but for as much as the quarantine holds of those freed last, and begins again with the
   first gap. Only worth its while if enough was freed since the last time, or passed over. */
static int sweep(uint64_t quarantine)
{
    uint64_t gain = S.freed - S.freed_at_sweep + S.passed_over;
    if (quarantine && gain < 4 * S.n_blocks + RECORD_SIZE) return 0;
    struct sw_block *swept = (struct sw_block *)SW_SWEPT;
    uint64_t old = 0, new = S.n_old, n = 0;
    while (old < S.n_old || new < S.n_blocks) {
        int is_old = new >= S.n_blocks || (old < S.n_old && blocks()[old].address < blocks()[new].address);
        const struct sw_block *b = &blocks()[is_old ? old++ : new++];
        if (b->is_live || S.freed - b->freed < quarantine) swept[n++] = *b;
    }
    memcpy(blocks(), swept, n * sizeof *swept);
    S.n_old = S.n_blocks = n;
    S.freed_at_sweep = S.freed;
    S.passed_over = 0;
    S.n_sweeps++;
    open_gap(0);
    return 1;
}

static uint64_t place_after_sweep(uint64_t size, uint64_t align)
{
    uint64_t a = sweep(S.settings.heap_limit / 4) ? place(size, align) : 0;
    /* Better to forget what was freed just now than to have no memory; but not for nothing. */
    if (!a && S.freed != S.emptied_at) {
        S.emptied_at = S.freed;
        sweep(0);
        a = place(size, align);
    }
    return a;
}

/* A sequence that has used more than this gives its pages back. */
#define MUCH (4ul << 20)
/* Pages that come and go take much longer than the bytes in them: a block of time for every so many bytes. No fuel
   of the call, which does nothing unusual, but a search and a shrink have taken this. */
#define PAGED_A_BLOCK 8

static void raise_top(uint64_t to)
{
    uint64_t from = S.top > S.kept_top + MUCH ? S.top : S.kept_top + MUCH;
    if (UNLIKELY(to > from)) S.spent.fuel += (to - from) / PAGED_A_BLOCK;
    S.top = to;
}

static uint64_t allocate(uint64_t size, uint64_t align, uint32_t kind, void *pc)
{
    if (align < 16) align = 16;
    if (size > SW_ARENA_SIZE || align > SW_ARENA_SIZE) return 0;
    S.busy = 1;
    uint64_t a = place(size, align);
    if (UNLIKELY(!a)) a = place_after_sweep(size, align);
    if (!a) {
        S.busy = 0;
        return 0;
    }
    blocks()[S.n_blocks++] = (struct sw_block){ .address = a, .size = size, .alloc_pc = (uint64_t)pc, .is_live = 1, .kind = kind, .serial = S.n_serials++ };
    if (S.cursor > S.top) raise_top(S.cursor);
    memset(SHADOW(a), (int)(S.tag << 2 | SW_LIVE | (S.settings.is_plain || !is_noise() ? SW_INIT : 0)), size);
    fill(a, size);
    S.busy = 0;
    return a;
}

static void *heap(uint64_t size, uint64_t align, void *pc)
{
    if (S.trouble) return 0;
    flush_pending();
    /* What there is no room for costs nothing: most sizes that are drawn by chance are such. */
    burn(size <= S.settings.heap_limit ? size / 4 + ALLOCATING : ALLOCATING, pc);
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
        memset(SHADOW((uint64_t)p), (int)(S.tag << 2 | SW_LIVE | SW_INIT), total);
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

/* Somebody else owns a byte of what is freed. */
static void unowned_free(uint64_t a, void *pc)
{
    S.report.violation = (struct sw_violation){ .address = a, .pc = (uint64_t)pc };
    describe(a, &S.report.violation);
    if (is_lent(a)) S.report.violation.what = SW_WHAT_LENT;
    leave(SW_BAD_FREE);
}

static void release_bytes(struct sw_block *b, uint64_t n, void *pc)
{
    uint8_t *s = SHADOW(b->address);
    uint64_t i = 0;
    burn(n / 4, pc);
    while (i + 8 <= n && !((load_shadow(s + i, 8) ^ S.write_want) & S.write_mask)) i += 8;
    if (S.depth && S.armed)
        for (; i < n; i++)
            if (s[i] >> 2 != S.tag && s[i] & SW_LIVE) unowned_free(b->address + i, pc);
    S.busy = 1;
    b->free_pc = (uint64_t)pc;
    memset(s, 0, n);
    S.busy = 0;
}

static void retire(struct sw_block *b)
{
    b->is_live = 0;
    b->freed = S.freed += b->size + RECORD_SIZE;
}

static void dispose(void *p, void *pc)
{
    flush_pending();
    if (!p || S.trouble) return;
    if (!S.armed && (uint64_t)p - SW_ARENA >= SW_ARENA_SIZE) return;
    struct sw_block *b = block_at(p, pc);
    release_bytes(b, b->size, pc);
    retire(b);
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
    if (n == b->size) retire(b);
}

/* One gap, behind what is there. */
static void begin_heap(void)
{
    S.n_old = 0;
    open_gap(0);
    S.cursor = S.top;
}

/* What constructors allocated is there in every sequence, as it is now. */
static void keep_heap(void)
{
    S.kept_top = S.top;
    S.kept_blocks = S.n_blocks;
    uint64_t size = S.n_blocks * sizeof *S.kept;
    void *p = size ? mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
    if (p == MAP_FAILED) {
        S.kept_blocks = 0;
        return;
    }
    S.kept = p;
    memcpy(S.kept, blocks(), size);
    for (uint64_t k = 0; k < S.kept_blocks; k++) S.kept[k].serial = k;
}

static void reset_heap(void)
{
    uint64_t used = S.top - S.kept_top;
    if (used > MUCH) { /* quicker than clearing them */
        uint64_t from = (S.kept_top + 4095) & ~4095ul, to = (S.top + 4095) & ~4095ul;
        madvise((void *)from, to - from, MADV_DONTNEED);
        madvise(SHADOW(from), to - from, MADV_DONTNEED);
        memset(SHADOW(S.kept_top), 0, from - S.kept_top);
    } else {
        memset(SHADOW(S.kept_top), 0, used);
    }
    S.top = S.kept_top;
    S.n_blocks = S.n_serials = S.kept_blocks;
    S.freed = S.freed_at_sweep = S.passed_over = S.emptied_at = S.n_sweeps = 0;
    if (S.kept_blocks) memcpy(blocks(), S.kept, S.kept_blocks * sizeof *S.kept);
    begin_heap();
}
