/*
 * The runtime that is linked into every object under test, and its protocol with Rust.
 *
 * Rust finds one symbol, `stairway_api` (a table of functions and of places to look at). Everything
 * else in the runtime is hidden, so the object's calls of it are direct, nothing has to be exported by
 * the program that loads the object, and test binaries and the command work alike.
 *
 * WHO CALLS WHOM. The compiler's thread instrumentation calls `__tsan_*` before every access of memory
 * that may be shared; `--wrap` leads the C library's allocation, memory, string and process functions
 * here; `-fsanitize=undefined` calls `__ubsan_handle_*`; coverage calls `__sanitizer_cov_trace_pc`, and `__sanitizer_cov_trace_cmp*` where comparisons are watched. The
 * first 16 bytes of every function of the object are padding: Rust writes a jump to a libffi closure
 * there, whose handler is `sw_nested`, and calls the function itself behind the padding.
 *
 * MEMORY. Fixed addresses, so that addresses repeat from run to run: the arena (heap and slots), its
 * shadow (one byte for one byte), the stack on which the code under test runs, the table of blocks. Freed
 * blocks are used again when the heap has been gone through once, those freed last excepted (`heap.c`). The object's variables have a shadow of their own; the memory of
 * loaded libraries (not of the program that loads the object) is foreign and may be touched.
 *
 * SHADOW. Bit 0 LIVE: part of a live block or variable. Bit 1 INIT: was written. Bits 2..7: the owner.
 * Owner 0 is the harness, 63 is everybody (PUBLIC), 1 to 61 are frames: the one at depth d is 1 + (d - 1) % 61. Where calls are nested more
 * deeply, what the frame 61 levels up has not handed down belongs to nobody (62, PARKED) until it is reached again.
 *
 * FRAMES. At depth 0 every live byte may be touched (functions without a contract: default checks only).
 * `begin_frame(F)` opens depth d + 1 and gives it the bytes F, which frame d must own (at depth 0: which
 * must be live). During it only F, what it allocates and its own stack may be touched. Besides, it may read what
 * is lent to it, which frame d must be able to read and keeps. Then
 * `release(P)` hands bytes back to frame d, each of which frame d + 1 must own, and `end_frame` closes
 * it and lists what it still owned: leaks. Ranges on the stack may be named too. Nested calls do the same
 * from the hooks. A violation abandons all frames that were opened since `call`.
 *
 * CALLS. `call` runs a function through `ffi_call` on the private stack, within a `sigsetjmp`. Whatever
 * ends it early leaves by `siglongjmp` from C to C: Rust frames are never skipped, since the hooks
 * are entered disarmed (no signal or check leaves while they run) and return before anything is left.
 * What happened stands in `report`, which the next `call` clears; a call from within a hook only leaves its violation there.
 * Results that travel in memory are built on the private stack, like the caller's variable they would be built in.
 *
 * FUEL. A call from the top has so many basic blocks (`settings.fuel`), counted where coverage is noted; the C library's functions
 * that are wrapped cost some in proportion to what they look at. Without fuel the call ends (`SW_FUEL`), after the same block on
 * every machine. The timer is for what is not counted: loops inside the C library, and code without instrumentation.
 * `spent` counts the fuel of all calls ever made, and the calls. The pages of large sequences are in it, though no
 * call pays for them.
 *
 * UNINITIALISED BYTES. Copying them is right C: `memcpy`, struct assignment (the compiler announces it as
 * a range) and a scalar read directly followed by a write of the same size copy their state. A read of a word of
 * which only some bytes were written counts as a copy too. Any other read is counted in `report`, with the first place. Whether one *decided* something is found by
 * running again with another `fill` (zeros; all bytes then count as written): fresh memory (and the stack) then hold other garbage; `flow`, a
 * hash of the basic blocks that ran, or the results differ exactly when garbage mattered.
 *
 * FENCES. A rewritten copy of the source (`source/watch.rs`) puts a second variable beside each local one that a pointer may
 * run over, and announces it (`stairway_fence`); who touches it has overrun a variable. It also has structs that calls
 * return or are passed go through variables, since the compiler announces neither. Without the copy, neither is seen.
 * One without an initialiser is filled like fresh memory, and has no value as long as it still holds the noise.
 *
 * WHAT IS NOT SEEN. Other locals that were never set (a second run with another `fill` shows those). Accesses inside
 * library functions that are not wrapped, beyond what the hardware says.
 *
 * THREADS that the code starts run one after the other (`threads.c`); there is only one of the system's.
 */
#ifndef STAIRWAY_RUNTIME_H
#define STAIRWAY_RUNTIME_H

#include <stdint.h>

#define SW_VERSION 3
/* Each object has a place: its number, times 4 GB, is added to all addresses below. The runtime is compiled for place 0; the addresses
   in its instructions are listed in the section `stairway_places`, as distances from the entries, and whoever loads an object beside
   another one adds to them in a copy of the file (`machine/place.rs`). So an address still costs one instruction. */
#define SW_PLACED(address) ({ uint64_t placed_; \
    __asm__("movabs %1, %0\n9:\n.pushsection stairway_places, \"a\", @progbits\n.long 9b - 8 - .\n.popsection" : "=r"(placed_) : "i"(address)); placed_; })
#define SW_ARENA SW_PLACED(0x200000000000ul)
#define SW_ARENA_SIZE (256ul << 20)
#define SW_SHADOW (SW_ARENA + SW_SHADOW_DISTANCE)
#define SW_SHADOW_DISTANCE 0x10000000000ul
#define SW_STACK SW_PLACED(0x220000000000ul)
#define SW_STACK_SIZE (16ul << 20)
#define SW_STACK_GUARD (4ul << 20)
/* What hooks need below the code under test. */
#define SW_STACK_RESERVE (2ul << 20)
#define SW_BLOCKS SW_PLACED(0x230000000000ul)
#define SW_MAX_BLOCKS (1ul << 20)
#define SW_SWEPT SW_PLACED(0x2b0000000000ul)
#define SW_RANGES SW_PLACED(0x250000000000ul)
#define SW_MAX_RANGES (1ul << 24)
#define SW_FRAMES SW_PLACED(0x280000000000ul)
#define SW_FOREIGN SW_PLACED(0x2a0000000000ul)
#define SW_MAX_FOREIGN 4096ul
#define SW_THREADS SW_PLACED(0x290000000000ul)
#define SW_THREADS_SIZE (2ul << 20)
#define SW_FENCES (SW_STACK + SW_FENCES_DISTANCE)
#define SW_FENCES_DISTANCE 0x40000000000ul
#define SW_FENCE_LIST SW_PLACED(0x270000000000ul)
#define SW_MAX_FENCES (1ul << 16)
#define SW_OUTPUT SW_PLACED(0x240000000000ul)
#define SW_OUTPUT_SIZE (64ul << 10)

enum { SW_LIVE = 1, SW_INIT = 2, SW_PUBLIC = 63, SW_PARKED = 62, SW_TAGS = 61, SW_MAX_DEPTH = 65535 };

/* How a call ended; 0 is by returning. */
enum sw_kind {
    SW_RETURNED, SW_ACCESS, SW_SIGNAL, SW_STACK_OVERFLOW, SW_ABORT, SW_ASSERT, SW_EXIT, SW_BAD_FREE, SW_TIMEOUT,
    SW_MISSING, SW_BOUNDS, SW_NO_RETURN, SW_SMASHED, SW_OVERLAP, SW_HOOK, SW_FUEL,
    SW_WAITS, SW_DEADLOCK
};

/* What the byte was that must not be touched. */
enum sw_what {
    SW_WHAT_UNKNOWN, SW_WHAT_NULL, SW_WHAT_RED_ZONE, SW_WHAT_FREED, SW_WHAT_UNOWNED, SW_WHAT_UNALLOCATED, SW_WHAT_BETWEEN_GLOBALS,
    SW_WHAT_GLOBAL, SW_WHAT_DEAD_STACK, SW_WHAT_CALLER_STACK, SW_WHAT_READ_ONLY, SW_WHAT_MISSING, SW_WHAT_LIVE, SW_WHAT_FENCE, SW_WHAT_LENT
};

/* What is not seen any more once there was too much of it. */
enum sw_limit { SW_LIMIT_NOTES = 1, SW_LIMIT_FENCES = 2, SW_LIMIT_FOREIGN = 4 };

/* Branches are told apart by the blocks that they lead from and to. */
#define SW_EDGES (1ul << 16)
/* Comparisons by where they are, several of which may share a number. How near their operands came in a call is one of 1 to
   SW_NEAREST: equal; otherwise so many less as the distance has bits. */
#define SW_SITES (1ul << 14)
#define SW_NEAREST 65
#define SW_MAX_WATCHED_CASES 32ul
enum { SW_WATCH_EDGES = 1, SW_WATCH_COMPARISONS = 2 };

struct sw_range { uint64_t address, size; };

struct sw_violation {
    uint32_t kind, what;
    uint32_t is_write, code;     /* code: signal number, exit status */
    uint64_t address, size, pc;  /* address: the first bad byte */
    uint64_t block;              /* index + 1 of the block the byte belongs to or lies beside */
    int64_t offset;              /* of the byte from the block's beginning, or the local variable's */
    const char *text, *file;     /* assertion, missing symbol, type, local variable; where, if the compiler said so */
    uint32_t line, column;
};

struct sw_block {
    uint64_t address, size, alloc_pc, free_pc;
    uint32_t is_live, kind;      /* kind: 0 heap, 1 slot */
    uint64_t serial;             /* which allocation it was: its name in reports */
    uint64_t freed;              /* when it was freed, in what was freed until then */
};

struct sw_note {                 /* undefined arithmetic */
    uint32_t kind, line, column, count;
    const char *file;
    const uint16_t *type;        /* kind, info, name as the compiler lays them out; or NULL */
    uint64_t left[2], right[2];
};
#define SW_MAX_NOTES 16

struct sw_report {
    struct sw_violation violation;
    uint64_t flow;               /* hash of the basic blocks */
    uint64_t n_uninitialised, n_copied;  /* reads of uninitialised bytes: all but copies, copies */
    uint64_t first_address, first_pc;    /* of the former */
    uint64_t n_allocations, n_failed;    /* failed: injected, or the arena was full */
    uint64_t n_output;           /* bytes written to stdout and stderr */
    uint64_t fuel;               /* what the call has used */
    uint64_t n_threads;          /* that it started */
    uint32_t n_notes, is_tainted;        /* tainted: left the C library in the middle of something */
    uint64_t limits;             /* those that were met: bits of `sw_limit` */
    struct sw_note notes[SW_MAX_NOTES];
};

/* What was done since the object was loaded. */
struct sw_spent { uint64_t n_calls, fuel; };

struct sw_settings {
    uint64_t heap_limit, stack_limit, timeout_ms;
    uint64_t fill;               /* 0: zeros, 255: ones, otherwise the seed of noise; only noise tells what was not written */
    uint64_t fail_at;            /* the allocation that fails, counted from 1 at `configure`; 0: none */
    uint64_t fuel;               /* basic blocks of a call */
    uint64_t is_plain;           /* the code is not instrumented: its writes are not seen, so all bytes count as written */
};

/* What a function answers that stands in for one of the user's, in turn. */
#define SW_MAX_CALLBACKS 64
#define SW_MAX_ANSWERS 4
struct sw_callback { uint64_t n_calls, n_answers, answers[SW_MAX_ANSWERS]; };

typedef void sw_ffi_call(void *cif, void *function, void *result, void **arguments);

/* What a hook answers. */
enum { SW_GO_ON = 0, SW_SKIP = 1, SW_STOP = 2 };

/* While a hook runs, nothing of the code under test does; it may call everything in the table but `start`, `stop`, `reset`. */
struct sw_hooks {
    void *context;
    uint32_t (*before)(void *context, uint64_t id, uint64_t level, void *result, void **arguments);
    uint32_t (*after)(void *context, uint64_t id, uint64_t level, void *result, void **arguments);
    uint32_t (*probe)(void *context, uint64_t id, uint64_t level, uint64_t n, void **addresses);
};

/* What a rewritten copy of the source calls where a loop invariant or an assertion stood:
   `stairway_probe(id, n, &x, &y)` with n addresses of local variables, at most SW_MAX_PROBED. */
#define SW_MAX_PROBED 64
void stairway_probe(uint64_t id, int n, ...);

struct sw_hook { void *body; uint64_t id, result_size; };

/* How near the operands of a comparison came, and what they were then, as signed numbers; 0: it was not made. */
struct sw_comparison { uint64_t nearness, left, right; };

/* Where the object lies; filled by Rust from its sections. */
struct sw_layout {
    uint64_t text, text_size, globals, globals_size, missing, missing_size;
    const struct sw_range *readable; uint64_t n_readable;
    uint8_t *globals_shadow, *coverage;  /* coverage: a byte for each byte of text */
    uint8_t *is_written;                 /* a byte for each 4096 bytes of globals */
    uint64_t is_confined; /* the sandbox knows whose descriptors are whose */
    uint8_t *mark;        /* set while the code runs; NULL unless it may start processes */
    uint8_t *edges;       /* SW_EDGES counts of branches, */
    uint16_t *touched;    /* and those that are not 0 */
    struct sw_comparison *sites; /* SW_SITES comparisons, */
    uint16_t *compared;   /* and those that were made */
};

struct sw_api {
    uint64_t version;            /* with the sizes of structs, so that Rust notices when its own differ */
    const char *(*start)(const struct sw_layout *);      /* NULL or what is wrong */
    void (*stop)(void);
    void (*configure)(const struct sw_settings *);
    void (*reset)(void);
    void (*keep)(void);          /* what was allocated so far stays at `reset` */
    uint32_t (*call)(sw_ffi_call *, void *cif, void *function, void *result, uint64_t result_size,
                     void **arguments, const struct sw_hooks *);
    void (*nested)(void *cif, void *result, void **arguments, void *hook);
    /* 0, or 1 + the index of the range that does not hold; report.violation then says why. 
       `begin_frame` answers UINT64_MAX when frames are nested too deeply, and one less when they own too many ranges: go on without one. */
    uint64_t (*begin_frame)(const struct sw_range *own, uint64_t n, const struct sw_range *lent, uint64_t n_lent);
    uint64_t (*may_read)(const struct sw_range *, uint64_t n);
    uint64_t (*release)(const struct sw_range *, uint64_t n);
    uint64_t (*end_frame)(struct sw_range *leaks, uint64_t capacity);    /* how many there are */
    uint32_t (*intercept)(uint64_t function, void *closure);     /* 0, or 1: no padding, 2: not writable */
    uint64_t (*allocate)(uint64_t size, uint64_t align, uint32_t kind);
    void (*settle)(uint64_t address, uint64_t size);     /* looks for writes that were not seen, in the arena */
    void (*describe)(uint64_t address, struct sw_violation *);
    uint32_t (*is_unset)(uint64_t address, uint64_t size);       /* whether local variables there were never set */
    struct sw_report *report;
    /* Blocks lie in the order of their addresses, twice: those up to `n_old`, and those that came since. */
    const uint64_t *n_blocks, *n_old, *top, *depth, *output_used;
    const struct sw_spent *spent;
    uint64_t *fuel;              /* of the calls that follow */
    void (*watch)(uint32_t);     /* what is counted from now on: SW_WATCH_EDGES, SW_WATCH_COMPARISONS, both or nothing */
    uint64_t *n_touched, *n_compared;    /* how many branches and comparisons were counted */
    struct sw_callback *callbacks;       /* SW_MAX_CALLBACKS of them */
    const uint64_t *callback_entries;    /* two for each: one that returns a number or a pointer, one that returns a float */
    const char *(*adopt)(void);  /* calls come from this thread from now on; NULL or what is wrong */
    uint64_t (*arena)(void);     /* where the arena is: it tells the place */
    void (*handle)(uint32_t);    /* puts the signal handlers in front of those that are there, or takes them away again */
    uint32_t (*enter)(void);     /* the thread's signals are handled on a stack of ours; 0, or 1: the system refuses */
    void (*exit)(void);          /* and no longer */
    /* For the sandbox, in its signal handler: leaves the call with an exit or a signal (returns if there is none),
       keeps output, and the hidden state that its answers come from. */
    void (*end)(uint32_t is_signal, uint32_t code);
    void (*print)(const char *text, uint64_t n);
    uint64_t *clock, *random;
};

#endif
