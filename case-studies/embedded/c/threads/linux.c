/* The kernel's part on Linux: SCHED_FIFO threads on one processor. Needs a right that not everybody has. */

#define _GNU_SOURCE
#include "threads.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Priorities 100 to 200 become 0 to 50 above the lowest; two neighbours may fall together. */
enum { TESTER = 90, NOT_PERMITTED = 77 };

static struct { pthread_t thread; sem_t go; int is_there, must_end, priority; } threads[N_SLOTS];
static sem_t has_run;
static volatile unsigned order[8], n_run, n_looked_at;

static void *worker(void *slot)
{
    unsigned k = (unsigned)(uintptr_t)slot;
    for (;;) {
        while (sem_wait(&threads[k].go)) { }
        if (threads[k].must_end) return NULL;
        order[n_run++ % 8] = k;
        sem_post(&has_run);
    }
}

size_t kernel_stack_size(void) { return 64 * 1024; }

int kernel_create(unsigned slot, void *stack)
{
    pthread_attr_t attributes;
    struct sched_param priority = { .sched_priority = 1 };
    int error;
    if (slot >= N_SLOTS || threads[slot].is_there) return INVALID_THREAD;
    sem_init(&threads[slot].go, 0, 0);
    threads[slot].must_end = 0;
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &priority);
    pthread_attr_setstack(&attributes, stack, kernel_stack_size());
    error = pthread_create(&threads[slot].thread, &attributes, worker, (void *)(uintptr_t)slot);
    threads[slot].is_there = !error;
    return error ? INVALID_THREAD : OK;
}

int kernel_delete(unsigned slot)
{
    if (slot >= N_SLOTS || !threads[slot].is_there) return INVALID_THREAD;
    threads[slot].must_end = 1;
    sem_post(&threads[slot].go);
    pthread_join(threads[slot].thread, NULL);
    threads[slot].is_there = 0;
    return OK;
}

int kernel_set_priority(unsigned slot, int priority)
{
    struct sched_param its = { .sched_priority = 1 + (priority < 100 ? 0 : (priority - 100) / 2) };
    if (slot >= N_SLOTS || !threads[slot].is_there) return INVALID_THREAD;
    return pthread_setschedparam(threads[slot].thread, SCHED_FIFO, &its) ? INVALID_THREAD : OK;
}

void kernel_release(unsigned slot) { sem_post(&threads[slot].go); }

unsigned kernel_next_to_run(void)
{
    while (sem_wait(&has_run)) { }
    return order[n_looked_at++ % 8];
}

void kernel_start(int (*tester)(void))
{
    struct sched_param priority = { .sched_priority = TESTER };
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sem_init(&has_run, 0, 0);
    if (sched_setaffinity(0, sizeof one, &one) || sched_setscheduler(0, SCHED_FIFO, &priority)) {
        printf("SKIPPED: SCHED_FIFO is not permitted here: %s\n", strerror(errno));
        exit(NOT_PERMITTED);
    }
    exit(tester());
}
