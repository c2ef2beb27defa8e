/*
 * Who owns which bytes while contracted functions call each other: the frames of runtime.h. Rust says
 * what a frame gets and hands back; this file moves the ownership in the shadow and says what is missing.
 */
#include "internal.h"

/* The range that starts the trouble, for Rust: report.violation describes the byte. */
static uint64_t refuse(uint64_t index, uint64_t address, uint64_t size)
{
    S.report.violation = (struct sw_violation){ .address = address, .size = size };
    describe(address, &S.report.violation);
    return index + 1;
}

/* Whether a byte of the stack is there to be handed down (to a callee) or back (to the caller). */
static int has_stack(uint64_t a, uint64_t from, uint64_t to)
{
    const struct frame *f = frame_at(from);
    const struct sw_range *own = ranges_from(f->first_range);
    /* Own variables can be handed down while they live; handed back they would dangle. */
    int is_own = to > from && S.nested && a >= S.nested->stack && (!from || a < S.boundary);
    for (uint64_t k = 0; from && !is_own && k < f->n_ranges; k++) is_own = a - own[k].address < own[k].size && a >= S.boundary;
    return is_own;
}

/* Moves one range from the frame at depth `from_depth` to the one at `to_depth`; the address of the first byte that the former lacks, or 0. */
static uint64_t move(const struct sw_range *r, uint64_t from_depth, uint64_t to_depth)
{
    const uint64_t from = tag_of(from_depth), to = tag_of(to_depth);
    uint8_t *s = shadow_of(r->address, r->size);
    if (!s) {
        if (r->address - SW_STACK >= SW_STACK_SIZE || r->size > SW_STACK_SIZE) return r->address | !r->address;
        for (uint64_t i = 0; i < r->size; i++)
            if (!has_stack(r->address + i, from_depth, to_depth)) return r->address + i;
        return 0;
    }
    const uint64_t who = BROADCAST(0xfc | SW_LIVE), ours = BROADCAST(from << 2 | SW_LIVE), theirs = BROADCAST(to << 2 | SW_LIVE);
    uint64_t i = 0;
    /* Eight bytes at a time while they are what one expects; then one by one. */
    for (uint64_t word; i + 8 <= r->size && !(((word = load_shadow(s + i, 8)) ^ ours) & who); i += 8) {
        word = (word & ~who) | theirs;
        __builtin_memcpy(s + i, &word, 8);
    }
    for (; i < r->size; i++) {
        uint64_t owner = s[i] >> 2;
        /* The harness lends what nobody holds; a frame lends what it holds; public bytes stay public. */
        if (!(s[i] & SW_LIVE) || (owner != from && owner != SW_PUBLIC)) {
            for (uint64_t k = 0; k < i; k++)
                if (s[k] >> 2 == to) s[k] = (uint8_t)(from << 2) | (s[k] & 3);
            return r->address + i;
        }
        if (owner != SW_PUBLIC) s[i] = (uint8_t)(to << 2) | (s[i] & 3);
    }
    return 0;
}

/* Gives every byte of a frame's own that has one tag another one. */
static void retag(const struct frame *f, uint64_t from, uint64_t to)
{
    for (uint64_t k = 0; k < f->n_ranges; k++) {
        const struct sw_range *r = ranges_from(f->first_range + k);
        uint8_t *s = shadow_of(r->address, r->size);
        for (uint64_t i = 0; s && i < r->size; i++)
            if (s[i] >> 2 == from) s[i] = (uint8_t)(to << 2) | (s[i] & 3);
    }
    for (uint64_t k = f->n_sweeps == S.n_sweeps ? f->first_block : 0; k < S.n_blocks; k++) {
        const struct sw_block *b = &blocks()[k];
        uint8_t *s = SHADOW(b->address);
        for (uint64_t i = 0; b->is_live && b->serial >= f->first_serial && i < b->size; i++)
            if (s[i] >> 2 == from) s[i] = (uint8_t)(to << 2) | (s[i] & 3);
    }
}

/* Tags go round: the frame that has the one of `depth` at present keeps what it has not handed down under another. What it has handed
   down comes back to it one frame at a time, so the frames in between have no use for it. */
static void park(uint64_t depth)
{
    if (depth > SW_TAGS) retag(frame_at(depth - SW_TAGS), tag_of(depth), SW_PARKED);
}
static void unpark(uint64_t depth)
{
    if (depth > SW_TAGS) retag(frame_at(depth - SW_TAGS), SW_PARKED, tag_of(depth));
}

static int is_lent(uint64_t a)
{
    const struct frame *f = frame_at(S.depth);
    const struct sw_range *lent = ranges_from(f->first_range + f->n_ranges);
    uint64_t low = 0, high = S.depth ? f->n_lent : 0;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (lent[middle].address <= a) low = middle + 1;
        else high = middle;
    }
    return low && a - lent[low - 1].address < lent[low - 1].size;
}

/* Whether the running frame may read a byte; at depth 0, whether it is there. */
static int is_readable(uint64_t a)
{
    const uint8_t *s = shadow_of(a, 1);
    if (s) return *s & SW_LIVE && (!S.depth || *s >> 2 == S.tag || *s >> 2 == SW_PUBLIC || is_lent(a));
    if (a - SW_STACK < SW_STACK_SIZE) return has_stack(a, S.depth, S.depth + 1) || is_lent(a);
    uint64_t n_foreign = S.n_foreign < SW_MAX_FOREIGN ? S.n_foreign : SW_MAX_FOREIGN;
    return within(a, 1, S.layout.readable, S.layout.n_readable) || within(a, 1, S.libraries, S.n_libraries) || within(a, 1, foreign(), n_foreign);
}

static uint64_t sw_may_read(const struct sw_range *ranges, uint64_t n)
{
    for (uint64_t k = 0; k < n; k++)
        for (uint64_t i = 0; i < ranges[k].size; i++)
            if (!is_readable(ranges[k].address + i)) return refuse(k, ranges[k].address + i, ranges[k].size);
    return 0;
}

static uint64_t sw_begin_frame(const struct sw_range *ranges, uint64_t n, const struct sw_range *lent, uint64_t n_lent)
{
    if (S.depth >= SW_MAX_DEPTH) return UINT64_MAX;
    if (S.n_ranges + n + n_lent >= SW_MAX_RANGES) return UINT64_MAX - 1;
    uint64_t unreadable = sw_may_read(lent, n_lent);
    if (unreadable) return n + unreadable;
    park(S.depth + 1);
    for (uint64_t k = 0; k < n; k++) {
        uint64_t bad = ranges[k].size ? move(&ranges[k], S.depth, S.depth + 1) : 0;
        if (bad) {
            uint64_t answer = refuse(k, bad, ranges[k].size);
            for (uint64_t i = 0; i < k; i++) move(&ranges[i], S.depth + 1, S.depth);
            unpark(S.depth + 1);
            return answer;
        }
    }
    struct frame *f = frame_at(S.depth + 1);
    f->first_serial = S.n_serials;
    f->first_block = S.n_blocks;
    f->n_sweeps = S.n_sweeps;
    f->boundary = S.boundary;
    f->first_range = S.n_ranges;
    f->n_ranges = n;
    f->n_lent = n_lent;
    for (uint64_t k = 0; k < n; k++) *ranges_from(S.n_ranges++) = ranges[k];
    for (uint64_t k = 0; k < n_lent; k++) *ranges_from(S.n_ranges++) = lent[k];
    S.depth++;
    /* Within a hook, the callee's own stack is below the hook; before a call, it is all of it. */
    S.boundary = S.nested ? S.nested->stack : SW_STACK + SW_STACK_SIZE;
    set_masks();
    return 0;
}

static uint64_t sw_release(const struct sw_range *ranges, uint64_t n)
{
    for (uint64_t k = 0; S.depth && k < n; k++) {
        uint64_t bad = ranges[k].size ? move(&ranges[k], S.depth, S.depth - 1) : 0;
        if (bad) return refuse(k, bad, ranges[k].size);
    }
    return 0;
}

/* Takes what the frame still owns of a range; reports the pieces. */
static uint64_t reclaim(uint64_t a, uint64_t n, uint64_t to, struct sw_range *leaks, uint64_t count, uint64_t capacity)
{
    uint8_t *s = shadow_of(a, n);
    const uint64_t who = BROADCAST(0xfc), above = BROADCAST(tag_of(S.depth - 1) << 2);
    uint64_t start = 0, is_open = 0, i = 0;
    /* Mostly, all of it is the caller's again. */
    while (s && i + 8 <= n && !((load_shadow(s + i, 8) ^ above) & who)) i += 8;
    for (; s && i < n; i++) {
        if (s[i] & SW_LIVE && s[i] >> 2 == S.tag) {
            s[i] = (uint8_t)(to << 2) | (s[i] & 3);
            if (!is_open) start = i, is_open = 1;
            if (i + 1 < n) continue;
            i++;
        }
        if (is_open) {
            if (count < capacity) leaks[count] = (struct sw_range){ a + start, i - start };
            count++;
            is_open = 0;
        }
    }
    return count;
}

static uint64_t close_frame(uint64_t to, struct sw_range *leaks, uint64_t capacity)
{
    const struct frame *f = frame_at(S.depth);
    uint64_t count = 0;
    to = tag_of(to);
    for (uint64_t k = 0; k < f->n_ranges; k++) {
        const struct sw_range *r = ranges_from(f->first_range + k);
        count = reclaim(r->address, r->size, to, leaks, count, capacity);
    }
    for (uint64_t k = f->n_sweeps == S.n_sweeps ? f->first_block : 0; k < S.n_blocks; k++)
        if (blocks()[k].is_live && blocks()[k].serial >= f->first_serial) count = reclaim(blocks()[k].address, blocks()[k].size, to, leaks, count, capacity);
    unpark(S.depth);
    S.n_ranges = f->first_range;
    S.boundary = f->boundary;
    S.depth--;
    set_masks();
    return count;
}

static uint64_t sw_end_frame(struct sw_range *leaks, uint64_t capacity)
{
    return S.depth ? close_frame(0, leaks, capacity) : 0;
}

static void abandon_to(uint64_t depth)
{
    while (S.depth > depth) close_frame(S.depth - 1, 0, 0);
}
