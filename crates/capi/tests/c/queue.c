/* A failing run that ends with a line of JSON; with -DBARE for a machine without anything. */

#include "queue.h"
#include "stairway.h"
#ifndef BARE
#include <stdio.h>
#endif

static struct queue q;
static bool valid;

static bool is_valid(sw_test *t) { (void)t; return valid; }
static bool is_absent(sw_test *t) { (void)t; return !valid; }
static bool reset(sw_test *t) { (void)t; valid = false; return true; }

static sw_verdict init(sw_test *t)
{
    queue_init(&q, SW_ARG(t, unsigned, 0));
    valid = true;
    return SW_OK;
}

static sw_verdict enqueue(sw_test *t)
{
    queue_enqueue(&q, SW_ARG(t, int, 0));
    sw_fail_unless(t, queue_size(&q) <= queue_max_size(&q));
    return SW_OK;
}

static const sw_generator capacity = SW_UNSIGNED_IN(unsigned, 1, 8);
static const sw_property properties[] = {
    { .name = "init", .body = init, .precondition = is_absent, .arguments = { { "n", &capacity } } },
    { .name = "enqueue", .body = enqueue, .precondition = is_valid, .arguments = { { "e", &sw_any_int } } },
};
static const sw_property cleanups[] = { SW_EMPTY_CLEANUP };
static unsigned char memory[64 * 1024];

#ifdef BARE
/* Nothing but the processor and two system calls: no C library, no start-up code. */
static long call(long number, long a, const void *b, size_t c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}
static void print(void *user, const char *text, size_t n) { (void)user; call(1, 1, text, n); }
#else
static void print(void *user, const char *text, size_t n) { (void)user; fwrite(text, 1, n, stdout); }
#endif

static int run(void)
{
    const sw_set set = { .name = "a \"quoted\" queue", .reset = reset, .properties = properties, .n_properties = 2,
                         .cleanups = cleanups, .n_cleanups = 1 };
    const sw_settings settings = { .memory = memory, .memory_size = sizeof memory, .write = print, .seed = 42,
                                   .json = true };
    return sw_run(&set, 1, &settings, NULL) == SW_FAILED ? 0 : 1;
}

#ifdef BARE
__attribute__((force_align_arg_pointer, noreturn)) void _start(void);
void _start(void)
{
    call(231, run(), NULL, 0);
    for (;;) { }
}
#else
int main(void) { return run(); }
#endif
