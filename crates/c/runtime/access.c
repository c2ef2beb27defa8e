/*
 * Every access of the code under test: the compiler's calls, the check against the shadow, and what a
 * byte was that must not be touched. Knows nothing of where ownership comes from.
 */
#include "internal.h"

static struct sw_block *blocks(void) { return (struct sw_block *)SW_BLOCKS; }

static struct sw_range *ranges_from(uint64_t index) { return (struct sw_range *)SW_RANGES + index; }

static struct sw_range *foreign(void) { return (struct sw_range *)SW_FOREIGN; }

static struct frame *frame_at(uint64_t depth) { return (struct frame *)SW_FRAMES + depth; }

static uint64_t tag_of(uint64_t depth) { return depth ? 1 + (depth - 1) % SW_TAGS : 0; }

static void set_masks(void)
{
    S.tag = tag_of(S.depth);
    uint64_t tag = S.tag << 2 | SW_LIVE;
    uint64_t mask = S.depth ? 0xff : SW_LIVE | SW_INIT;
    S.read_want = BROADCAST(tag | SW_INIT);
    S.read_mask = BROADCAST(mask);
    S.write_want = BROADCAST(tag);
    S.write_mask = BROADCAST(mask & ~SW_INIT);
}

static uint8_t *shadow_of(uint64_t a, uint64_t n)
{
    uint64_t in_arena = a - SW_ARENA, in_globals = a - S.layout.globals;
    if (in_arena < SW_ARENA_SIZE && n <= SW_ARENA_SIZE - in_arena) return SHADOW(a);
    if (in_globals < S.layout.globals_size && n <= S.layout.globals_size - in_globals) return S.layout.globals_shadow + in_globals;
    return 0;
}

static int within(uint64_t a, uint64_t n, const struct sw_range *ranges, uint64_t n_ranges)
{
    for (uint64_t k = 0; k < n_ranges; k++) {
        uint64_t o = a - ranges[k].address;
        if (o < ranges[k].size && n <= ranges[k].size - o) return 1;
    }
    return 0;
}

/* In a part of the table, in which blocks lie in the order of their addresses: the first one behind `a`. */
static uint64_t first_behind(uint64_t a, uint64_t low, uint64_t high)
{
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (blocks()[middle].address <= a) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The last block that begins at or before `a`, and the first behind it: index + 1, or 0. */
static void find_blocks(uint64_t a, uint64_t *at, uint64_t *next)
{
    uint64_t old = first_behind(a, 0, S.n_old), new = first_behind(a, S.n_old, S.n_blocks);
    int is_new = new > S.n_old && (!old || blocks()[new - 1].address > blocks()[old - 1].address);
    *at = is_new ? new : old;
    is_new = new < S.n_blocks && (old >= S.n_old || blocks()[new].address < blocks()[old].address);
    *next = is_new ? new + 1 : old < S.n_old ? old + 1 : 0;
}

static uint64_t find_block(uint64_t a)
{
    uint64_t at, next;
    find_blocks(a, &at, &next);
    return at;
}

static void describe_arena(uint64_t a, struct sw_violation *v)
{
    uint64_t k, behind;
    find_blocks(a, &k, &behind);
    const struct sw_block *at = k ? &blocks()[k - 1] : 0, *next = behind ? &blocks()[behind - 1] : 0;
    v->what = SW_WHAT_UNALLOCATED;
    if (at && a - at->address < at->size) {
        v->block = k;
        v->what = at->is_live ? *SHADOW(a) & SW_LIVE ? SW_WHAT_UNOWNED : SW_WHAT_FREED : SW_WHAT_FREED;
    } else if (at && (!next || a - (at->address + at->size) < next->address - a)) {
        if (a < S.top) v->block = k, v->what = SW_WHAT_RED_ZONE;
    } else if (next) {
        v->block = behind;
        v->what = SW_WHAT_RED_ZONE;
    }
    if (v->block) v->offset = (int64_t)(a - blocks()[v->block - 1].address);
}

static void describe(uint64_t a, struct sw_violation *v)
{
    v->what = SW_WHAT_UNKNOWN;
    v->block = 0;
    v->offset = 0;
    if (a < 4096) {
        v->what = SW_WHAT_NULL;
    } else if (a - SW_ARENA < SW_ARENA_SIZE) {
        describe_arena(a, v);
    } else if (a - SW_STACK < SW_STACK_SIZE) {
        v->what = a >= S.boundary ? SW_WHAT_CALLER_STACK : SW_WHAT_DEAD_STACK;
        if (S.n_fences && first_fenced(a, 1)) describe_fence(a, v);
    } else if (a - S.layout.missing < S.layout.missing_size) {
        v->what = SW_WHAT_MISSING;
    } else if (a - S.layout.globals < S.layout.globals_size) {
        v->what = *shadow_of(a, 1) & SW_LIVE ? SW_WHAT_GLOBAL : SW_WHAT_BETWEEN_GLOBALS;
    } else if (within(a, 1, S.layout.readable, S.layout.n_readable)) {
        v->what = SW_WHAT_READ_ONLY;
    }
}

static void bad_access(uint64_t bad, uint64_t n, int is_write, void *pc)
{
    struct sw_violation *v = &S.report.violation;
    *v = (struct sw_violation){ .is_write = (uint32_t)is_write, .address = bad, .size = n, .pc = (uint64_t)pc };
    describe(bad, v);
    if (is_write && is_lent(bad)) v->what = SW_WHAT_LENT;
    leave(SW_ACCESS);
}

static void flush_pending(void)
{
    if (!S.pending_size) return;
    if (S.pending_is_partial) {
        S.report.n_copied++;
    } else if (!S.report.n_uninitialised++) {
        S.report.first_address = S.pending_address;
        S.report.first_pc = S.pending_pc;
    }
    S.pending_size = 0;
}

static void copy_state(uint64_t to, uint64_t from, uint64_t n)
{
    uint8_t *t = shadow_of(to, n), *f = shadow_of(from, n);
    if (!t || to == from) return;
    if (!f) { /* the stack and foreign memory count as written */
        for (uint64_t i = 0; i < n; i++) t[i] |= SW_INIT;
    } else if (t < f) {
        for (uint64_t i = 0; i < n; i++) t[i] = (t[i] & ~SW_INIT) | (f[i] & SW_INIT);
    } else {
        for (uint64_t i = n; i-- > 0;) t[i] = (t[i] & ~SW_INIT) | (f[i] & SW_INIT);
    }
}

static void copied_scalar(uint64_t a, uint64_t n)
{
    if (S.pending_size != n) {
        flush_pending();
        return;
    }
    S.report.n_copied++;
    copy_state(a, S.pending_address, n);
    S.pending_size = 0;
}

static void check_bytes(uint8_t *s, uint64_t a, uint64_t n, int is_write, int is_range, void *pc)
{
    uint64_t uninitialised = 0;
    uint64_t in_globals = a - S.layout.globals;
    if (is_write && in_globals < S.layout.globals_size)
        for (uint64_t page = in_globals >> 12; page <= (in_globals + n - 1) >> 12; page++) S.layout.is_written[page] = 1;
    const uint64_t want = is_write ? S.write_want : S.read_want, mask = is_write ? S.write_mask : S.read_mask;
    uint64_t first = 0;
    /* Eight bytes at a time while they are what one expects; then one by one. */
    for (uint64_t word; first + 8 <= n && !(((word = load_shadow(s + first, 8)) ^ want) & mask); first += 8) {
        word |= BROADCAST(SW_INIT);
        if (is_write) __builtin_memcpy(s + first, &word, 8);
    }
    for (uint64_t i = first; i < n; i++) {
        uint8_t owner = s[i] >> 2;
        int is_ours = !S.depth || owner == S.tag || owner == SW_PUBLIC || (!is_write && is_lent(a + i));
        if (UNLIKELY(!(s[i] & SW_LIVE) || !is_ours)) bad_access(a + i, n, is_write, pc);
        if (is_write) s[i] |= SW_INIT;
        else uninitialised += !(s[i] & SW_INIT);
    }
    if (UNLIKELY(uninitialised && !is_range && a - SW_ARENA < SW_ARENA_SIZE)) {
        settle(a, n);
        uninitialised = 0;
        for (uint64_t i = 0; i < n; i++) uninitialised += !(s[i] & SW_INIT);
    }
    if (uninitialised && !is_range) {
        flush_pending();
        S.pending_address = a;
        S.pending_size = n;
        S.pending_pc = (uint64_t)pc;
        /* Some bytes of a word: a small union or struct with padding that travels as one. */
        S.pending_is_partial = uninitialised < n;
    }
}

static void check_stack(uint64_t a, uint64_t n, int is_write, void *pc, void *floor)
{
    uint64_t end = a + n;
    if (a < (uint64_t)floor) bad_access(a, n, is_write, pc);
    if (end > SW_STACK + SW_STACK_SIZE) bad_access(SW_STACK + SW_STACK_SIZE, n, is_write, pc);
    if (UNLIKELY(S.n_fences)) {
        uint64_t fenced = first_fenced(a, n);
        if (fenced) bad_access(fenced, n, is_write, pc);
    }
    if (end <= S.boundary) return;
    if (!S.depth) return;
    const struct frame *f = frame_at(S.depth);
    for (uint64_t at = a < S.boundary ? S.boundary : a; at < end; at++)
        if (!within(at, 1, ranges_from(f->first_range), f->n_ranges) && (is_write || !is_lent(at))) bad_access(at, n, is_write, pc);
}

static void check_any(uint64_t a, uint64_t n, int is_write, int is_range, void *pc, void *floor)
{
    if (!S.armed || !n) return;
    uint8_t *s = shadow_of(a, n);
    if (s) {
        check_bytes(s, a, n, is_write, is_range, pc);
    } else if (a - SW_STACK < SW_STACK_SIZE) {
        check_stack(a, n, is_write, pc, floor);
    } else if (a - SW_ARENA < SW_ARENA_SIZE || a - S.layout.globals < S.layout.globals_size) {
        /* Begins inside and runs out at the end: check what is inside, blame the first byte outside. */
        uint64_t end = a - SW_ARENA < SW_ARENA_SIZE ? SW_ARENA + SW_ARENA_SIZE : S.layout.globals + S.layout.globals_size;
        check_bytes(shadow_of(a, end - a), a, end - a, is_write, is_range, pc);
        bad_access(end, n, is_write, pc);
    } else if (a - S.layout.missing < S.layout.missing_size) {
        bad_access(a, n, is_write, pc);
    } else if (!is_write && within(a, n, S.layout.readable, S.layout.n_readable)) {
        return;
    } else if (!within(a, n, S.libraries, S.n_libraries) && !within(a, n, foreign(), S.n_foreign < SW_MAX_FOREIGN ? S.n_foreign : SW_MAX_FOREIGN)) {
        bad_access(a, n, is_write, pc);
    }
}

__attribute__((noinline)) static void slow_access(uint64_t a, uint64_t n, int is_write, void *pc, void *floor)
{
    check_any(a, n, is_write, 0, pc, floor);
}

__attribute__((noinline)) static void slow_range(uint64_t a, uint64_t n, int is_write, void *pc, void *floor)
{
    check_any(a, n, is_write, 1, pc, floor);
    burn(n, pc);
}

static void allow_foreign(const void *address, uint64_t size)
{
    /* What is known already: `getenv` and `strerror` give the same again and again. */
    uint64_t n = S.n_foreign < SW_MAX_FOREIGN ? S.n_foreign : SW_MAX_FOREIGN;
    for (uint64_t k = 0; k < n; k++)
        if (foreign()[k].address == (uint64_t)address && foreign()[k].size >= size) return;
    /* The oldest is forgotten. */
    if (S.n_foreign >= SW_MAX_FOREIGN) S.report.limits |= SW_LIMIT_FOREIGN;
    foreign()[S.n_foreign++ % SW_MAX_FOREIGN] = (struct sw_range){ (uint64_t)address, size };
}

/* The compiler's calls. Ranges announce aggregates: the write first, then the read it is copied from. */
#define SCALAR(n) \
    void __tsan_read##n(void *p) { check_read((uint64_t)p, n, RA); } \
    void __tsan_write##n(void *p) { check_write((uint64_t)p, n, RA); } \
    void __tsan_unaligned_read##n(void *p) { check_read((uint64_t)p, n, RA); } \
    void __tsan_unaligned_write##n(void *p) { check_write((uint64_t)p, n, RA); } \
    void __tsan_volatile_read##n(void *p) { check_read((uint64_t)p, n, RA); } \
    void __tsan_volatile_write##n(void *p) { check_write((uint64_t)p, n, RA); }
SCALAR(1)
SCALAR(2)
SCALAR(4)
SCALAR(8)

static inline __attribute__((always_inline)) void write_range(uint64_t a, uint64_t n, void *pc)
{
    flush_pending();
    range_access(a, n, 1, pc);
    S.written_address = a;
    S.written_size = n;
}

static inline __attribute__((always_inline)) void read_range(uint64_t a, uint64_t n, void *pc)
{
    range_access(a, n, 0, pc);
    if (S.written_size == n && S.armed) copy_state(S.written_address, a, n);
    S.written_size = 0;
}

void __tsan_write_range(void *p, long n) { write_range((uint64_t)p, (uint64_t)n, RA); }
void __tsan_read_range(void *p, long n) { read_range((uint64_t)p, (uint64_t)n, RA); }
/* 16 bytes may be a long double, whose last six are never written, or a struct with padding. */
void __tsan_write16(void *p) { write_range((uint64_t)p, 16, RA); }
void __tsan_read16(void *p) { read_range((uint64_t)p, 16, RA); }
void __tsan_unaligned_write16(void *p) { write_range((uint64_t)p, 16, RA); }
void __tsan_unaligned_read16(void *p) { read_range((uint64_t)p, 16, RA); }
void __tsan_init(void) {}
void __tsan_func_entry(void *pc) { (void)pc; }
void __tsan_func_exit(void) {}

/* A branch is known by the blocks at its ends, as AFL has it: the one it comes from is shifted, so that there and back again differ.
   A count does not go round to 0, which would mean that it was never taken. */
static void count_edge(uint64_t block)
{
    uint64_t number = block * 0x9e3779b97f4a7c15ul >> 48;
    uint64_t edge = (number ^ S.last_block) % SW_EDGES;
    uint8_t *count = &S.edges[edge];
    S.last_block = number >> 1;
    if (!*count) S.layout.touched[S.n_touched++] = (uint16_t)edge;
    *count = *count == 255 ? 1 : (uint8_t)(*count + 1);
}

void __sanitizer_cov_trace_pc(void)
{
    uint64_t pc = (uint64_t)RA;
    if (UNLIKELY(--S.fuel < 0)) {
        without_fuel(RA);
        return;
    }
    S.coverage[pc - S.text] = 1;
    if (UNLIKELY(S.edges != 0)) count_edge(pc - S.text);
    S.flow = (S.flow ^ (pc - S.text)) * 0x9e3779b97f4a7c15ul;
    S.flow ^= S.flow >> 29;
    S.last_pc = pc;
    S.written_size = 0;
}

/* How near two operands came. A comparison is known by the place that it returns to. */
static void note_comparison(uint64_t place, uint64_t left, uint64_t right, uint64_t nearness)
{
    uint64_t site = place * 0x9e3779b97f4a7c15ul >> 50;
    struct sw_comparison *at = &S.sites[site];
    if (!at->nearness) S.layout.compared[S.n_compared++] = (uint16_t)site;
    if (nearness > at->nearness) *at = (struct sw_comparison){ nearness, left, right };
}

/* The shorter way round, so that numbers may be signed or not. */
static void compare_numbers(uint64_t place, uint64_t left, uint64_t right, unsigned bits)
{
    uint64_t mask = bits < 64 ? (1ul << bits) - 1 : ~0ul;
    uint64_t up = (right - left) & mask, down = (left - right) & mask, distance = up < down ? up : down;
    note_comparison(place, left, right, SW_NEAREST - (distance ? 64 - (uint64_t)__builtin_clzl(distance) : 0));
}

/* Texts and bytes are the nearer the more of them are equal before the first difference, which is `left` and `right`. */
static void note_prefix(uint64_t n_equal, int left, int right, void *pc)
{
    if (LIKELY(!S.sites)) return;
    note_comparison((uint64_t)pc - S.text, (uint64_t)left, (uint64_t)right, left == right ? SW_NEAREST : 1 + (n_equal < SW_NEAREST - 2 ? n_equal : SW_NEAREST - 2));
}

/* Nothing tells whether the operands are signed: they are kept as if they were. */
#define COMPARISON(name, bits) \
    void __sanitizer_cov_trace_##name(int##bits##_t left, int##bits##_t right) \
    { if (UNLIKELY(S.sites != 0)) compare_numbers((uint64_t)RA - S.text, (uint64_t)left, (uint64_t)right, bits); }
COMPARISON(cmp1, 8)
COMPARISON(cmp2, 16)
COMPARISON(cmp4, 32)
COMPARISON(cmp8, 64)
COMPARISON(const_cmp1, 8)
COMPARISON(const_cmp2, 16)
COMPARISON(const_cmp4, 32)
COMPARISON(const_cmp8, 64)

/* Floats are as far apart as there are others between them. */
static uint64_t place_of_double(double x)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? (1ul << 63) - (bits & ~(1ul << 63)) : (1ul << 63) + bits;
}
static void compare_floats(double left, double right, void *pc)
{
    uint64_t a = place_of_double(left), b = place_of_double(right), distance = a < b ? b - a : a - b;
    note_comparison((uint64_t)pc - S.text, 0, 0, SW_NEAREST - (distance ? 64 - (uint64_t)__builtin_clzl(distance) : 0));
}
void __sanitizer_cov_trace_cmpd(double left, double right) { if (UNLIKELY(S.sites != 0)) compare_floats(left, right, RA); }
void __sanitizer_cov_trace_cmpf(float left, float right) { if (UNLIKELY(S.sites != 0)) compare_floats(left, right, RA); }

/* `cases`: how many there are, of how many bits, and their values. Each is a comparison. */
void __sanitizer_cov_trace_switch(uint64_t value, const uint64_t *cases)
{
    if (LIKELY(!S.sites)) return;
    uint64_t place = (uint64_t)RA - S.text, n = cases[0] < SW_MAX_WATCHED_CASES ? cases[0] : SW_MAX_WATCHED_CASES;
    for (uint64_t k = 0; k < n; k++) compare_numbers(place + (k << 32), value, cases[2 + k], (unsigned)cases[1]);
}

/* Atomics: checked like the others, then done; there is one thread. */
#define ATOMIC(bits, type) \
    type __tsan_atomic##bits##_load(const volatile type *p, int order) { (void)order; check_read((uint64_t)p, bits / 8, RA); return *p; } \
    void __tsan_atomic##bits##_store(volatile type *p, type v, int order) { (void)order; check_write((uint64_t)p, bits / 8, RA); *p = v; } \
    type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order) \
    { (void)order; check_read((uint64_t)p, bits / 8, RA); check_write((uint64_t)p, bits / 8, RA); type old = *p; *p = v; return old; } \
    ATOMIC_OP(bits, type, add, old + v) ATOMIC_OP(bits, type, sub, old - v) ATOMIC_OP(bits, type, and, old & v) \
    ATOMIC_OP(bits, type, or, old | v) ATOMIC_OP(bits, type, xor, old ^ v) ATOMIC_OP(bits, type, nand, ~(old & v)) \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *p, type *expected, type v, int o1, int o2) \
    { (void)o1; (void)o2; return exchange_if##bits(p, expected, v, RA); } \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *p, type *expected, type v, int o1, int o2) \
    { (void)o1; (void)o2; return exchange_if##bits(p, expected, v, RA); } \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected, type v, int o1, int o2) \
    { (void)o1; (void)o2; type e = expected; check_read((uint64_t)p, bits / 8, RA); check_write((uint64_t)p, bits / 8, RA); type old = *p; if (old == e) *p = v; return old; }
#define ATOMIC_OP(bits, type, name, value) \
    type __tsan_atomic##bits##_fetch_##name(volatile type *p, type v, int order) \
    { (void)order; check_read((uint64_t)p, bits / 8, RA); check_write((uint64_t)p, bits / 8, RA); type old = *p; *p = (type)(value); return old; }
#define EXCHANGE_IF(bits, type) \
    static int exchange_if##bits(volatile type *p, type *expected, type v, void *pc) \
    { check_read((uint64_t)p, bits / 8, pc); check_write((uint64_t)p, bits / 8, pc); \
      check_read((uint64_t)expected, bits / 8, pc); \
      if (*p == *expected) { *p = v; return 1; } \
      check_write((uint64_t)expected, bits / 8, pc); *expected = *p; return 0; }
EXCHANGE_IF(8, uint8_t)
EXCHANGE_IF(16, uint16_t)
EXCHANGE_IF(32, uint32_t)
EXCHANGE_IF(64, uint64_t)
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order) { (void)order; }
