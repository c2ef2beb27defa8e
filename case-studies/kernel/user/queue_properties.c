/* Properties 1 to 4: the circular queue, beside an array with two pointers as in section 5.2.
 *
 * Knows the queue by its four operations and its two numbers. No kernel is involved. */
#include "kernel_set.h"
#include "queue.h"

enum { MOST_ELEMENTS = 256 };

/* Everything that was ever put in; what is in the queue now is from front to back. */
struct reference {
    size_t max_size, front, back;
    int32_t elements[MOST_ELEMENTS];
};

static struct queue queue;
static struct reference reference;

static bool is_valid(sw_test *t) {
    (void)t;
    return queue.valid;
}

static bool is_not_valid(sw_test *t) {
    return !is_valid(t);
}

static bool has_room_in_reference(sw_test *t) {
    return is_valid(t) && reference.back < MOST_ELEMENTS;
}

static bool has_front(sw_test *t) {
    return is_valid(t) && reference.front < reference.back;
}

/* Property 1: a new queue is valid and empty and has the capacity that was asked for. */
static sw_verdict init(sw_test *t) {
    const size_t n = SW_ARG(t, size_t, 0);
    queue_init(&queue, n);
    reference = (struct reference){.max_size = n};
    sw_fail_unless(t, queue.valid);
    sw_fail_unless_equal(t, queue.size, 0);
    sw_fail_unless_equal(t, queue.max_size, n);
    return SW_OK;
}

/* Property 2: there is one element more unless the queue was full. */
static sw_verdict enqueue(sw_test *t) {
    const int32_t element = SW_ARG(t, int32_t, 0);
    const size_t s = queue.size, n = queue.max_size;
    queue_enqueue(&queue, element);
    if (reference.back - reference.front < reference.max_size)
        reference.elements[reference.back++] = element;
    sw_fail_unless(t, queue.valid);
    sw_fail_unless_equal(t, queue.max_size, n);
    sw_fail_unless_equal(t, queue.size, s < n ? s + 1 : s);
    return SW_OK;
}

/* Property 3: there is one element less unless the queue was empty. */
static sw_verdict dequeue(sw_test *t) {
    const size_t s = queue.size, n = queue.max_size;
    queue_dequeue(&queue);
    if (reference.front < reference.back)
        reference.front++;
    sw_fail_unless(t, queue.valid);
    sw_fail_unless_equal(t, queue.max_size, n);
    sw_fail_unless_equal(t, queue.size, s > 0 ? s - 1 : 0);
    return SW_OK;
}

/* Property 4: the front is the element that was put in first. */
static sw_verdict front(sw_test *t) {
    sw_fail_unless_equal(t, queue_front(&queue), reference.elements[reference.front]);
    return SW_OK;
}

static sw_verdict dispose(sw_test *t) {
    (void)t;
    queue.valid = false;
    return SW_OK;
}

static bool reset(sw_test *t) {
    return dispose(t) == SW_OK;
}

static bool queue_is_full(sw_test *t) {
    return is_valid(t) && queue.size == queue.max_size;
}

/* Whether there is a queue, and whether it is empty, full, or neither. */
static uint64_t fingerprint(sw_test *t) {
    if (!is_valid(t))
        return 0;
    return queue.size == 0 ? 1 : queue_is_full(t) ? 2 : 3;
}

static const sw_generator capacity = SW_UNSIGNED_IN(size_t, 1, QUEUE_MOST);

static const sw_property properties[] = {
    {.name = "init", .body = init, .precondition = is_not_valid, .arguments = {{"n", &capacity}}},
    {.name = "enqueue", .body = enqueue, .precondition = has_room_in_reference,
     .arguments = {{"element", &sw_any_int32}}, .weight = 2},
    {.name = "dequeue", .body = dequeue, .precondition = is_valid},
    {.name = "front", .body = front, .precondition = has_front},
};

static const sw_property cleanups[] = {
    {.name = "dispose", .body = dispose, .precondition = is_valid},
    SW_EMPTY_CLEANUP,
};

static const sw_demand demands[] = {{.name = "a full queue", .percent = 5.0, .holds = queue_is_full}};

const sw_set queue_set = {
    .name = "queue",
    .state = &queue,
    .model = &reference,
    .properties = properties,
    .n_properties = sizeof properties / sizeof *properties,
    .cleanups = cleanups,
    .n_cleanups = sizeof cleanups / sizeof *cleanups,
    .reset = reset,
    .fingerprint = fingerprint,
    .demands = demands,
    .n_demands = sizeof demands / sizeof *demands,
};
