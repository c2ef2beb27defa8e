/* A circular queue. Knows nothing of kernels. There is more room than a queue may use, so that the bugs
 * that are planted here stay inside of it. */
#include "queue.h"

#include "planted.h"

static size_t rounded_up(size_t n) {
    size_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

void queue_init(struct queue *queue, size_t max_size) {
    *queue = (struct queue){.valid = true};
    queue->max_size = PLANTED(QUEUE_ROUNDS_UP) ? rounded_up(max_size) : max_size;
}

void queue_enqueue(struct queue *queue, int32_t element) {
    while (PLANTED(QUEUE_WAITS_FOR_ROOM) && *(volatile size_t *)&queue->size == queue->max_size) {
    }
    if (queue->size == queue->max_size && !PLANTED(QUEUE_NO_FULL_CHECK))
        return;
    queue->elements[(queue->head + queue->size) % queue->max_size] = element;
    queue->size++;
}

void queue_dequeue(struct queue *queue) {
    if (queue->size == 0 && !PLANTED(QUEUE_NO_EMPTY_CHECK))
        return;
    size_t wraps_at = PLANTED(QUEUE_WRAPS_LATE) ? queue->max_size + 1 : queue->max_size;
    queue->head = (queue->head + 1) % wraps_at;
    queue->size--;
}

int32_t queue_front(const struct queue *queue) {
    return queue->elements[queue->head];
}
