/* Endpoints: where one thread hands a word to another. Both have to be there; who comes first waits.
 *
 * Knows who waits at which endpoint. Does not know slots, nor who runs next. */
#include "kernel.h"

static struct endpoint endpoints[N_ENDPOINTS];

struct endpoint *endpoint_take(void) {
    for (size_t i = 0; i < N_ENDPOINTS; i++) {
        if (!endpoints[i].used) {
            endpoints[i] = (struct endpoint){.used = true};
            return &endpoints[i];
        }
    }
    return NULL;
}

/* Takes the thread that has waited longest out of the queue, with the answer to its call. */
static struct thread *wake_first(struct endpoint *endpoint, enum answer answer) {
    struct thread *thread = endpoint->waiting.first;
    list_remove(thread);
    thread->frame.rax = answer;
    sched_wake(thread);
    return thread;
}

void endpoint_give(struct endpoint *endpoint) {
    for (size_t n = 0; n < N_THREADS && endpoint->waiting.first != NULL; n++)
        wake_first(endpoint, DELETED);
    endpoint->used = false;
}

void ipc_reset(void) {
    for (size_t i = 0; i < N_ENDPOINTS; i++)
        endpoints[i] = (struct endpoint){0};
}

static void wait_at(struct endpoint *endpoint, enum thread_state state) {
    sched_block(current, state);
    endpoint->of_receivers = state == THREAD_RECEIVING;
    list_append(&endpoint->waiting, current);
}

enum answer ipc_send(struct endpoint *endpoint, uint64_t word, bool waits) {
    if (endpoint->waiting.first != NULL && endpoint->of_receivers) {
        wake_first(endpoint, OK)->frame.rdx = word;
        return OK;
    }
    if (!waits)
        return NOBODY;
    current->word = word;
    wait_at(endpoint, THREAD_SENDING);
    /* For the time being; who wakes the sender may say otherwise. */
    return OK;
}

enum answer ipc_receive(struct endpoint *endpoint) {
    if (endpoint->waiting.first != NULL && !endpoint->of_receivers) {
        current->frame.rdx = wake_first(endpoint, OK)->word;
        return OK;
    }
    wait_at(endpoint, THREAD_RECEIVING);
    return OK;
}
