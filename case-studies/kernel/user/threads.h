/* A thread library in user mode: the kernel has threads, this has threads with stacks. */
#ifndef THREADS_H
#define THREADS_H

#include "abi.h"

/* Slots that the library keeps for the frames of stacks, one each. */
enum { FIRST_STACK_SLOT = 32, N_STACKS = 16 };

/* A stopped thread in an empty slot. */
enum answer thread_create(cptr slot, void (*entry)(void *), void *argument);
enum answer thread_delete(cptr slot);
enum answer thread_set_priority(cptr slot, unsigned priority);
size_t threads_stacks_in_use(void);
/* Forgets everything; the kernel must have done so before. */
void threads_forget(void);

#endif
