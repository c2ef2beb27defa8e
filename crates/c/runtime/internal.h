/* Shared by the files of the runtime: its state, and the check every access goes through. */
#ifndef STAIRWAY_INTERNAL_H
#define STAIRWAY_INTERNAL_H

#include "runtime.h"
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define RA __builtin_return_address(0)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define BROADCAST(byte) ((uint64_t)(byte) * 0x0101010101010101ul)
#define SHADOW(address) ((uint8_t *)((address) + SW_SHADOW_DISTANCE))
/* Kept out of .data and .bss, which are the object's and are restored between sequences. */
#define STATE __attribute__((section("stairway_state")))
/* An entry point for the code under test, with padding so that Rust can intercept it too. */
#define WRAP(type, name) __attribute__((patchable_function_entry(16, 0))) type __wrap_##name
#define CN(type, name) __attribute__((weak, patchable_function_entry(16, 0))) type name
/* The runtime is linked with the same `--wrap` as the code: what it calls itself is the C library's. */
#define REAL(name) extern __typeof__(name) name __asm__("__real_" #name)
#define MAX_FRAMES (SW_MAX_DEPTH + 1ul)
#define MAX_LIBRARIES 256

REAL(memcpy);
REAL(memmove);
REAL(memset);
REAL(memcmp);
REAL(strlen);
REAL(write);
REAL(_exit);
REAL(mmap);
REAL(munmap);
REAL(sigaction);
REAL(sigaltstack);
REAL(clock_gettime);
REAL(longjmp);
REAL(siglongjmp);

struct guard {
    sigjmp_buf env;
    struct guard *outer;
    struct nested *nested;
    struct sw_hooks hooks;
    uint64_t depth, boundary, flow, n_fences;
};

struct nested { struct nested *outer; uint64_t stack, boundary, depth, level; };

struct frame {
    uint64_t first_serial;       /* blocks from here on were allocated in it (or below it) */
    uint64_t first_block, n_sweeps; /* where these begin as long as there was no other sweep */
    uint64_t boundary;           /* stack from here up belongs to callers */
    uint64_t first_range, n_ranges;
    uint64_t n_lent;             /* ranges behind its own that it may read: in order, with gaps between them */
};

/* What must not be touched beside a local variable. */
struct fence { uint64_t address, size, variable, variable_size; const char *name; int is_unset; };
static void fill(uint64_t address, uint64_t size);
static uint64_t noise(uint64_t word);
static int is_noise(void);
static int is_on_stack(uint64_t address, uint64_t size);
/* Whether the running frame may read a byte that it does not own. */
static int is_lent(uint64_t address);

struct state {
    /* Read on every access. */
    uint64_t read_want, read_mask, write_want, write_mask;
    uint64_t pending_address, pending_size, pending_pc, pending_is_partial;   /* an uninitialised scalar read, perhaps half of a copy */
    uint64_t written_address, written_size;               /* the last range written: the other half, the other way round */
    uint64_t flow, last_pc, text;
    uint8_t *coverage, *edges;
    uint64_t last_block;         /* a number for the block that ran last, where branches are counted */
    uint64_t n_touched, n_compared;
    struct sw_comparison *sites; /* NULL unless comparisons are watched */
    int64_t fuel;                /* basic blocks that are left; none before `start` and after `stop`, so that nothing else need be asked */
    int64_t tank;                /* what of it was there at the beginning */
    struct sw_spent spent;

    volatile uint32_t armed, busy;
    struct guard *guard;
    struct nested *nested;
    uint64_t boundary;           /* own stack ends here */
    uint64_t stack_lowest;       /* own stack begins here: the limit */
    uint64_t stack_reserve;      /* what of it is for hooks */
    uint64_t depth, tag;         /* tag: of the frame at this depth, in the shadow */
    uint64_t n_ranges;
    uint64_t n_fences, alloca_size;

    /* The heap: see `allocate`. */
    uint64_t top, n_blocks, n_old, n_serials;
    uint64_t cursor, gap, gap_end;       /* where the next block goes, and the gap that it lies in */
    uint64_t freed, freed_at_sweep, passed_over, emptied_at, n_sweeps;
    uint64_t kept_top, kept_blocks;
    struct sw_block *kept;
    uint64_t allocations;
    struct sw_settings settings;
    struct sw_layout layout;
    struct sw_range libraries[MAX_LIBRARIES];
    uint64_t n_libraries, n_foreign;
    struct sw_report report;
    const char *trouble;

    /* The C library's hidden state, ours so that it can be reset. */
    uint32_t is_child; /* of a process that the code has started */
    uint64_t host_files[4], own_files[4]; /* bit sets of descriptors */
    char *strtok_rest;
    uint64_t random, clock;
    FILE *in, *out;
    uint64_t output_used;

    /* The watch: which call the last tick saw, and since when. */
    uint64_t serial, seen, cpu_ns, wall_ns;
    void *timer;
    uint64_t thread;             /* the one that calls */
    volatile uint32_t n_probing; /* ticks since the C library was asked for memory, to see whether it is stuck; 0: it was not */
    uint32_t has_timer;
    uint32_t mxcsr;
};

STATE static struct state S = { .trouble = "not started" };

/* Leaves the call. */
static void leave(uint32_t kind) __attribute__((noreturn));
/* Both fill the violation in the report, then leave. */
static void bad_access(uint64_t bad, uint64_t size, int is_write, void *pc) __attribute__((noreturn));
static void stop_at(uint32_t kind, uint64_t address, const char *text, void *pc) __attribute__((noreturn));
static void describe(uint64_t address, struct sw_violation *v);

/* `floor`: the stack pointer of the code under test; what lies below is dead. */
static void slow_access(uint64_t address, uint64_t size, int is_write, void *pc, void *floor);
static void slow_range(uint64_t address, uint64_t size, int is_write, void *pc, void *floor);
#define CALLER_STACK __builtin_dwarf_cfa()
static void copied_scalar(uint64_t address, uint64_t size);
/* Copies `size` bytes' INIT state, if both lie where there is some. */
static void copy_state(uint64_t to, uint64_t from, uint64_t size);
static uint8_t *shadow_of(uint64_t address, uint64_t size);
static void set_masks(void);
static void flush_pending(void);

static uint64_t allocate(uint64_t size, uint64_t align, uint32_t kind, void *pc);
static void settle(uint64_t address, uint64_t size);
static uint64_t find_block(uint64_t address);
static void begin_heap(void);
static void keep_heap(void);
static void reset_heap(void);
static void abandon_to(uint64_t depth);
static uint64_t first_fenced(uint64_t address, uint64_t size);
static void describe_fence(uint64_t address, struct sw_violation *v);
static void forget_fences(uint64_t n);
static void forget_fences_below(uint64_t address);
static void reset_process(void);
static void notice_files(void);
static int is_hosts(int fd);
static uint64_t terminated(const char *s, void *pc);
static void allow_foreign(const void *address, uint64_t size);
static void without_fuel(void *pc);
static void note_prefix(uint64_t n_equal, int left, int right, void *pc);
static int run_threads(void);
static void run_detached_threads(void);
static int has_waiting_threads(void);
static int is_in_thread(void);
static void reset_threads(void);
static void leave_threads(void);
static void jump_over(struct __jmp_buf_tag *env);
static struct sw_block *blocks(void);
static struct sw_range *ranges_from(uint64_t index);
static struct frame *frame_at(uint64_t depth);
static struct sw_range *foreign(void);

static inline __attribute__((always_inline)) uint64_t load_shadow(const uint8_t *s, unsigned n)
{
    uint64_t v = 0;
    __builtin_memcpy(&v, s, n);
    return v;
}

static inline __attribute__((always_inline)) uint64_t low_bytes(unsigned n)
{
    return n >= 8 ? ~0ul : (1ul << (n * 8)) - 1;
}

/* What the C library does for the code costs fuel as well, in proportion to the bytes that are looked at: a block is about the time
   in which eight bytes are checked as a range, or two one by one. */
#define BYTES_A_BLOCK 8
#define ONE_BY_ONE 4
/* An allocation, formatting a text, and a system call, in bytes. */
#define ALLOCATING 16
#define FORMATTING 512
#define SYSTEM_CALL 4096
static inline __attribute__((always_inline)) void burn(uint64_t n, void *pc)
{
    S.fuel -= (int64_t)(n / BYTES_A_BLOCK);
    if (UNLIKELY(S.fuel < 0)) without_fuel(pc);
}

/* One scalar access of 1, 2, 4 or 8 bytes. Owned heap is the fast way through. */
static inline __attribute__((always_inline)) void check_read(uint64_t a, unsigned n, void *pc)
{
    if (LIKELY(a - SW_ARENA < SW_ARENA_SIZE)) {
        uint64_t s = load_shadow(SHADOW(a), n);
        if (LIKELY(!((s ^ S.read_want) & S.read_mask & low_bytes(n)))) return;
    }
    slow_access(a, n, 0, pc, CALLER_STACK);
}

static inline __attribute__((always_inline)) void check_write(uint64_t a, unsigned n, void *pc)
{
    if (LIKELY(a - SW_ARENA < SW_ARENA_SIZE)) {
        uint8_t *p = SHADOW(a);
        uint64_t s = load_shadow(p, n);
        if (LIKELY(!((s ^ S.write_want) & S.write_mask & low_bytes(n)))) {
            s |= BROADCAST(SW_INIT);
            __builtin_memcpy(p, &s, n);
            if (UNLIKELY(S.pending_size)) copied_scalar(a, n);
            return;
        }
    }
    slow_access(a, n, 1, pc, CALLER_STACK);
    if (UNLIKELY(S.pending_size)) copied_scalar(a, n);
}

static inline __attribute__((always_inline)) void range_access(uint64_t a, uint64_t n, int is_write, void *pc)
{
    slow_range(a, n, is_write, pc, CALLER_STACK);
}

#endif
