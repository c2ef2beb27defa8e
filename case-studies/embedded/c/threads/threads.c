/* The user-space library: a stack for each thread. */

#include "threads.h"
#ifdef BOARD
#include <stdint.h>
#else
#include <stdlib.h>
#endif

enum { MAX_STACKS = 64 };

static void *stacks[MAX_STACKS]; /* all there are, used or not */
static char is_used[MAX_STACKS];
static int stack_of[N_SLOTS];

#ifdef BOARD
/* Without a heap: the stacks lie side by side. */
static int make_stack(int k)
{
    enum { BYTES = 1024 };
    static uint64_t memory[MAX_STACKS][BYTES / sizeof(uint64_t)];
    stacks[k] = memory[k];
    return kernel_stack_size() > BYTES;
}
#else
static int make_stack(int k) { return posix_memalign(&stacks[k], 4096, kernel_stack_size()); }
#endif

static int take_stack(void)
{
    for (int k = 0; k < MAX_STACKS; k++) {
        if (is_used[k]) continue;
        if (!stacks[k] && make_stack(k)) return -1;
        is_used[k] = 1;
        return k;
    }
    return -1;
}

int thread_create(unsigned slot)
{
    int stack, error;
    if (slot >= N_SLOTS) return INVALID_THREAD;
    stack = take_stack();
    if (stack < 0) return INVALID_THREAD;
    error = kernel_create(slot, stacks[stack]);
    if (BUG == 6) error = OK; /* the paper's: the kernel's answer is ignored */
    if (error) {
        if (BUG != 9) is_used[stack] = 0; /* the paper's second: the stack is lost */
        return error;
    }
    if (BUG != 6 || stack_of[slot] < 0) stack_of[slot] = stack;
    return OK;
}

static volatile char has_priority[N_SLOTS];

int thread_delete(unsigned slot)
{
    int error;
    if (BUG == 15 && slot < N_SLOTS && stack_of[slot] >= 0)
        while (!has_priority[slot]) { } /* bug 15: waits for somebody to set its priority */
    if (BUG == 7 && slot >= N_SLOTS) return OK; /* bug 7: no thread there, so none to delete */
    if (BUG == 5 && slot == 2) return INVALID_THREAD; /* bug 5: a slot is forgotten */
    error = kernel_delete(slot);
    if (error) return error;
    is_used[stack_of[slot]] = 0;
    stack_of[slot] = -1;
    return OK;
}

int thread_set_priority(unsigned slot, int priority)
{
    if (slot < N_SLOTS) has_priority[slot] = 1;
    if (BUG == 8) priority &= 127; /* bug 8: a priority has seven bits here */
    return kernel_set_priority(slot, priority);
}

unsigned thread_n_stacks(void)
{
    unsigned n = 0;
    for (int k = 0; k < MAX_STACKS; k++) n += (unsigned)is_used[k];
    return n;
}

void threads_reset(void)
{
    for (unsigned slot = 0; slot < N_SLOTS; slot++) {
        kernel_delete(slot);
        stack_of[slot] = -1;
        has_priority[slot] = 0;
    }
    for (int k = 0; k < MAX_STACKS; k++) is_used[k] = 0;
}
