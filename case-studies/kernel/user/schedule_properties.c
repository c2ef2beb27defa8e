/* Property 8: of two threads that can run, the more important one runs before the other.
 *
 * The threads set a variable and then meet the tester; who set it last ran last, as in section 5.3. */
#include "kernel_properties.h"
#include "syscalls.h"
#include "threads.h"
#include "workers.h"

struct pair {
    cptr first, second;
};

/* Two different threads that wait for nothing, out of those that there are. */
static sw_verdict make_pair(sw_test *t, const sw_generator *self, void *value) {
    (void)self;
    const struct world *world = world_of(t);
    const size_t n = world_n_idle(world);
    if (n < 2)
        return SW_REFUSE;
    const size_t first = sw_draw_index(t, n), second = sw_draw_index(t, n - 1);
    *(struct pair *)value =
        (struct pair){world_idle(world, first), world_idle(world, second < first ? second : second + 1)};
    return SW_OK;
}

static void print_pair(sw_test *t, const sw_generator *self, const void *value) {
    (void)self;
    const struct pair *pair = value;
    sw_put(t, "{");
    sw_put_unsigned(t, pair->first);
    sw_put(t, ", ");
    sw_put_unsigned(t, pair->second);
    sw_put(t, "}");
}

static sw_verdict start_race(sw_test *t, cptr slot) {
    job_of(slot)->work = RACE;
    sw_fail_unless_equal(t, sys_thread_resume(slot), OK);
    return SW_OK;
}

static sw_verdict priorities(sw_test *t) {
    const struct pair c = SW_ARG(t, struct pair, 0);
    const unsigned p1 = SW_ARG(t, unsigned, 1), p2 = SW_ARG(t, unsigned, 2);
    sw_try(start_race(t, c.first));
    sw_try(start_race(t, c.second));
    sw_fail_unless_equal(t, thread_set_priority(c.first, p1), OK);
    sw_fail_unless_equal(t, thread_set_priority(c.second, p2), OK);
    uint64_t word;
    sw_fail_unless_equal(t, sys_receive(SLOT_DONE, &word), OK);
    sw_fail_unless_equal(t, sys_receive(SLOT_DONE, &word), OK);
    if (p1 > p2)
        sw_fail_unless_equal(t, last_runner, c.second);
    if (p1 < p2)
        sw_fail_unless_equal(t, last_runner, c.first);
    let_others_run();
    return SW_OK;
}

static bool has_two_idle_threads(sw_test *t) {
    return world_n_idle(world_of(t)) >= 2;
}

static const sw_generator two_threads = {
    .size = sizeof(struct pair), .make = make_pair, .print = print_pair, .n_choices = 2};
static const sw_generator priority = SW_UNSIGNED_IN(unsigned, 100, 200);

const sw_property property_priorities = {
    .name = "priorities", .body = priorities, .precondition = has_two_idle_threads,
    .arguments = {{"threads", &two_threads}, {"p1", &priority}, {"p2", &priority}}};
