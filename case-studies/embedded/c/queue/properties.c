/* Properties 1 to 4: a circular queue beside a reference queue, which is an array and two indices. */

#include "../print.h"
#include "queue.h"

enum { MAX_SIZE = 4, MAX_ENQUEUED = 128 };

static struct queue q;
static int storage[MAX_SIZE];

/* Everything that was enqueued in this test; what lies between the two indices is in the queue. */
struct reference {
    int items[MAX_ENQUEUED];
    unsigned front, back;
};
static struct reference reference;

static bool is_valid(sw_test *t) { return ((struct queue *)sw_state(t))->items != NULL; }
static bool is_not_valid(sw_test *t) { return !is_valid(t); }
static bool is_not_empty(sw_test *t) { return is_valid(t) && reference.front < reference.back; }

/* Property 1 */
static sw_verdict init(sw_test *t)
{
    unsigned n = SW_ARG(t, unsigned, 0);
    queue_init(&q, storage, n);
    reference.front = reference.back = 0;
    sw_fail_unless(t, is_valid(t));
    sw_fail_unless_equal(t, q.size, 0);
    sw_fail_unless_equal(t, q.max, n);
    return SW_OK;
}

/* Property 2 */
static sw_verdict enqueue(sw_test *t)
{
    unsigned s = q.size, n = q.max;
    sw_assume(t, reference.back < MAX_ENQUEUED);
    queue_enqueue(&q, SW_ARG(t, int, 0));
    if (s < n) reference.items[reference.back++] = SW_ARG(t, int, 0);
    sw_fail_unless(t, is_valid(t) && q.max == n);
    sw_fail_unless(t, (s == n && q.size == s) || (s < n && q.size == s + 1));
    return SW_OK;
}

/* Property 3 */
static sw_verdict dequeue(sw_test *t)
{
    unsigned s = q.size, n = q.max;
    queue_dequeue(&q);
    if (s > 0) reference.front++;
    sw_fail_unless(t, is_valid(t) && q.max == n);
    sw_fail_unless(t, (s == 0 && q.size == s) || (s > 0 && q.size == s - 1));
    return SW_OK;
}

/* Property 4 */
static sw_verdict front(sw_test *t)
{
    sw_fail_unless_equal(t, queue_front(&q), reference.items[reference.front]);
    return SW_OK;
}

/* A queue may be given up and another one made within a test. */
static sw_verdict destroy(sw_test *t) { (void)t; queue_destroy(&q); return SW_OK; }

static bool reset(sw_test *t)
{
    (void)t;
    queue_destroy(&q);
    q.size = 0;
    return true;
}

static uint64_t fingerprint(sw_test *t)
{
    return is_valid(t) ? 1 + q.max + 16u * q.size + 256u * q.first : 0;
}

static bool has_wrapped(sw_test *t) { return is_valid(t) && q.first + q.size > q.max; }
static const sw_demand demands[] = { { "the queue wraps around", 10.0, has_wrapped } };

static bool size(sw_test *t, int64_t *value) { (void)t; *value = q.size; return true; }
static const sw_statistic size_after = { "size", size };

static const sw_generator capacity = SW_UNSIGNED_IN(unsigned, 1, MAX_SIZE);
static const sw_property properties[] = {
    { .name = "init", .body = init, .precondition = is_not_valid, .arguments = { { "n", &capacity } } },
    { .name = "enqueue", .body = enqueue, .precondition = is_valid, .arguments = { { "e", &sw_any_int } },
      .statistics = { &size_after }, .weight = 4 },
    { .name = "dequeue", .body = dequeue, .precondition = is_valid, .weight = 2 },
    { .name = "front", .body = front, .precondition = is_not_empty, .weight = 2 },
    { .name = "destroy", .body = destroy, .precondition = is_valid },
};
static const sw_property cleanups[] = {
    { .name = "destroy at the end", .body = destroy, .precondition = is_valid },
    { .name = "end", .body = sw_empty_cleanup, .precondition = is_not_valid },
};

int main(int argc, char **argv)
{
    const sw_set queue = {
        .name = "queue", .state = &q, .model = &reference, .reset = reset, .fingerprint = fingerprint,
        .properties = properties, .n_properties = 5, .cleanups = cleanups, .n_cleanups = 2,
        .demands = demands, .n_demands = 1,
    };
    sw_settings settings = settings_of(argc, argv);
    settings.max_states = 256;
    settings.max_properties = 20;
    return sw_run(&queue, 1, &settings, NULL);
}
