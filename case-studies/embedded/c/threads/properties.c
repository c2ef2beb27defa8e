/* Properties 5 to 9: threads by capability, whatever kernel is below. */

#include "../print.h"
#include "threads.h"
#ifdef WITH_MESSAGES
#include "messages.h"
#endif

/* We cannot look into the kernel, so we keep account: the shadow state. */
static bool is_thread[N_SLOTS];

static unsigned n_threads(void)
{
    unsigned n = 0;
    for (unsigned k = 0; k < N_SLOTS; k++) n += is_thread[k];
    return n;
}

/* The paper has four of these five. */
#ifndef N_PROPERTIES
#define N_PROPERTIES 5
#endif

/* Priorities that differ by less may be the same to the kernel. */
#ifndef SAME
#define SAME 0
#endif

static bool are_two_threads(sw_test *t) { (void)t; return n_threads() >= 2; }

/* A capability pointer to a thread, drawn so that property 8 need not search for one. */
static sw_verdict make_thread(sw_test *t, const sw_generator *self, void *value)
{
    unsigned n = n_threads(), wanted;
    (void)self;
    if (n == 0) return SW_REFUSE;
    wanted = (unsigned)sw_draw_index(t, n);
    for (unsigned k = 0; k < N_SLOTS; k++)
        if (is_thread[k] && wanted-- == 0) *(unsigned *)value = k;
    return SW_OK;
}

static const sw_generator valid = SW_UNSIGNED_IN(unsigned, 0, N_SLOTS - 1);
static const sw_generator not_valid = SW_UNSIGNED_IN(unsigned, N_SLOTS, 100);
static const sw_generator a_thread = { sizeof(unsigned), make_thread, sw_print_unsigned, 0, 0, NULL, 1 };
static const sw_generator priority = SW_INT_IN(100, 200);

/* Property 5: what makes sense succeeds. */
static sw_verdict create_or_delete(sw_test *t)
{
    unsigned c = SW_ARG(t, unsigned, 0);
    int e = is_thread[c] ? thread_delete(c) : thread_create(c);
    is_thread[c] = !is_thread[c];
    sw_fail_unless(t, e == OK);
    return SW_OK;
}

/* Property 6: what does not make sense fails. */
static sw_verdict create_or_delete_wrongly(sw_test *t)
{
    unsigned c = SW_ARG(t, unsigned, 0);
    int e = is_thread[c] ? thread_create(c) : thread_delete(c);
    sw_fail_unless(t, e == INVALID_THREAD);
    return SW_OK;
}

/* Property 7: and so does everything on what is no slot. */
static sw_verdict create_or_delete_nowhere(sw_test *t)
{
    unsigned c = SW_ARG(t, unsigned, 0);
    int e = SW_ARG(t, bool, 1) ? thread_delete(c) : thread_create(c);
    sw_fail_unless(t, e == INVALID_THREAD);
    return SW_OK;
}

/* Property 8: of two threads that could run, the one of higher priority runs before the other. */
static sw_verdict run_in_order(sw_test *t)
{
    unsigned c1 = SW_ARG(t, unsigned, 0), c2 = SW_ARG(t, unsigned, 1), first;
    int p1 = SW_ARG(t, int, 2), p2 = SW_ARG(t, int, 3);
    sw_assume(t, c1 != c2);
    sw_fail_unless(t, thread_set_priority(c1, p1) == OK);
    sw_fail_unless(t, thread_set_priority(c2, p2) == OK);
    kernel_release(c2); /* in this order, so that the wrong one is first if priorities do nothing */
    kernel_release(c1);
    first = kernel_next_to_run();
    kernel_next_to_run();
    sw_note_int(t, "ran first", first);
    sw_fail_if(t, p1 > p2 + SAME && first != c1);
    sw_fail_if(t, p2 > p1 + SAME && first != c2);
    return SW_OK;
}

/* Property 9, which the paper lacks: there are as many stacks as threads. */
static sw_verdict stacks_are_given_back(sw_test *t)
{
    sw_fail_unless_equal(t, thread_n_stacks(), n_threads());
    return SW_OK;
}

static bool reset(sw_test *t)
{
    (void)t;
    threads_reset();
    for (unsigned k = 0; k < N_SLOTS; k++) is_thread[k] = false;
    return true;
}

static sw_verdict delete_all(sw_test *t) { return reset(t) ? SW_OK : SW_FAIL; }

static uint64_t fingerprint(sw_test *t)
{
    uint64_t threads = 0;
    (void)t;
    for (unsigned k = 0; k < N_SLOTS; k++) threads |= (uint64_t)is_thread[k] << k;
    return threads;
}

static const sw_property properties[] = {
    { .name = "create or delete", .body = create_or_delete, .arguments = { { "c", &valid } }, .weight = 3 },
    { .name = "create or delete wrongly", .body = create_or_delete_wrongly, .arguments = { { "c", &valid } } },
    { .name = "create or delete nowhere", .body = create_or_delete_nowhere,
      .arguments = { { "c", &not_valid }, { "i", &sw_any_bool } } },
    { .name = "run in order", .body = run_in_order, .precondition = are_two_threads,
      .arguments = { { "c1", &a_thread }, { "c2", &a_thread }, { "p1", &priority }, { "p2", &priority } } },
    { .name = "stacks are given back", .body = stacks_are_given_back },
};
static const sw_property cleanups[] = { { .name = "delete all", .body = delete_all } };

static sw_settings settings;

static int tester(void)
{
    sw_set sets[2] = { {
        .name = "threads", .reset = reset, .fingerprint = fingerprint,
        .properties = properties, .n_properties = N_PROPERTIES, .cleanups = cleanups, .n_cleanups = 1,
    } };
#ifdef WITH_MESSAGES
    sets[1] = messages;
    settings.n_tests = 200;
    return sw_run(sets, 2, &settings, NULL);
#else
    return sw_run(sets, 1, &settings, NULL);
#endif
}

int main(int argc, char **argv)
{
    settings = settings_of(argc, argv);
    settings.max_properties = 12;
    settings.n_tests = 50;
    settings.max_states = 256;
    kernel_start(tester);
    return 9;
}
