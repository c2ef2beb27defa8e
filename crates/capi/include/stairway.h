/* stairway.h: property-based testing of stateful C code, with or without an operating system.
 *
 * You write properties: small functions that call the code under test and say what must hold
 * afterwards. Stairway calls them in random order with random arguments, and when one fails it
 * looks for the shortest sequence of calls that fails in the same way, and prints it.
 *
 * This header is the manual. It opens with a whole program; the rest is reference.
 *
 * ------------------------------------------------------------------------------- example --
 *
 *     #include <stdio.h>
 *     #include "queue.h"                      // int queue_init(struct queue *, unsigned n) ...
 *     #include "stairway.h"
 *
 *     // What the code under test is, and what we know about it: the shadow state.
 *     static struct queue q;
 *     struct shadow { bool valid; unsigned max, size; int items[8]; };
 *     static struct shadow shadow;
 *
 *     static bool is_valid(sw_test *t)  { return ((struct shadow *)sw_model(t))->valid; }
 *     static bool is_absent(sw_test *t) { return !is_valid(t); }
 *
 *     // The argument of a property is read, and may be changed, through SW_ARG.
 *     static sw_verdict init(sw_test *t)
 *     {
 *         unsigned n = SW_ARG(t, unsigned, 0);
 *         queue_init(&q, n);
 *         shadow.valid = true; shadow.max = n; shadow.size = 0;
 *         sw_fail_unless_equal(t, queue_size(&q), 0);
 *         sw_fail_unless_equal(t, queue_max_size(&q), n);
 *         return SW_OK;
 *     }
 *
 *     static sw_verdict enqueue(sw_test *t)
 *     {
 *         int e = SW_ARG(t, int, 0);
 *         queue_enqueue(&q, e);
 *         if (shadow.size < shadow.max) shadow.items[shadow.size++] = e;
 *         sw_fail_unless_equal(t, queue_size(&q), shadow.size);
 *         return SW_OK;
 *     }
 *
 *     static sw_verdict destroy(sw_test *t) { (void)t; queue_free(&q); shadow.valid = false; return SW_OK; }
 *     static bool reset(sw_test *t)         { (void)t; queue_free(&q); shadow.valid = false; return true; }
 *
 *     static const sw_generator capacity = SW_UNSIGNED_IN(unsigned, 1, 8);
 *     static const sw_property properties[] = {
 *         { .name = "init",    .body = init,    .precondition = is_absent, .arguments = {{ "n", &capacity }} },
 *         { .name = "enqueue", .body = enqueue, .precondition = is_valid,  .arguments = {{ "e", &sw_any_int }} },
 *     };
 *     static const sw_property cleanups[] = {
 *         { .name = "destroy", .body = destroy, .precondition = is_valid },
 *         SW_EMPTY_CLEANUP,
 *     };
 *
 *     static void print(void *user, const char *text, size_t n) { (void)user; fwrite(text, 1, n, stdout); }
 *     static unsigned char memory[64 * 1024];
 *
 *     int main(void)
 *     {
 *         const sw_set queue = {
 *             .name = "queue", .state = &q, .model = &shadow, .reset = reset,
 *             .properties = properties, .n_properties = 2, .cleanups = cleanups, .n_cleanups = 2,
 *         };
 *         const sw_settings settings = {
 *             .memory = memory, .memory_size = sizeof memory, .write = print, .seed = 42,
 *         };
 *         return sw_run(&queue, 1, &settings, NULL) == SW_PASSED ? 0 : 1;
 *     }
 *
 * If `enqueue` forgets to look whether the queue is full, this prints
 *
 *     FAILED: `enqueue` does not hold (example.c:29)
 *
 *       init(n = 1)
 *       enqueue(e = 0)
 *       enqueue(e = 0)
 *           queue_size(&q) is 2, shadow.size is 1
 *
 * ------------------------------------------------------------------------------ building --
 *
 * `cargo xtask capi` writes `libstairway.a` for this machine and says where (`cc test.c -I crates/capi/include
 * libstairway.a`). `cargo xtask capi --target thumbv7m-none-eabi` writes it for a Cortex-M3, and so on for
 * thumbv6m, thumbv7em(hf), thumbv8m, riscv32imc, riscv32imac, riscv64gc, aarch64 and x86_64 without an operating system.
 * `--without shrinking,statistics` leaves parts out where program memory is scarce. Start-up code, linker scripts and
 * guards for emulated boards are in `crates/capi/boards/`; docs/embedded.md goes through all of it.
 *
 * ---------------------------------------------------------- what the platform provides --
 *
 * Memory:    one buffer, given in the settings. Everything the library keeps lives in it;
 *            `sw_memory_needed` says how large it has to be. Nothing is allocated while tests run.
 *            With `settings.lean` tests are shorter (up to 12 properties and 44 draws unless you say otherwise), what
 *            followed what is not counted and shrinking does without one of its passes: sixteen properties fit in 32 KB.
 * Functions: memcpy, memmove, memset and memcmp, which every C compiler demands of a freestanding
 *            platform anyway. If yours has none, compile `crates/capi/freestanding/memory.c` in.
 *            No libc, no threads, no thread-local storage, no clock, no signals, no files.
 * Processor: as the target's name says, with its usual calling convention. On x86-64 floating point and SSE2 must be
 *            switched on, and saved where threads are switched (`fxsave`); the red zone is used, so nothing may
 *            push onto the stack of the thread that calls `sw_run`, as interrupts from user mode
 *            do not, and interrupts in kernel mode without a stack of their own do.
 * Stack:     `sw_stack_needed` below `sw_run`, and what your callbacks need.
 * Calls:     one `sw_run` at a time for each program, from any one thread. All callbacks are
 *            called by that thread before `sw_run` returns.
 * Widths:    the same seed draws the same sequences everywhere for arguments of fixed width (`int32_t` and the like). Those
 *            of `long`, `size_t` and pointers are drawn by the width that they have on the target, and so differ
 *            between targets; the report says so.
 *
 * ------------------------------------------------------------------------------------------ */

#ifndef STAIRWAY_H
#define STAIRWAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One test while it runs. Every callback is handed it; it is valid until the callback returns. */
typedef struct sw_test sw_test;

/* ------------------------------------------------------------------------------ verdicts -- */

/* What a body returns. The macros below return it for you; the last line is `return SW_OK;`. */
typedef int sw_verdict;
enum {
    SW_OK = 0,     /* what should hold does */
    SW_FAIL = 1,   /* it does not; say why through the macros */
    SW_REFUSE = 2, /* the arguments are of no use here and nothing was done: the test goes on */
    SW_HANG = 3,   /* a guard's answer: the body did not return in time */
    SW_CRASH = 4   /* a guard's answer: the body did something that the machine trapped */
};

/* Fails the property unless the condition holds. A failure is told apart from others by its
 * file and line; shrinking keeps to it. These return from the function they stand in, which
 * returns `sw_verdict`; hand on what such a function said with `sw_try`. A failure sticks: whatever
 * the body returns in the end, the property has failed. */
#define sw_fail_unless(t, condition)                                                               \
    do {                                                                                           \
        if (!(condition)) return sw_failed((t), #condition " does not hold", __FILE__, __LINE__);  \
    } while (0)

/* Fails the property if the condition holds. */
#define sw_fail_if(t, condition)                                                                   \
    do {                                                                                           \
        if (condition) return sw_failed((t), #condition " holds", __FILE__, __LINE__);             \
    } while (0)

/* Fails the property unless two integers are equal; shows both. */
#define sw_fail_unless_equal(t, left, right)                                                       \
    do {                                                                                           \
        if (sw_differ((t), (int64_t)(left), (int64_t)(right), #left, #right, __FILE__, __LINE__))  \
            return SW_FAIL;                                                                        \
    } while (0)

/* Fails the property with a message of yours. */
#define sw_fail(t, message) return sw_failed((t), (message), __FILE__, __LINE__)

/* Goes on only if the condition holds. Otherwise the property counts as not tried, and the test goes
 * on with another one. Say it before the system is touched. Where data can be made to fit, let a
 * generator make it so instead: that finds it at once rather than searching for it. */
#define sw_assume(t, condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) return sw_refused(t);                                                    \
    } while (0)

/* Hands a verdict other than SW_OK on. */
#define sw_try(verdict)                                                                            \
    do {                                                                                           \
        sw_verdict sw_tried_ = (verdict);                                                          \
        if (sw_tried_ != SW_OK) return sw_tried_;                                                  \
    } while (0)

/* For guards: the body was left because of a trap, with the number and the name of the signal or exception (yours, it has
 * to last) and the address that was accessed; with number 0 because of an assertion. Returns SW_CRASH. */
sw_verdict sw_crashed(sw_test *t, int signal, const char *name, uintptr_t address);

/* For the handlers of guards: whether the library itself is at work, having been called by the body. It must not be left by a
 * jump then: a timer tries again a little later, and a trap there is a wrong pointer that the body handed over, or
 * a mistake of the library, after which nothing can go on. */
bool sw_is_inside(const sw_test *t);

/* What the macros call. */
sw_verdict sw_failed(sw_test *t, const char *message, const char *file, int line);
sw_verdict sw_refused(sw_test *t);
bool sw_differ(sw_test *t, int64_t left, int64_t right, const char *left_text, const char *right_text,
               const char *file, int line);

/* Remarks about the step, shown with the sequence that fails. Copied nowhere: they cost nothing
 * in tests that are not shown. */
void sw_note(sw_test *t, const char *text);
void sw_note_int(sw_test *t, const char *name, int64_t value);

/* ----------------------------------------------------------------------- state and model -- */

/* The pointers of the property set that the property at hand belongs to: the system under test,
 * and what you keep beside it to compare with. */
void *sw_state(sw_test *t);
void *sw_model(sw_test *t);

/* ---------------------------------------------------------------------------- generators -- */

typedef struct sw_generator sw_generator;

/* Makes one value at `value`, which has `self->size` zeroed bytes. Draws by the functions below and
 * by nothing else, so that a test can be replayed and made smaller; may look at `sw_state(t)` and
 * `sw_model(t)` to make what fits there. Returns SW_OK, or SW_REFUSE where there is no value in
 * this state. */
typedef sw_verdict sw_make_function(sw_test *t, const sw_generator *self, void *value);

/* Prints one value by the functions below. */
typedef void sw_print_function(sw_test *t, const sw_generator *self, const void *value);

struct sw_generator {
    size_t size;              /* bytes of one value */
    sw_make_function *make;
    sw_print_function *print; /* NULL: the bytes in hexadecimal */
    int64_t min, max;         /* of numbers; of lengths for arrays and strings; yours for your own */
    const void *more;         /* the element generator of arrays; yours for your own */
    size_t n_choices;         /* how many draws one value of your own takes at most; 0 means 8 */
};

/* All values of the basic types. Values near 0, bounds, powers of two and repetitions of earlier
 * values are likelier than others; SW_UNIFORM_IN has a plain die. */
extern const sw_generator sw_any_bool;
extern const sw_generator sw_any_char, sw_any_signed_char, sw_any_unsigned_char;
extern const sw_generator sw_any_short, sw_any_unsigned_short;
extern const sw_generator sw_any_int, sw_any_unsigned;
extern const sw_generator sw_any_long, sw_any_unsigned_long;
extern const sw_generator sw_any_long_long, sw_any_unsigned_long_long;
extern const sw_generator sw_any_int8, sw_any_int16, sw_any_int32, sw_any_int64;
extern const sw_generator sw_any_uint8, sw_any_uint16, sw_any_uint32, sw_any_uint64;
extern const sw_generator sw_any_size, sw_any_float, sw_any_double;
extern const sw_generator sw_any_string; /* up to 16 printable characters */

/* Initialisers with bounds, both inclusive:
 *     static const sw_generator priority = SW_SIGNED_IN(int, 100, 200);              */
#define SW_SIGNED_IN(type, lo, hi)                                                                 \
    { sizeof(type), sw_make_signed, sw_print_signed, (lo), (hi), NULL, 1 }
#define SW_UNSIGNED_IN(type, lo, hi)                                                               \
    { sizeof(type), sw_make_unsigned, sw_print_unsigned, (int64_t)(lo), (int64_t)(hi), NULL, 1 }
/* Every value as likely as any other. */
#define SW_UNIFORM_IN(type, lo, hi)                                                                \
    { sizeof(type), sw_make_uniform, sw_print_signed, (lo), (hi), NULL, 1 }
#define SW_CHAR_IN(lo, hi) { 1, sw_make_signed, sw_print_char, (lo), (hi), NULL, 1 }
#define SW_INT_IN(lo, hi) SW_SIGNED_IN(int, lo, hi)

/* A double or float between the bounds of a `sw_real_range`; infinities and NaN if `special`. */
typedef struct sw_real_range {
    double low, high;
    bool special;
} sw_real_range;
#define SW_REAL_IN(type, range) { sizeof(type), sw_make_real, sw_print_real, 0, 0, (range), 1 }

/* The value of an array generator. The elements live until the property that they were made for
 * has ended: copy what has to last longer. */
typedef struct sw_array {
    void *items;
    size_t length;
} sw_array;

/* Arrays of between `min` and `max` elements; of fixed length where these are equal. */
#define SW_ARRAY_OF(element, min, max)                                                             \
    { sizeof(sw_array), sw_make_array, sw_print_array, (min), (max), (element), 0 }

/* Strings of between `min` and `max` characters out of a character generator, which is NULL for all
 * printable ones. The value is a `char *`; a 0 follows the last character. */
#define SW_STRING_OF(character, min, max)                                                          \
    { sizeof(char *), sw_make_string, sw_print_string, (min), (max), (character), 0 }

sw_make_function sw_make_bool, sw_make_signed, sw_make_unsigned, sw_make_uniform, sw_make_real;
sw_make_function sw_make_array, sw_make_string;
sw_print_function sw_print_bool, sw_print_signed, sw_print_unsigned, sw_print_hexadecimal;
sw_print_function sw_print_char, sw_print_real, sw_print_array, sw_print_string;

/* Draws for generators of your own. The value nearest to 0 within the bounds, false, the first
 * alternative and the shortest length are the simplest: shrinking moves towards them. Wrong bounds end the
 * run with SW_ERROR_GENERATOR. Bodies may draw as well. */
int64_t sw_draw_int(sw_test *t, int64_t min, int64_t max);
uint64_t sw_draw_unsigned(sw_test *t, uint64_t min, uint64_t max);
double sw_draw_real(sw_test *t, double low, double high);
bool sw_draw_bool(sw_test *t);
bool sw_draw_chance(sw_test *t, uint32_t numerator, uint32_t denominator);
size_t sw_draw_index(sw_test *t, size_t n);                              /* one of 0 .. n - 1 */
size_t sw_draw_weighted(sw_test *t, const uint32_t *weights, size_t n); /* at most 64 weights */

/* Draws a value by another generator: the members of a struct, one after the other. */
sw_verdict sw_draw(sw_test *t, const sw_generator *generator, void *value);

/* Memory that lives until the property at hand has ended; NULL where none is left, and the run then ends
 * with SW_ERROR_GENERATOR. Zeroed and aligned to 16. `settings.array_bytes` says how much there is. */
void *sw_allocate(sw_test *t, size_t n_bytes);

/* What printers are made of. */
void sw_put(sw_test *t, const char *text);
void sw_put_int(sw_test *t, int64_t value);
void sw_put_unsigned(sw_test *t, uint64_t value);
void sw_put_hexadecimal(sw_test *t, uint64_t value);
void sw_put_real(sw_test *t, double value);
void sw_put_value(sw_test *t, const sw_generator *generator, const void *value);

/* ------------------------------------------------------------------------------- results -- */

/* A kind of thing that properties hand to later ones: a handle, a thread, an address. */
typedef struct sw_kind {
    const char *name;
} sw_kind;

/* A result of an earlier property: one of those of this kind that were given in this test and not taken since. The value
 * is the `uintptr_t` that was given. A property with such an argument is eligible only while there is one. In a
 * sequence that is made smaller a result stays that of the property it came from.
 *     static const sw_kind file = { "file" };
 *     static const sw_generator some_file = SW_RESULT_OF(&file);                    */
#define SW_RESULT_OF(kind)                                                                         \
    { sizeof(uintptr_t), sw_make_result, sw_print_result, 0, 0, (kind), 1 }
sw_make_function sw_make_result;
sw_print_function sw_print_result;

/* Called by the body of a property whose `result` is set: what it gives to later ones. Not calling it gives nothing. */
void sw_give(sw_test *t, uintptr_t value);

/* Called by a body: the result that argument number `index` names is gone, and no later property is handed it. */
void sw_take(sw_test *t, size_t index);

/* ---------------------------------------------------------------------------- properties -- */

enum { SW_MAX_ARGUMENTS = 6, SW_MAX_STATISTICS = 4, SW_MAX_PROPERTIES = 128, SW_MAX_SETS = 16 };

typedef struct sw_argument {
    const char *name;
    const sw_generator *generator;
} sw_argument;

/* A statistic of yours. It is called after each success of its property, while arguments and state can
 * still be looked at. If it gives true, `*value` is counted: the report shows how often each
 * of the first 16 different values came up, and the smallest, the largest and the mean. */
typedef struct sw_statistic {
    const char *name;
    bool (*measure)(sw_test *t, int64_t *value);
} sw_statistic;

/* A property. Members that are left out are 0 and mean what is said there. */
typedef struct sw_property {
    const char *name;
    /* Acts on the system, and checks what must hold after, anywhere in between. */
    sw_verdict (*body)(sw_test *t);
    /* Whether the property makes sense in this state; NULL: always. It is asked before any data
     * is made and must not change anything. */
    bool (*precondition)(sw_test *t);
    /* What is made for it; ends at the first without a name. */
    sw_argument arguments[SW_MAX_ARGUMENTS];
    /* What is measured after it; ends at the first NULL. */
    const sw_statistic *statistics[SW_MAX_STATISTICS];
    /* How likely it is beside the other eligible ones; 0 means 1. */
    uint32_t weight;
    /* The kind of result that it gives; NULL: none. */
    const sw_kind *result;
} sw_property;

/* Argument number `index` of the property at hand, as an lvalue. A body may assign to it: the report
 * then shows both values. A wrong index or type ends the run with SW_ERROR_ARGUMENT. */
#define SW_ARG(t, type, index) (*(type *)sw_get_argument((t), (index), sizeof(type)))
void *sw_get_argument(sw_test *t, size_t index, size_t size);

/* The cleanup property that does nothing, for systems that hold nothing. */
#define SW_EMPTY_CLEANUP                                                                           \
    { "end", sw_empty_cleanup, NULL, {{NULL, NULL}}, {NULL}, 0, NULL }
sw_verdict sw_empty_cleanup(sw_test *t);

/* ------------------------------------------------------------------------- property sets -- */

/* A demand that something happens in at least `percent` of all tests. It happens in a test if `holds`
 * is true after one of its properties, or if a body of the set says so by `sw_cover`. The run
 * fails with SW_UNCOVERED where that is certainly not so; it may do more tests to find out. */
typedef struct sw_demand {
    const char *name;
    double percent;
    bool (*holds)(sw_test *t); /* NULL: only `sw_cover` says so */
} sw_demand;
void sw_cover(sw_test *t, const char *name, bool condition);

/* Properties over one state. Several sets may be run together: their properties then alternate in
 * one test, each seeing its own state and model. */
typedef struct sw_set {
    const char *name;
    void *state; /* of the system under test */
    void *model; /* beside it, to compare with */
    /* Normal properties, and those that end a test and give back what it holds. A test ends when
     * each set has an eligible cleanup property; one of each set is done. */
    const sw_property *properties;
    size_t n_properties;
    const sw_property *cleanups;
    size_t n_cleanups;
    /* Brings state and model back to the beginning, whatever happened before; false if that cannot be
     * done, which ends the run with SW_ERROR_RESET. Called before each test. Without it (NULL)
     * tests begin where the last cleanup left off, and a failing test is shown as it was
     * found: it cannot be run again, and so not be made smaller. */
    bool (*reset)(sw_test *t);
    /* A number for the state, equal for states that do not differ in what matters. With it the
     * report says how many states and transitions were reached, and how likely one more test
     * is to reach a new one. */
    uint64_t (*fingerprint)(sw_test *t);
    /* Prints the state after each step of the failing test, by the functions that printers use. */
    void (*show)(sw_test *t);
    const sw_demand *demands;
    size_t n_demands;
} sw_set;

/* --------------------------------------------------------------------------- running them -- */

typedef int sw_verbosity;
enum {
    SW_NORMAL = 0, /* what failed, and what was exercised */
    SW_INFO = 1,   /* every test, step by step */
    SW_QUIET = 2,  /* the seed and the verdict in one line each */
    SW_FRAMES = 3  /* numbered lines with a checksum, for `stairway embedded run`, which shows the report */
};

typedef int sw_statistics;
enum {
    SW_STATISTICS_ALL = 0,       /* but none where a property fails */
    SW_STATISTICS_NONE = 1,
    SW_STATISTICS_AUTOMATIC = 2, /* calls, starts, what followed what */
    SW_STATISTICS_USER = 3       /* those of the properties */
};

/* How to run. 0 means the default in each member. */
typedef struct sw_settings {
    void *memory; /* all the memory there is; any alignment */
    size_t memory_size;
    void (*write)(void *user, const char *text, size_t n); /* where text goes; NULL: nowhere */
    void *user;                                            /* handed to `write`, `entropy`, `guard` */
    /* The seed: the same seed, properties and settings give the same tests on every machine. */
    uint64_t seed;
    uint64_t (*entropy)(void *user); /* if not NULL, gives the seed instead */
    uint64_t n_tests;                /* how many tests have to pass; 100 */
    uint32_t min_properties;         /* normal properties in a random test, at least; 0 */
    uint32_t max_properties;         /* and at most, as long as cleanup is possible then; 32 */
    uint32_t max_discards;           /* thrown-away tests for each that has to pass; 10 */
    uint32_t max_shrink_runs;        /* tests that shrinking may take; 2000 */
    bool no_shrinking;               /* show failing tests as they were found */
    bool allow_unused_properties;    /* SW_PASSED even if a property never ran */
    bool json;                       /* end with one line of JSON for machines */
    bool lean;                       /* least memory: see "memory" below */
    sw_verbosity verbosity;
    sw_statistics statistics;
    /* Limits. What is needed for them is taken from `memory` at the start. */
    uint32_t max_choices;   /* draws in one test; what the properties can take, but at most 400 */
    uint32_t max_states;    /* different states and transitions told apart; 256 with fingerprints */
    uint32_t array_bytes;   /* for `sw_allocate` in generators of your own; 256 */
    uint32_t trace_bytes;   /* text of a failing test where there is no `reset`; 2048 */
    /* Instead of random tests, every sequence of up to so many normal properties, the shortest first; 0: random. Numbers
     * and lengths take their `exhaustive_bound` + 1 simplest values, 4 unless you say otherwise. With fingerprints a state
     * that was reached before with as many properties left is not explored again, `max_states` of them. */
    uint32_t exhaustive_depth;
    uint32_t exhaustive_bound;
    /* Calls a body: `return body(t);` does. What can go wrong in a body is caught here if the platform
     * can: arm a timer or a trap, leave the body by longjmp, and return SW_HANG or `sw_crashed(t, ..)`, which
     * fail the property like any other failure and are made smaller like any other. A handler must not jump while
     * `sw_is_inside(t)`. There are guards for POSIX (`crates/capi/posix/guard.c`), for Cortex-M and for RISC-V
     * (`crates/capi/boards/`). NULL: bodies are called directly, and one that never returns never returns. */
    sw_verdict (*guard)(void *user, sw_test *t, sw_verdict (*body)(sw_test *t));
    /* Under AddressSanitizer: marks memory around generated arrays as not to be touched (true), or as usable again. For POSIX
     * it is `sw_posix_poison`. NULL: arrays lie side by side, and what runs over an end is not seen. */
    void (*poison)(void *user, void *place, size_t n, bool is_poisoned);
    /* Called with the reason if the library finds a mistake of its own; must not return. NULL: the
     * processor is stopped by an invalid instruction. */
    void (*panic)(void *user, const char *text, size_t n);
} sw_settings;

/* How a run ended: below 0 an error in what was given, above 0 a verdict against the system. */
typedef int sw_result;
enum {
    SW_PASSED = 0,
    SW_FAILED = 1,    /* a property does not hold, or no property is eligible in some state */
    SW_UNCOVERED = 2, /* a coverage demand is not met, or a property never ran */
    SW_GAVE_UP = 3,   /* too many tests were thrown away */
    SW_FLAKY = 4,     /* the same test failed once, and did not when it was run again */

    SW_ERROR_NULL = -1,          /* a pointer is NULL that must not be */
    SW_ERROR_NO_PROPERTIES = -2, /* no set, or a set without normal properties */
    SW_ERROR_NO_CLEANUP = -3,    /* a set without cleanup properties: see SW_EMPTY_CLEANUP */
    SW_ERROR_TOO_MANY = -4,      /* more properties, sets or the like than there may be */
    SW_ERROR_SETTINGS = -5,      /* limits that contradict each other */
    SW_ERROR_MEMORY = -6,        /* the buffer is too small: `report.memory_needed` says what is needed */
    SW_ERROR_GENERATOR = -7,     /* a generator with wrong bounds or lengths, or that takes too much */
    SW_ERROR_ARGUMENT = -8,      /* a body asked for an argument that it has not, or of another size */
    SW_ERROR_DEPTH = -9,         /* generators nested deeper than 32 */
    SW_ERROR_RESET = -10,        /* `reset` gave false */
    SW_ERROR_BUSY = -11,         /* `sw_run` was called while it runs */
    SW_ERROR_VERDICT = -12,      /* a body or generator gave something that is no verdict */
    SW_ERROR_DEMAND = -13,       /* `sw_cover` named a demand that the set does not have */
    SW_ERROR_RESULT = -14,       /* a result is given or taken that the property does not have */
    SW_ERROR_ORDER = -15         /* a function of a test was called while no test runs, or not in its turn */
};

/* The result for machines. */
typedef struct sw_report {
    sw_result result;
    uint64_t seed;
    size_t memory_needed, memory_used;
    uint64_t n_tests, n_discarded;
    uint64_t n_calls;             /* properties done in passing tests, cleanup included */
    /* Where it failed; NULL and 0 otherwise. The strings are yours. */
    const char *failed_set, *failed_property, *failed_message, *failed_file;
    int failed_line;
    int failed_signal;            /* what the guard said of a crash, and where it happened */
    uintptr_t failed_address;
    uint64_t failed_test;         /* number of the failing test, from 0 */
    uint32_t n_steps;             /* properties in the sequence that is shown */
    uint32_t n_shrink_runs;       /* tests that shrinking took */
    bool is_minimal;              /* no step of it can be left out: each was tried */
    /* Assurance, where a set has a fingerprint. */
    uint64_t n_states, n_transitions; /* different ones that were reached */
    bool is_table_full;               /* there were more: raise `max_states` */
    double new_state_chance;          /* that one more test reaches a new state (Good-Turing) */
    double new_transition_chance;     /* or takes a new transition */
    /* That one more random test fails, at most, with a confidence of 95 %; 1 where tests were not random. */
    double most_failing;
    /* Where every sequence was tried: up to how many properties, in how many runs at that length, how many of them were pruned. */
    uint32_t explored_depth;
    uint64_t n_sequences, n_pruned;
} sw_report;

/* Runs the properties of all sets. `report` may be NULL. Never undefined behaviour on what the
 * error codes above name; wrong pointers other than NULL are yours to avoid. */
sw_result sw_run(const sw_set *sets, size_t n_sets, const sw_settings *settings, sw_report *report);

/* How many bytes `settings.memory` needs; 0 if something else is wrong, which `sw_run` then says. */
size_t sw_memory_needed(const sw_set *sets, size_t n_sets, const sw_settings *settings);

/* How many bytes of stack the library itself uses below `sw_run`, at most. */
size_t sw_stack_needed(void);

/* How many tests have to pass for the confidence that fewer than `failing` of all tests fail: with (0.95, 0.01) it is 299.
 * For `settings.n_tests`. 0 if one of them is not between 0 and 1. */
uint64_t sw_tests_for(double confidence, double failing);

/* The name of a result, as in "SW_ERROR_MEMORY". */
const char *sw_result_name(sw_result result);

/* As in "0.1.0". */
const char *sw_version(void);

/* ------------------------------------------------------------------------------- layout -- */

/* The library was compiled with these layouts. If your compiler has others, because of an option that changes the ABI, it says
 * so here: an array of negative size. `narrow` is the size where pointers have four bytes, `wide` where they have eight. */
#define SW_LAYOUT_(name, size, narrow, wide)                                                       \
    typedef char sw_layout_of_##name##_[(size) == (sizeof(void *) == 8 ? (wide) : (narrow)) ? 1 : -1]
SW_LAYOUT_(bool, sizeof(bool), 1, 1);
SW_LAYOUT_(int, sizeof(int), 4, 4);
SW_LAYOUT_(double, sizeof(double), 8, 8);
SW_LAYOUT_(size_t, sizeof(size_t), 4, 8);
SW_LAYOUT_(verdict, sizeof(sw_verdict), 4, 4);
SW_LAYOUT_(result, sizeof(sw_result), 4, 4);
SW_LAYOUT_(generator, sizeof(sw_generator), 40, 56);
SW_LAYOUT_(real_range, sizeof(sw_real_range), 24, 24);
SW_LAYOUT_(array, sizeof(sw_array), 8, 16);
SW_LAYOUT_(kind, sizeof(sw_kind), 4, 8);
SW_LAYOUT_(argument, sizeof(sw_argument), 8, 16);
SW_LAYOUT_(statistic, sizeof(sw_statistic), 8, 16);
SW_LAYOUT_(property, sizeof(sw_property), 84, 168);
SW_LAYOUT_(demand, sizeof(sw_demand), 24, 24);
SW_LAYOUT_(set, sizeof(sw_set), 48, 96);
SW_LAYOUT_(settings, sizeof(sw_settings), 104, 136);
SW_LAYOUT_(report, sizeof(sw_report), 176, 200);
SW_LAYOUT_(generator_min, offsetof(sw_generator, min), 16, 24);
SW_LAYOUT_(generator_n_choices, offsetof(sw_generator, n_choices), 36, 48);
SW_LAYOUT_(real_range_special, offsetof(sw_real_range, special), 16, 16);
SW_LAYOUT_(property_statistics, offsetof(sw_property, statistics), 60, 120);
SW_LAYOUT_(property_result, offsetof(sw_property, result), 80, 160);
SW_LAYOUT_(demand_percent, offsetof(sw_demand, percent), 8, 8);
SW_LAYOUT_(demand_holds, offsetof(sw_demand, holds), 16, 16);
SW_LAYOUT_(set_reset, offsetof(sw_set, reset), 28, 56);
SW_LAYOUT_(set_n_demands, offsetof(sw_set, n_demands), 44, 88);
SW_LAYOUT_(settings_seed, offsetof(sw_settings, seed), 16, 32);
SW_LAYOUT_(settings_lean, offsetof(sw_settings, lean), 59, 75);
SW_LAYOUT_(settings_statistics, offsetof(sw_settings, statistics), 64, 80);
SW_LAYOUT_(settings_exhaustive_bound, offsetof(sw_settings, exhaustive_bound), 88, 104);
SW_LAYOUT_(settings_panic, offsetof(sw_settings, panic), 100, 128);
SW_LAYOUT_(report_failed_address, offsetof(sw_report, failed_address), 72, 96);
SW_LAYOUT_(report_is_minimal, offsetof(sw_report, is_minimal), 96, 120);
SW_LAYOUT_(report_n_pruned, offsetof(sw_report, n_pruned), 168, 192);
#undef SW_LAYOUT_

#ifdef __cplusplus
}
#endif

#endif
