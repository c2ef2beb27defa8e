/* Circular queue: the struct and its slots are read from the input. */
#include "afl.h"
#include WORKLOAD

static unsigned int size_of(struct queue q)
{
#ifdef MUTANT_size_spec
    return q.head <= q.tail ? q.tail - q.head : q.head - q.tail;
#else
    return q.head <= q.tail ? q.tail - q.head : q.n_slots - (q.head - q.tail);
#endif
}

static int is_queue(struct queue *q)
{
    return is_live(q, sizeof *q) && 2 <= q->n_slots && q->n_slots <= 64 && q->head < q->n_slots && q->tail < q->n_slots
        && is_live(q->items, q->n_slots * sizeof(int));
}

/* The items from the first one on; a specification that miscounts goes round. */
static unsigned int items_of(struct queue q, int *items)
{
    unsigned int n = size_of(q), at = q.head;
    for (unsigned int i = 0; i < n; i++) {
        items[i] = q.items[at];
        at = at + 1 == q.n_slots ? 0 : at + 1;
    }
    return n;
}

static void test(void)
{
    int which = next_byte() % 4;
    if (which == 0) {
        unsigned int n_slots = (unsigned int)next_byte();
        ASSUME(2 <= n_slots && n_slots <= 64);
        struct queue *made = empty_queue(n_slots);
        CHECK(is_queue(made) && size_of(*made) == 0 && made->n_slots == n_slots);
        return;
    }
    struct queue *q = cn_malloc(sizeof *q);
    q->n_slots = 2 + (unsigned int)next_byte() % 63;
    q->head = (unsigned int)next_byte() % 64;
    q->tail = (unsigned int)next_byte() % 64;
    ASSUME(q->head < q->n_slots && q->tail < q->n_slots);
    q->items = cn_malloc(q->n_slots * sizeof(int));
    for (unsigned int i = 0; i < q->n_slots; i++) q->items[i] = next_byte();
    struct queue before = *q;
    int items[64], items_after[65];
    unsigned int n = items_of(before, items), n_after;
    switch (which) {
    case 1:
        CHECK(queue_size(q) == size_of(before));
        CHECK(!memcmp(q, &before, sizeof before));
        break;
    case 2: {
        int item = next_byte();
#ifdef MUTANT_push_full
        ASSUME(n < q->n_slots);
#else
        ASSUME(n + 1 < q->n_slots);
#endif
        push_queue(q, item);
        CHECK(is_queue(q) && size_of(*q) == n + 1);
        n_after = items_of(*q, items_after);
        items[n] = item;
        CHECK(n_after == n + 1 && !memcmp(items, items_after, n_after * sizeof(int)));
        break;
    }
    default: {
        ASSUME(0 < n);
        int item = pop_queue(q);
        CHECK(is_queue(q));
        n_after = items_of(*q, items_after);
        CHECK(n_after == n - 1 && item == items[0] && !memcmp(items + 1, items_after, n_after * sizeof(int)));
    }
    }
}
