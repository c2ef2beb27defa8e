/* How many queue operations a second; prints operations, nanoseconds, and bytes of memory. With -DBOARD on a board, which has no clock: it
 * says when it begins, and when it ends how many operations it did and the bytes of memory. */
#define _POSIX_C_SOURCE 199309L
#include "queue.h"
#include "stairway.h"
#ifdef BOARD
#include "board.h"
#ifndef N_TESTS
#define N_TESTS 2000
#endif
#else
#include <stdio.h>
#include <time.h>
#define N_TESTS 50000
#endif

static struct queue q;
static unsigned n;
static bool reset(sw_test *t) { (void)t; queue_init(&q, 8); n = 0; return true; }

static sw_verdict enqueue(sw_test *t)
{
    if (n < 8) { queue_enqueue(&q, SW_ARG(t, int, 0)); n++; }
    sw_fail_unless(t, queue_size(&q) == n);
    return SW_OK;
}

static sw_verdict dequeue(sw_test *t)
{
    if (n > 0) { q.first++; q.size--; n--; }
    sw_fail_unless(t, queue_size(&q) == n);
    return SW_OK;
}

static const sw_property properties[] = {
    { .name = "enqueue", .body = enqueue, .arguments = { { "e", &sw_any_int } } },
    { .name = "dequeue", .body = dequeue },
};
static const sw_property cleanups[] = { SW_EMPTY_CLEANUP };
#ifdef BOARD
static unsigned char memory[(sizeof(void *) == 8 ? 64 : 44) * 1024];
static void say(const char *text)
{
    size_t n = 0;
    while (text[n]) n++;
    board_write(NULL, text, n);
    board_write(NULL, "\n", 1);
}
static void say_number(uint64_t number)
{
    char digits[24] = { 0 };
    size_t at = sizeof digits - 1;
    do digits[--at] = (char)('0' + number % 10); while (number /= 10);
    say(digits + at);
}
#else
static unsigned char memory[64 * 1024];
#endif

int main(void)
{
    const sw_set set = { .name = "queue", .reset = reset, .properties = properties, .n_properties = 2,
                         .cleanups = cleanups, .n_cleanups = 1 };
    const sw_settings settings = { .memory = memory, .memory_size = sizeof memory, .seed = 42, .n_tests = N_TESTS };
#ifdef BOARD
    sw_report report;
    sw_result result;
    say("begins");
    result = sw_run(&set, 1, &settings, &report);
    say_number(report.n_calls);
    say_number(report.memory_used);
    say("ends");
    return result;
}
#else
    struct timespec from, to;
    sw_report report;
    sw_result result;
    clock_gettime(CLOCK_MONOTONIC, &from);
    result = sw_run(&set, 1, &settings, &report);
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("%llu %llu %zu\n", (unsigned long long)report.n_calls,
           (unsigned long long)((to.tv_sec - from.tv_sec) * 1000000000LL + (to.tv_nsec - from.tv_nsec)), report.memory_used);
    return result;
}
#endif
