/* Does one sequence of properties on this machine: everything of `stairway.h` that a program calls, with the draws of `sw_sequence`
 * instead of random ones. Nothing is searched for and nothing is made smaller; for a debugger, a body is an ordinary call. */
#include "sequence.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 4096, MAX_BLOCKS = 4096, ARGUMENT_BYTES = 65536 };

struct sw_test {
    const sw_set *set;
    const sw_property *property;
    const struct sw_step *step;
    size_t n_drawn, n_steps, n_blocks;
    bool has_failed;
    void *blocks[MAX_BLOCKS];
    uintptr_t given[MAX_STEPS];
};

static sw_test test;
static _Alignas(16) unsigned char arguments[ARGUMENT_BYTES];

static _Noreturn void give_up(const char *why)
{
    printf("the sequence cannot be run here: `%s`: %s\n", test.step ? test.step->property : "", why);
    exit(2);
}

/* Draws. */

static uint64_t next(void)
{
    if (test.step == NULL || test.n_drawn == test.step->n_draws)
        give_up("it draws more than it did on the board; is the program another one?");
    return test.step->draws[test.n_drawn++];
}

static uint64_t next_within(uint64_t min, uint64_t max)
{
    uint64_t number = next();
    if (number < min || number > max) give_up("a number does not fit its bounds; is the program another one?");
    return number;
}

int64_t sw_draw_int(sw_test *t, int64_t min, int64_t max)
{
    int64_t number = (int64_t)next();
    (void)t;
    if (number < min || number > max) give_up("a number does not fit its bounds; is the program another one?");
    return number;
}

double sw_draw_real(sw_test *t, double low, double high)
{
    uint64_t bits = next();
    double number;
    (void)t, (void)low, (void)high;
    memcpy(&number, &bits, sizeof number);
    return number;
}

uint64_t sw_draw_unsigned(sw_test *t, uint64_t min, uint64_t max) { (void)t; return next_within(min, max); }
bool sw_draw_bool(sw_test *t) { (void)t; return next_within(0, 1); }
bool sw_draw_chance(sw_test *t, uint32_t n, uint32_t of) { (void)t, (void)n, (void)of; return next_within(0, 1); }
size_t sw_draw_index(sw_test *t, size_t n) { (void)t; return (size_t)next_within(0, n - 1); }
size_t sw_draw_weighted(sw_test *t, const uint32_t *w, size_t n) { (void)t, (void)w; return (size_t)next_within(0, n - 1); }
sw_verdict sw_draw(sw_test *t, const sw_generator *generator, void *value) { return generator->make(t, generator, value); }

void *sw_allocate(sw_test *t, size_t n_bytes)
{
    void *block = calloc(1, n_bytes + 1);
    if (block == NULL || t->n_blocks == MAX_BLOCKS) give_up("there is too little memory");
    return t->blocks[t->n_blocks++] = block;
}

/* Generators. */

static sw_verdict store(const sw_generator *self, void *value, uint64_t bits)
{
    memcpy(value, &bits, self->size < 8 ? self->size : 8); /* the lowest bytes come first on every machine that there is a library for */
    return SW_OK;
}

sw_verdict sw_make_bool(sw_test *t, const sw_generator *self, void *value) { return store(self, value, sw_draw_bool(t)); }
sw_verdict sw_make_signed(sw_test *t, const sw_generator *self, void *value)
{
    return store(self, value, (uint64_t)sw_draw_int(t, self->min, self->max));
}
sw_verdict sw_make_unsigned(sw_test *t, const sw_generator *self, void *value)
{
    return store(self, value, sw_draw_unsigned(t, (uint64_t)self->min, (uint64_t)self->max));
}
sw_verdict sw_make_uniform(sw_test *t, const sw_generator *self, void *value)
{
    uint64_t span = (uint64_t)self->max - (uint64_t)self->min;
    return store(self, value, (uint64_t)self->min + sw_draw_unsigned(t, 0, span));
}
sw_verdict sw_make_real(sw_test *t, const sw_generator *self, void *value)
{
    double wide = sw_draw_real(t, 0, 0);
    float narrow = (float)wide;
    memcpy(value, self->size == 4 ? (const void *)&narrow : &wide, self->size);
    return SW_OK;
}
static sw_verdict make_elements(sw_test *t, const sw_generator *self, const sw_generator *element, size_t size, sw_array *made)
{
    size_t k;
    made->length = (size_t)next_within((uint64_t)self->min, (uint64_t)self->max);
    made->items = sw_allocate(t, made->length * size);
    for (k = 0; k < made->length; k++) {
        char *place = (char *)made->items + k * size;
        sw_verdict verdict = SW_OK;
        if (element) verdict = sw_draw(t, element, place);
        else *place = (char)next();
        if (verdict != SW_OK) return verdict;
    }
    return SW_OK;
}
sw_verdict sw_make_array(sw_test *t, const sw_generator *self, void *value)
{
    const sw_generator *element = (const sw_generator *)self->more;
    return make_elements(t, self, element, element->size, (sw_array *)value);
}
sw_verdict sw_make_string(sw_test *t, const sw_generator *self, void *value)
{
    sw_array made;
    sw_verdict verdict = make_elements(t, self, (const sw_generator *)self->more, 1, &made);
    memcpy(value, &made.items, sizeof made.items);
    return verdict;
}
/* A result is named by the step that gave it, counted from 0. */
sw_verdict sw_make_result(sw_test *t, const sw_generator *self, void *value)
{
    uint64_t by = next_within(0, MAX_STEPS - 1);
    memcpy(value, &t->given[by], self->size);
    return SW_OK;
}
void sw_give(sw_test *t, uintptr_t value) { t->given[t->n_steps] = value; }
void sw_take(sw_test *t, size_t index) { (void)t, (void)index; }

#define SIGNED(type, min, max) { sizeof(type), sw_make_signed, sw_print_signed, min, max, NULL, 1 }
#define UNSIGNED(type, max) { sizeof(type), sw_make_unsigned, sw_print_unsigned, 0, (int64_t)(max), NULL, 1 }
#define BITS_64 UINT64_MAX
const sw_generator sw_any_bool = { 1, sw_make_bool, sw_print_bool, 0, 1, NULL, 1 };
const sw_generator sw_any_char = { 1, sw_make_signed, sw_print_char, -128, 255, NULL, 1 };
const sw_generator sw_any_signed_char = SIGNED(signed char, INT8_MIN, INT8_MAX), sw_any_int8 = SIGNED(int8_t, INT8_MIN, INT8_MAX);
const sw_generator sw_any_unsigned_char = UNSIGNED(unsigned char, 255), sw_any_uint8 = UNSIGNED(uint8_t, 255);
const sw_generator sw_any_short = SIGNED(short, INT16_MIN, INT16_MAX), sw_any_int16 = SIGNED(int16_t, INT16_MIN, INT16_MAX);
const sw_generator sw_any_unsigned_short = UNSIGNED(short, UINT16_MAX), sw_any_uint16 = UNSIGNED(uint16_t, UINT16_MAX);
const sw_generator sw_any_int = SIGNED(int, INT32_MIN, INT32_MAX), sw_any_int32 = SIGNED(int32_t, INT32_MIN, INT32_MAX);
const sw_generator sw_any_unsigned = UNSIGNED(unsigned, UINT32_MAX), sw_any_uint32 = UNSIGNED(uint32_t, UINT32_MAX);
const sw_generator sw_any_long = SIGNED(long, INT64_MIN, INT64_MAX), sw_any_unsigned_long = UNSIGNED(long, BITS_64);
const sw_generator sw_any_long_long = SIGNED(long long, INT64_MIN, INT64_MAX), sw_any_int64 = SIGNED(int64_t, INT64_MIN, INT64_MAX);
const sw_generator sw_any_unsigned_long_long = UNSIGNED(long long, BITS_64), sw_any_uint64 = UNSIGNED(uint64_t, BITS_64);
const sw_generator sw_any_size = UNSIGNED(size_t, BITS_64);
const sw_generator sw_any_float = { 4, sw_make_real, sw_print_real, 0, 0, NULL, 1 };
const sw_generator sw_any_double = { 8, sw_make_real, sw_print_real, 0, 0, NULL, 1 };
const sw_generator sw_any_string = { sizeof(char *), sw_make_string, sw_print_string, 0, 16, NULL, 0 };

/* Printers. */

static uint64_t load(const sw_generator *self, const void *value)
{
    uint64_t bits = 0;
    memcpy(&bits, value, self->size < 8 ? self->size : 8);
    return bits;
}

void sw_put(sw_test *t, const char *text) { (void)t; fputs(text, stdout); }
void sw_put_int(sw_test *t, int64_t value) { (void)t; printf("%" PRId64, value); }
void sw_put_unsigned(sw_test *t, uint64_t value) { (void)t; printf("%" PRIu64, value); }
void sw_put_hexadecimal(sw_test *t, uint64_t value) { (void)t; printf("0x%" PRIx64, value); }
void sw_put_real(sw_test *t, double value) { (void)t; printf("%.17g", value); }
void sw_put_value(sw_test *t, const sw_generator *generator, const void *value)
{
    if (generator->print) generator->print(t, generator, value);
    else for (size_t k = 0; k < generator->size; k++) printf(k ? " %02x" : "%02x", ((const unsigned char *)value)[k]);
}
void sw_print_bool(sw_test *t, const sw_generator *self, const void *value) { sw_put(t, load(self, value) ? "true" : "false"); }
void sw_print_unsigned(sw_test *t, const sw_generator *self, const void *value) { sw_put_unsigned(t, load(self, value)); }
void sw_print_hexadecimal(sw_test *t, const sw_generator *self, const void *value) { sw_put_hexadecimal(t, load(self, value)); }
void sw_print_result(sw_test *t, const sw_generator *self, const void *value) { sw_put_hexadecimal(t, load(self, value)); }
void sw_print_char(sw_test *t, const sw_generator *self, const void *value) { (void)t; printf("'\\x%02x'", (unsigned)load(self, value)); }
void sw_print_signed(sw_test *t, const sw_generator *self, const void *value)
{
    unsigned n_unused = 64 - 8 * (unsigned)(self->size < 8 ? self->size : 8);
    sw_put_int(t, (int64_t)(load(self, value) << n_unused) >> n_unused);
}
void sw_print_real(sw_test *t, const sw_generator *self, const void *value)
{
    float narrow = 0;
    double wide = 0;
    if (self->size == 4) { memcpy(&narrow, value, 4); wide = narrow; }
    else memcpy(&wide, value, 8);
    sw_put_real(t, wide);
}
void sw_print_array(sw_test *t, const sw_generator *self, const void *value)
{
    const sw_generator *element = (const sw_generator *)self->more;
    const sw_array *array = (const sw_array *)value;
    sw_put(t, "{");
    for (size_t k = 0; k < array->length; k++) {
        if (k) sw_put(t, ", ");
        sw_put_value(t, element, (const char *)array->items + k * element->size);
    }
    sw_put(t, "}");
}
void sw_print_string(sw_test *t, const sw_generator *self, const void *value) { (void)t, (void)self; printf("\"%s\"", *(char *const *)value); }

/* What bodies say. */

sw_verdict sw_failed(sw_test *t, const char *message, const char *file, int line)
{
    t->has_failed = true;
    printf("      %s\n      at %s:%d\n", message, file, line);
    return SW_FAIL;
}
bool sw_differ(sw_test *t, int64_t left, int64_t right, const char *left_text, const char *right_text, const char *file, int line)
{
    if (left == right) return false;
    t->has_failed = true;
    printf("      %s is %" PRId64 ", %s is %" PRId64 "\n      at %s:%d\n", left_text, left, right_text, right, file, line);
    return true;
}
sw_verdict sw_crashed(sw_test *t, int signal, const char *name, uintptr_t address)
{
    (void)t;
    printf("      %s", name ? name : "crashes");
    if (signal) printf(" at address 0x%" PRIxPTR, address);
    printf("\n");
    return SW_CRASH;
}
sw_verdict sw_refused(sw_test *t) { (void)t; return SW_REFUSE; }
bool sw_is_inside(const sw_test *t) { (void)t; return false; }
void sw_note(sw_test *t, const char *text) { (void)t; printf("      %s\n", text); }
void sw_note_int(sw_test *t, const char *name, int64_t value) { (void)t; printf("      %s = %" PRId64 "\n", name, value); }
void *sw_state(sw_test *t) { return t->set->state; }
void *sw_model(sw_test *t) { return t->set->model; }
void sw_cover(sw_test *t, const char *name, bool condition) { (void)t, (void)name, (void)condition; }
sw_verdict sw_empty_cleanup(sw_test *t) { (void)t; return SW_OK; }

static size_t rounded(size_t size) { return (size + 15) & ~(size_t)15; }

void *sw_get_argument(sw_test *t, size_t index, size_t size)
{
    size_t at = 0, k;
    for (k = 0; k < index; k++) at += rounded(t->property->arguments[k].generator->size);
    if (t->property->arguments[index].generator->size != size) give_up("an argument is asked for as another type");
    return arguments + at;
}

/* Running. */

static const sw_property *named(const sw_property *list, size_t n, const char *name)
{
    for (size_t k = 0; k < n; k++) if (strcmp(list[k].name, name) == 0) return &list[k];
    return NULL;
}

static void find(const sw_set *sets, size_t n_sets)
{
    test.property = NULL;
    for (size_t k = 0; k < n_sets && test.property == NULL; k++) {
        if (strcmp(sets[k].name ? sets[k].name : "", test.step->set) != 0) continue;
        test.set = &sets[k];
        test.property = named(sets[k].properties, sets[k].n_properties, test.step->property);
        if (!test.property) test.property = named(sets[k].cleanups, sets[k].n_cleanups, test.step->property);
    }
    if (test.property == NULL) give_up("there is no such property");
}

static void make_arguments(void)
{
    size_t at = 0;
    memset(arguments, 0, sizeof arguments);
    for (size_t k = 0; k < SW_MAX_ARGUMENTS && test.property->arguments[k].name; k++) {
        const sw_generator *generator = test.property->arguments[k].generator;
        if (at + generator->size > sizeof arguments) give_up("its arguments are too large");
        if (sw_draw(&test, generator, arguments + at) != SW_OK) give_up("a generator refuses; is the program another one?");
        at += rounded(generator->size);
    }
}

static void show_call(void)
{
    printf("  %s(", test.property->name);
    for (size_t k = 0, at = 0; k < SW_MAX_ARGUMENTS && test.property->arguments[k].name; k++) {
        if (k) printf(", ");
        sw_put_value(&test, test.property->arguments[k].generator, arguments + at);
        at += rounded(test.property->arguments[k].generator->size);
    }
    printf(")\n");
    fflush(stdout); /* it may be the last that is heard of this program */
}

static sw_verdict do_step(const sw_settings *settings)
{
    sw_verdict verdict;
    test.n_drawn = 0;
    if (test.property->precondition && !test.property->precondition(&test)) give_up("its precondition does not hold here");
    make_arguments();
    show_call();
    verdict = settings->guard ? settings->guard(settings->user, &test, test.property->body) : test.property->body(&test);
    for (size_t k = 0; k < test.n_blocks; k++) free(test.blocks[k]);
    test.n_blocks = 0;
    if (verdict == SW_HANG) printf("      does not return\n");
    return test.has_failed && verdict != SW_CRASH ? SW_FAIL : verdict;
}

sw_result sw_run(const sw_set *sets, size_t n_sets, const sw_settings *settings, sw_report *report)
{
    sw_verdict verdict = SW_OK;
    sw_result result;
    for (size_t k = 0; k < n_sets; k++) {
        test.set = &sets[k];
        if (sets[k].reset && !sets[k].reset(&test)) give_up("`reset` could not bring the system back to its beginning");
    }
    for (test.step = sw_sequence; test.step->property && verdict == SW_OK; test.step++, test.n_steps++) {
        if (test.n_steps == MAX_STEPS) give_up("the sequence is too long");
        find(sets, n_sets);
        verdict = do_step(settings);
    }
    result = verdict == SW_OK || verdict == SW_REFUSE ? SW_PASSED : SW_FAILED;
    printf(result == SW_PASSED ? "PASSED: the sequence does not fail on this machine\n" : "FAILED: the sequence fails on this machine too\n");
    if (report) {
        memset(report, 0, sizeof *report);
        report->result = result;
    }
    return result;
}

size_t sw_memory_needed(const sw_set *sets, size_t n_sets, const sw_settings *settings) { (void)sets, (void)n_sets, (void)settings; return 1; }
size_t sw_stack_needed(void) { return 0; }
uint64_t sw_tests_for(double confidence, double failing) { (void)confidence, (void)failing; return 1; }
const char *sw_result_name(sw_result result) { return result == SW_PASSED ? "SW_PASSED" : "SW_FAILED"; }
const char *sw_version(void) { return "one sequence"; }
