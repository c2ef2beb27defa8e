#include "queue.h"
#include <stddef.h>

void queue_init(struct queue *q, int *storage, unsigned n)
{
    q->items = storage;
    q->max = n;
    q->first = 0;
    if (BUG != 1) q->size = 0; /* bug 1: what was in the last queue is in this one */
}

void queue_enqueue(struct queue *q, int e)
{
    if (BUG != 2 && q->size == q->max) return; /* bug 2: the paper's, nobody looks whether it is full */
    q->items[(q->first + q->size) % q->max] = e;
    q->size++;
}

void queue_dequeue(struct queue *q)
{
    if (BUG != 3 && q->size == 0) return; /* bug 3: nor whether it is empty */
    q->first = (q->first + 1) % q->max;
    q->size--;
}

int queue_front(const struct queue *q)
{
    return q->items[BUG == 4 ? 0 : q->first]; /* bug 4: right until something is taken out */
}

void queue_destroy(struct queue *q) { q->items = NULL; }
