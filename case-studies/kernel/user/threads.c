/* Threads with stacks.
 *
 * Knows which stack belongs to which capability. A stack is one frame in the window, with an unmapped
 * page below that makes an overflow a fault. Does not know which slots hold threads: the kernel does. */
#include "threads.h"

#include "planted.h"
#include "syscalls.h"

struct stack {
    bool used;
    cptr owner;
};

static struct stack stacks[N_STACKS];

static char *page_of(size_t stack) {
    return (char *)(WINDOW_END - 2 * PAGE_BYTES * (stack + 1) + PAGE_BYTES);
}

/* The number of a stack that nobody has, with memory; N_STACKS if there is none. */
static size_t stack_take(cptr owner) {
    for (size_t i = 0; i < N_STACKS; i++) {
        if (stacks[i].used)
            continue;
        if (sys_frame_create(FIRST_STACK_SLOT + i) != OK)
            return N_STACKS;
        if (sys_frame_map(FIRST_STACK_SLOT + i, page_of(i)) != OK) {
            (void)sys_frame_delete(FIRST_STACK_SLOT + i);
            return N_STACKS;
        }
        stacks[i] = (struct stack){true, owner};
        return i;
    }
    return N_STACKS;
}

static void stack_give(size_t i) {
    stacks[i].used = false;
    (void)sys_frame_delete(FIRST_STACK_SLOT + i);
}

/* The first stack that belongs to a thread; N_STACKS if it has none. */
static size_t stack_of(cptr owner) {
    size_t i = 0;
    while (i < N_STACKS && !(stacks[i].used && stacks[i].owner == owner))
        i++;
    return i;
}

enum answer thread_create(cptr slot, void (*entry)(void *), void *argument) {
    size_t stack = stack_take(slot);
    if (stack == N_STACKS)
        return NO_MEMORY;
    enum answer answer = sys_thread_create(slot, entry, page_of(stack) + PAGE_BYTES, argument);
    if (PLANTED(LIBRARY_IGNORES_ANSWER))
        return OK;
    if (answer != OK && !PLANTED(LIBRARY_LEAKS_STACK))
        stack_give(PLANTED(LIBRARY_FREES_WRONG_STACK) ? stack_of(slot) : stack);
    return answer;
}

enum answer thread_delete(cptr slot) {
    enum answer answer = sys_thread_delete(slot);
    size_t stack = stack_of(slot);
    if (answer == OK && stack < N_STACKS)
        stack_give(stack);
    return answer;
}

enum answer thread_set_priority(cptr slot, unsigned priority) {
    return sys_thread_priority(slot, priority);
}

size_t threads_stacks_in_use(void) {
    size_t n = 0;
    for (size_t i = 0; i < N_STACKS; i++)
        n += stacks[i].used;
    return n;
}

void threads_forget(void) {
    for (size_t i = 0; i < N_STACKS; i++)
        stacks[i].used = false;
}
