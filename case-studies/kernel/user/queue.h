/* A circular queue of numbers, with the four operations of section 5.2. */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUEUE_MOST = 16 };

struct queue {
    bool valid;
    size_t size, max_size;
    /* Where the oldest element is. */
    size_t head;
    int32_t elements[2 * QUEUE_MOST];
};

/* An empty queue for at most `max_size` elements, from 1 to QUEUE_MOST. */
void queue_init(struct queue *queue, size_t max_size);
/* Without effect if the queue is full. */
void queue_enqueue(struct queue *queue, int32_t element);
/* Without effect if the queue is empty. */
void queue_dequeue(struct queue *queue);
/* The oldest element; the queue must not be empty. */
int32_t queue_front(const struct queue *queue);

#endif
