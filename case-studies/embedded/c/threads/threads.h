/* Threads by capability: what a kernel offers, and a user-space library on top of it, as in section 5.3
 * of the µQC paper. `-DBUG=n` plants bug n in the library. */
#ifndef THREADS_H
#define THREADS_H

#include <stddef.h>

#ifndef BUG
#define BUG 0
#endif

/* A capability pointer is the number of a slot; there are so many. */
enum { N_SLOTS = 4 };
enum { OK = 0, INVALID_THREAD = 1 };

/* What `kernel_next_to_run` answers where none has run in time. */
enum { NO_THREAD = 99 };

/* The kernel: freertos.c or linux.c. A new thread waits; each release lets it run once, and it then says which
 * one it is. */
void kernel_start(int (*tester)(void));
size_t kernel_stack_size(void);
int kernel_create(unsigned slot, void *stack);
int kernel_delete(unsigned slot);
int kernel_set_priority(unsigned slot, int priority);
void kernel_release(unsigned slot);
unsigned kernel_next_to_run(void);

/* The library: threads.c. It allocates stacks. */
int thread_create(unsigned slot);
int thread_delete(unsigned slot);
int thread_set_priority(unsigned slot, int priority);
unsigned thread_n_stacks(void);
void threads_reset(void);

#endif
