/* What the properties know about the kernel: the shadow state of section 5.4.
 *
 * The kernel cannot be looked into from user mode, so every creation and deletion is kept track of
 * here, and the properties compare answers with this. */
#ifndef WORLD_H
#define WORLD_H

#include "abi.h"
#include "stairway.h"

enum {
    /* Slots for the threads that come and go. */
    FIRST_SLOT = 16,
    N_THREAD_SLOTS = 8,
    LAST_SLOT = FIRST_SLOT + N_THREAD_SLOTS - 1,
    /* Endpoints that are always there: workers say that they are done, and wait for mail. */
    SLOT_DONE = 1,
    SLOT_MAIL = 2,
    /* Frames that are always there, and the pages at which they may be mapped. */
    FIRST_FRAME_SLOT = 4,
    N_FRAMES = 4,
    N_PAGES = 4,
    NOT_MAPPED = N_PAGES,
};

enum presence { ABSENT, IDLE, WAITING };

struct world {
    enum presence threads[N_THREAD_SLOTS];
    /* Who waits for mail, the longest first. */
    cptr waiting[N_THREAD_SLOTS];
    size_t n_waiting;
    size_t mapped_at[N_FRAMES];
    uint64_t contents[N_FRAMES];
};

/* The kernel, the thread library and the shadow as after boot, with endpoints and frames. */
bool world_reset(sw_test *t);
struct world *world_of(sw_test *t);
bool world_has_thread(const struct world *world, cptr slot);
size_t world_n_threads(const struct world *world);
/* Threads that exist and wait for nothing: how many, and the n-th. */
size_t world_n_idle(const struct world *world);
cptr world_idle(const struct world *world, size_t n);
uint64_t world_fingerprint(sw_test *t);

#endif
