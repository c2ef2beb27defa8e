/* The run queue: strict priorities on one processor, first come first served among equals.
 *
 * Knows the order in which runnable threads run. The running thread stands in the queue as well, so
 * that preemption is nothing but a look at who is first. Does not know how processors are switched. */
#include "kernel.h"
#include "planted.h"

struct thread *current;

static struct list runnable;

static bool is_more_important(const struct thread *a, const struct thread *b) {
    if (PLANTED(KERNEL_SIGNED_PRIORITY))
        return (signed char)a->priority > (signed char)b->priority;
    return a->priority > b->priority;
}

/* A thread can run from now on, after its equals. */
void sched_wake(struct thread *thread) {
    thread->state = THREAD_RUNNABLE;
    list_insert(&runnable, thread, is_more_important);
}

/* A thread does not run until it is woken. */
void sched_block(struct thread *thread, enum thread_state state) {
    list_remove(thread);
    thread->state = state;
}

void sched_prioritise(struct thread *thread, uint8_t priority) {
    thread->priority = priority;
    if (thread->state != THREAD_RUNNABLE)
        return;
    if (PLANTED(KERNEL_LEAVES_IN_PLACE) && thread != current)
        return;
    list_remove(thread);
    sched_wake(thread);
}

/* Only the current thread is runnable. */
void sched_reset(void) {
    runnable.first = NULL;
    sched_wake(current);
}

struct thread *sched_first(void) {
    return runnable.first;
}
