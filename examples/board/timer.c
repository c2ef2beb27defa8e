/* A software timer as firmware has it, on a board that QEMU emulates: docs/embedded.md says how to build and run it. The timer has a
 * bug that every counter of a few bits invites. */

#include "board.h"

/* The code under test: ticks are counted in eight bits. */
static uint8_t now, deadline;
static void timer_start(uint8_t after) { deadline = (uint8_t)(now + after); }
static void timer_tick(uint8_t n) { now = (uint8_t)(now + n); }
static bool timer_has_expired(void) { return now >= deadline; }

/* The model: ticks never run out. */
static uint32_t real_now, real_deadline;

static bool reset(sw_test *t)
{
    (void)t;
    now = deadline = 0;
    real_now = real_deadline = 0;
    return true;
}

static sw_verdict start(sw_test *t)
{
    timer_start(SW_ARG(t, uint8_t, 0));
    real_deadline = real_now + SW_ARG(t, uint8_t, 0);
    sw_fail_unless_equal(t, timer_has_expired(), real_now >= real_deadline);
    return SW_OK;
}

static sw_verdict tick(sw_test *t)
{
    uint8_t n = SW_ARG(t, uint8_t, 0);
    sw_assume(t, real_now + n < real_deadline + 100); /* nobody looks at a timer long after it has expired */
    timer_tick(n);
    real_now += n;
    sw_fail_unless_equal(t, timer_has_expired(), real_now >= real_deadline);
    return SW_OK;
}

static const sw_generator few = SW_UNSIGNED_IN(uint8_t, 1, 100);
static const sw_property properties[] = {
    { .name = "start", .body = start, .arguments = { { "after", &few } } },
    { .name = "tick", .body = tick, .arguments = { { "n", &few } } },
};
static const sw_property cleanups[] = { SW_EMPTY_CLEANUP };
static unsigned char memory[32 * 1024];

int main(int argc, char **argv)
{
    const sw_set timer = { .name = "timer", .reset = reset, .properties = properties, .n_properties = 2,
                           .cleanups = cleanups, .n_cleanups = 1 };
    const sw_settings settings = { .memory = memory, .memory_size = sizeof memory, .write = board_write,
                                   .guard = board_guard, .seed = 1, .lean = true, .verbosity = SW_FRAMES };
    (void)argc;
    (void)argv;
    return sw_run(&timer, 1, &settings, NULL);
}
