/* Properties 5, 6, 7 and 9: creation and deletion of threads through the thread library.
 *
 * `C(c)` and `D(c)` of the paper are thread_create and thread_delete; `p(c, phi)` is asked of the shadow
 * state. Know nothing of what threads do. */
#include "kernel_properties.h"
#include "threads.h"
#include "workers.h"

static enum answer create(cptr slot) {
    return thread_create(slot, worker, (void *)job_of(slot));
}

static void forget_waiting(struct world *world, cptr slot) {
    size_t kept = 0;
    for (size_t i = 0; i < world->n_waiting; i++)
        if (world->waiting[i] != slot)
            world->waiting[kept++] = world->waiting[i];
    world->n_waiting = kept;
}

/* Property 5: on a valid capability, creation succeeds if there is no thread, and deletion if there is. */
static sw_verdict create_or_delete(sw_test *t) {
    const cptr c = SW_ARG(t, cptr, 0);
    struct world *world = world_of(t);
    if (world_has_thread(world, c)) {
        sw_note(t, "deletes");
        world->threads[c - FIRST_SLOT] = ABSENT;
        forget_waiting(world, c);
        sw_fail_unless_equal(t, thread_delete(c), OK);
    } else {
        sw_note(t, "creates");
        world->threads[c - FIRST_SLOT] = IDLE;
        sw_fail_unless_equal(t, create(c), OK);
    }
    return SW_OK;
}

/* Property 6: creation fails if there is a thread already, and deletion if there is none. */
static sw_verdict misuse(sw_test *t) {
    const cptr c = SW_ARG(t, cptr, 0);
    if (world_has_thread(world_of(t), c)) {
        sw_note(t, "creates");
        sw_fail_unless_equal(t, create(c), INVALID_THREAD);
    } else {
        sw_note(t, "deletes");
        sw_fail_unless_equal(t, thread_delete(c), INVALID_THREAD);
    }
    return SW_OK;
}

/* Property 7: on a pointer to no slot, both fail. */
static sw_verdict misuse_beyond(sw_test *t) {
    const cptr c = SW_ARG(t, cptr, 0);
    if (SW_ARG(t, bool, 1))
        sw_fail_unless_equal(t, create(c), INVALID_THREAD);
    else
        sw_fail_unless_equal(t, thread_delete(c), INVALID_THREAD);
    return SW_OK;
}

/* Property 9: there are as many stacks in use as there are threads. */
static sw_verdict stacks(sw_test *t) {
    sw_fail_unless_equal(t, threads_stacks_in_use(), world_n_threads(world_of(t)));
    return SW_OK;
}

static bool n_threads(sw_test *t, int64_t *n) {
    *n = (int64_t)world_n_threads(world_of(t));
    return true;
}

static const sw_statistic threads_alive = {"threads", n_threads};
static const sw_generator valid = SW_UNSIGNED_IN(cptr, FIRST_SLOT, LAST_SLOT);
static const sw_generator not_valid = SW_UNSIGNED_IN(cptr, N_SLOTS, 1000000);

const sw_property property_create_or_delete = {
    .name = "create_or_delete", .body = create_or_delete, .arguments = {{"c", &valid}},
    .statistics = {&threads_alive}, .weight = 3};
const sw_property property_misuse = {.name = "misuse", .body = misuse, .arguments = {{"c", &valid}}};
const sw_property property_misuse_beyond = {
    .name = "misuse_beyond", .body = misuse_beyond, .arguments = {{"c", &not_valid}, {"creates", &sw_any_bool}}};
const sw_property property_stacks = {.name = "stacks", .body = stacks};
