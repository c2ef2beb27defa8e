/* A circular queue, as in section 5.2 of the µQC paper. `-DBUG=n` plants bug n. */
#ifndef QUEUE_H
#define QUEUE_H

#ifndef BUG
#define BUG 0
#endif

struct queue {
    int *items; /* NULL: not valid */
    unsigned max, first, size;
};

void queue_init(struct queue *q, int *storage, unsigned n);
void queue_enqueue(struct queue *q, int e);
void queue_dequeue(struct queue *q);
int queue_front(const struct queue *q);
void queue_destroy(struct queue *q);

#endif
