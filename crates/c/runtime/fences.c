/*
 * Local variables. A copy of the source has a second variable of the same kind beside each one that a pointer may
 * run over (`source/watch.rs`): a fence, which is announced here and must not be touched. Knows where fences are and
 * what they stand beside; not who touches them.
 */
#include "internal.h"
#include <string.h>

/* Only the ends of a long fence are marked: who runs over it comes by there. */
#define FENCE_MARKED 64
#define FENCE_SHADOW(a) ((uint8_t *)((a) + SW_FENCES_DISTANCE))
#define ALLOCA_FENCE 64ul

/* The size of a fence that has to be known only when it runs. */
STATE volatile unsigned long stairway_width = 64;

static struct fence *fences(void) { return (struct fence *)SW_FENCE_LIST; }

static int is_on_stack(uint64_t a, uint64_t n) { return a - SW_STACK < SW_STACK_SIZE && n <= SW_STACK_SIZE - (a - SW_STACK); }

static void mark_bytes(uint64_t from, uint64_t to, int value)
{
    if (is_on_stack(from, to - from)) memset(FENCE_SHADOW(from), value, to - from);
}

static void mark(const struct fence *f, int value)
{
    uint64_t end = f->address + f->size, variable_end = f->variable + f->variable_size;
    if (end - f->address <= 2 * FENCE_MARKED) {
        mark_bytes(f->address, end, value);
    } else {
        mark_bytes(f->address, f->address + FENCE_MARKED, value);
        mark_bytes(end - FENCE_MARKED, end, value);
    }
    /* Both begin at a multiple of up to 16: what is left between them is nobody's. */
    if (f->variable && f->address - variable_end < 16) mark_bytes(variable_end, f->address, value);
}

static void forget_fence(uint64_t index)
{
    mark(&fences()[index], 0);
    S.n_fences--;
    memmove(&fences()[index], &fences()[index + 1], (S.n_fences - index) * sizeof(struct fence));
}

/* Back to so many: the functions they belonged to are gone. */
static void forget_fences(uint64_t n)
{
    while (S.n_fences > n) forget_fence(S.n_fences - 1);
}

static void forget_fences_below(uint64_t a)
{
    while (S.n_fences && fences()[S.n_fences - 1].address < a) forget_fence(S.n_fences - 1);
}

/* The first byte of a range that is fenced off, or 0. */
static uint64_t first_fenced(uint64_t a, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (*FENCE_SHADOW(a + i)) return a + i;
    return 0;
}

/* The variable that an access was meant for, presumably: the one that ends or begins nearest. */
static void describe_fence(uint64_t a, struct sw_violation *v)
{
    uint64_t nearest = ~0ul;
    v->what = SW_WHAT_FENCE;
    for (uint64_t k = 0; k < S.n_fences; k++) {
        const struct fence *f = &fences()[k];
        uint64_t end = f->variable + f->variable_size, distance = a >= end ? a - end : f->variable - a;
        if (!f->variable || distance >= nearest) continue;
        nearest = distance;
        v->text = f->name;
        v->offset = (int64_t)(a - f->variable);
    }
}

void *stairway_fence(void *p, unsigned long n, void *variable, unsigned long variable_size, const char *name)
{
    if (!S.armed || !n || !is_on_stack((uint64_t)p, n)) return 0;
    if (S.n_fences >= SW_MAX_FENCES) {
        S.report.limits |= SW_LIMIT_FENCES;
        return 0;
    }
    struct fence *f = &fences()[S.n_fences++];
    *f = (struct fence){ (uint64_t)p, n, (uint64_t)variable, variable_size, name, 0 };
    mark(f, 1);
    return 0;
}

/* Groups of so many bytes are told apart: a value is noise by chance once in four billion times. */
#define GROUP 4ul
/* Filling costs time in every call. */
#define MOST_FILLED 1024ul

/* The same for a variable without an initialiser. */
void *stairway_fence_unset(void *p, unsigned long n, void *variable, unsigned long variable_size, const char *name)
{
    uint64_t before = S.n_fences;
    stairway_fence(p, n, variable, variable_size, name);
    if (S.n_fences > before && variable_size >= GROUP && variable_size <= MOST_FILLED && is_on_stack((uint64_t)variable, variable_size)) {
        for (uint64_t a = (uint64_t)variable, end = a + variable_size, word = noise(a & ~7ul); a < end; a++) {
            if (!(a & 7)) word = noise(a);
            *(uint8_t *)a = is_noise() ? (uint8_t)(word >> 8 * (a & 7)) : (uint8_t)S.settings.fill;
        }
        fences()[S.n_fences - 1].is_unset = is_noise();
    }
    return 0;
}

/* Whether a group of bytes of a variable still holds its noise. */
static int is_group_unset(const struct fence *f, uint64_t group)
{
    uint64_t end = f->variable + f->variable_size;
    for (uint64_t a = group < f->variable ? f->variable : group; a < group + GROUP && a < end; a++)
        if (*(uint8_t *)a != (uint8_t)(noise(a & ~7ul) >> 8 * (a & 7))) return 0;
    return 1;
}

static uint32_t sw_is_unset(uint64_t address, uint64_t size)
{
    for (uint64_t k = 0; k < S.n_fences; k++) {
        const struct fence *f = &fences()[k];
        uint64_t from = address > f->variable ? address : f->variable, end = f->variable + f->variable_size;
        uint64_t to = address + size < end ? address + size : end;
        for (uint64_t group = from & ~(GROUP - 1); f->is_unset && from < to && group < to; group += GROUP)
            if (is_group_unset(f, group)) return 1;
    }
    return 0;
}

void stairway_unfence(const volatile void *p)
{
    for (uint64_t k = S.n_fences; k-- > 0;)
        if (fences()[k].address == (uint64_t)p) {
            forget_fence(k);
            return;
        }
}

void stairway_unfence_below(const volatile void *p) { forget_fences_below((uint64_t)p); }

/* `alloca(n)` is `stairway_fenced(alloca(stairway_sized(n)))`. */
unsigned long stairway_sized(unsigned long n)
{
    S.alloca_size = n;
    return n + 2 * ALLOCA_FENCE;
}

void *stairway_fenced(void *p)
{
    char *inside = (char *)p + ALLOCA_FENCE;
    stairway_fence(inside + S.alloca_size, ALLOCA_FENCE, inside, S.alloca_size, "alloca()");
    stairway_fence(p, ALLOCA_FENCE, inside, S.alloca_size, "alloca()");
    return inside;
}
