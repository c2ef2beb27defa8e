/* Capability slots: the only names under which user programs know kernel objects.
 *
 * Knows which slot holds what. Does not know what the objects do. */
#include "kernel.h"
#include "planted.h"

static struct slot slots[N_SLOTS];

static struct slot *slot_at(cptr pointer) {
    if (PLANTED(KERNEL_WRAPS_POINTER))
        return &slots[pointer % N_SLOTS];
    return pointer < N_SLOTS ? &slots[pointer] : NULL;
}

struct slot *cap_find(cptr pointer, enum object holds) {
    struct slot *slot = slot_at(pointer);
    if (slot == NULL)
        return NULL;
    if (PLANTED(KERNEL_OVERWRITES_SLOT) && holds == OBJECT_NONE)
        return slot;
    return slot->holds == holds ? slot : NULL;
}

/* All slots empty but the first, which holds the current thread. */
void caps_reset(void) {
    for (size_t i = 0; i < N_SLOTS; i++)
        slots[i] = (struct slot){0};
    slots[SLOT_SELF] = (struct slot){.holds = OBJECT_THREAD, .thread = current};
}
