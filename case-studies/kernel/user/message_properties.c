/* Properties 10 and 11: who waits at an endpoint gets the message, the longest waiting first.
 *
 * Together with property 5 they go through threads that are deleted while they wait. */
#include "kernel_properties.h"
#include "syscalls.h"
#include "workers.h"

/* A thread that waits for nothing, out of those that there are. */
static sw_verdict make_idle(sw_test *t, const sw_generator *self, void *value) {
    (void)self;
    const struct world *world = world_of(t);
    const size_t n = world_n_idle(world);
    if (n == 0)
        return SW_REFUSE;
    *(cptr *)value = world_idle(world, sw_draw_index(t, n));
    return SW_OK;
}

/* Property 10: a thread can wait for mail. */
static sw_verdict wait_for_mail(sw_test *t) {
    const cptr c = SW_ARG(t, cptr, 0);
    struct world *world = world_of(t);
    volatile struct job *job = job_of(c);
    job->work = WAIT_FOR_MAIL;
    job->received = false;
    world->threads[c - FIRST_SLOT] = WAITING;
    world->waiting[world->n_waiting++] = c;
    sw_fail_unless_equal(t, sys_thread_resume(c), OK);
    let_others_run();
    sw_fail_if(t, job->received);
    return SW_OK;
}

/* Property 11: mail reaches the thread that has waited longest, and there is nobody if none waits. */
static sw_verdict send_mail(sw_test *t) {
    const uint64_t word = SW_ARG(t, uint8_t, 0);
    struct world *world = world_of(t);
    if (world->n_waiting == 0) {
        sw_fail_unless_equal(t, sys_send_now(SLOT_MAIL, word), NOBODY);
        return SW_OK;
    }
    const cptr receiver = world->waiting[0];
    for (size_t i = 1; i < world->n_waiting; i++)
        world->waiting[i - 1] = world->waiting[i];
    world->n_waiting--;
    world->threads[receiver - FIRST_SLOT] = IDLE;
    sw_fail_unless_equal(t, sys_send_now(SLOT_MAIL, word), OK);
    let_others_run();
    sw_fail_unless(t, job_of(receiver)->received);
    sw_fail_unless_equal(t, job_of(receiver)->word, word);
    return SW_OK;
}

static bool has_idle_thread(sw_test *t) {
    return world_n_idle(world_of(t)) > 0;
}

static const sw_generator idle = {
    .size = sizeof(cptr), .make = make_idle, .print = sw_print_unsigned, .n_choices = 1};

const sw_property property_wait_for_mail = {
    .name = "wait_for_mail", .body = wait_for_mail, .precondition = has_idle_thread, .arguments = {{"c", &idle}}};
const sw_property property_send_mail = {
    .name = "send_mail", .body = send_mail, .arguments = {{"word", &sw_any_uint8}}};
