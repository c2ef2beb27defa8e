/* The shadow state. Knows what should be; asks the kernel for nothing but a reset. */
#include "world.h"

#include "syscalls.h"
#include "threads.h"

static void forget_everything(struct world *world) {
    *world = (struct world){0};
    for (size_t i = 0; i < N_FRAMES; i++)
        world->mapped_at[i] = NOT_MAPPED;
}

bool world_reset(sw_test *t) {
    forget_everything(world_of(t));
    if (sys_reset() != OK)
        return false;
    threads_forget();
    bool fine = sys_endpoint_create(SLOT_DONE) == OK && sys_endpoint_create(SLOT_MAIL) == OK;
    for (cptr i = 0; i < N_FRAMES; i++)
        fine = fine && sys_frame_create(FIRST_FRAME_SLOT + i) == OK;
    return fine;
}

struct world *world_of(sw_test *t) {
    return sw_model(t);
}

bool world_has_thread(const struct world *world, cptr slot) {
    return world->threads[slot - FIRST_SLOT] != ABSENT;
}

size_t world_n_threads(const struct world *world) {
    size_t n = 0;
    for (size_t i = 0; i < N_THREAD_SLOTS; i++)
        n += world->threads[i] != ABSENT;
    return n;
}

size_t world_n_idle(const struct world *world) {
    return world_n_threads(world) - world->n_waiting;
}

cptr world_idle(const struct world *world, size_t n) {
    for (size_t i = 0; i < N_THREAD_SLOTS; i++) {
        if (world->threads[i] != IDLE)
            continue;
        if (n == 0)
            return FIRST_SLOT + i;
        n--;
    }
    return N_SLOTS;
}

/* Whether there are no, one or several threads, whether one waits, whether frames are mapped. */
uint64_t world_fingerprint(sw_test *t) {
    const struct world *world = world_of(t);
    const size_t n = world_n_threads(world);
    uint64_t number = n < 2 ? n : 2;
    number = number * 2 + (world->n_waiting > 0);
    bool is_any_mapped = false;
    for (size_t i = 0; i < N_FRAMES; i++)
        is_any_mapped = is_any_mapped || world->mapped_at[i] != NOT_MAPPED;
    return number * 2 + is_any_mapped;
}
