/* Threads, and the lists in which they stand.
 *
 * Knows which threads are in use. Does not know who runs (sched.c) or why one waits (ipc.c). */
#include "kernel.h"

static struct thread threads[N_THREADS];

struct thread *thread_take(void) {
    for (size_t i = 0; i < N_THREADS; i++) {
        if (threads[i].state == THREAD_FREE) {
            threads[i].state = THREAD_STOPPED;
            threads[i].priority = LOWEST_PRIORITY;
            return &threads[i];
        }
    }
    return NULL;
}

void thread_give(struct thread *thread) {
    thread->state = THREAD_FREE;
}

/* Frees all threads but one, wherever they stand. */
void threads_reset(struct thread *except) {
    for (size_t i = 0; i < N_THREADS; i++) {
        threads[i].standing_in = NULL;
        threads[i].next = NULL;
        if (&threads[i] != except)
            threads[i].state = THREAD_FREE;
    }
}

static bool never_before(const struct thread *a, const struct thread *b) {
    (void)a;
    (void)b;
    return false;
}

void list_append(struct list *list, struct thread *thread) {
    list_insert(list, thread, never_before);
}

/* Puts a thread in front of the first one that it comes before. */
void list_insert(struct list *list, struct thread *thread,
                 bool (*before)(const struct thread *, const struct thread *)) {
    struct thread **place = &list->first;
    for (size_t n = 0; n < N_THREADS && *place != NULL && !before(thread, *place); n++)
        place = &(*place)->next;
    thread->next = *place;
    thread->standing_in = list;
    *place = thread;
}

/* Takes a thread out of the list in which it stands, if it stands in one. */
void list_remove(struct thread *thread) {
    if (thread->standing_in == NULL)
        return;
    struct thread **place = &thread->standing_in->first;
    for (size_t n = 0; n < N_THREADS && *place != NULL && *place != thread; n++)
        place = &(*place)->next;
    if (*place == thread)
        *place = thread->next;
    thread->standing_in = NULL;
    thread->next = NULL;
}
