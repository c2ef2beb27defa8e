/* The properties of the kernel as one set over one shadow state, and how a test of it ends.
 *
 * Knows which properties there are. Does not know what they say. */
#include "kernel_set.h"

#include "kernel_properties.h"
#include "syscalls.h"
#include "threads.h"

enum { N_PROPERTIES = 10 };

static struct world world;
static sw_property properties[N_PROPERTIES];

static sw_verdict delete_threads(sw_test *t) {
    for (cptr c = FIRST_SLOT; c <= LAST_SLOT; c++)
        if (world_has_thread(&world, c))
            sw_fail_unless_equal(t, thread_delete(c), OK);
    return SW_OK;
}

static sw_verdict delete_frames(sw_test *t) {
    for (cptr i = 0; i < N_FRAMES; i++)
        sw_fail_unless_equal(t, sys_frame_delete(FIRST_FRAME_SLOT + i), OK);
    return SW_OK;
}

/* Ends a test: everything can be given back, and nothing is left. */
static sw_verdict give_back(sw_test *t) {
    sw_try(delete_threads(t));
    sw_try(delete_frames(t));
    sw_fail_unless_equal(t, threads_stacks_in_use(), 0);
    return SW_OK;
}

static bool some_thread_waits(sw_test *t) {
    return world_of(t)->n_waiting > 0;
}

static const sw_property cleanups[] = {{.name = "give_back", .body = give_back}};

static const sw_demand demands[] = {{.name = "a thread waits", .percent = 5.0, .holds = some_thread_waits}};

sw_set kernel_set(void) {
    /* Objects of other files are no constants in C, so this cannot be an initialiser. */
    const sw_property all[N_PROPERTIES] = {
        property_create_or_delete, property_misuse,    property_misuse_beyond, property_priorities,
        property_stacks,           property_wait_for_mail, property_send_mail, property_map,
        property_unmap,            property_store,
    };
    for (size_t i = 0; i < N_PROPERTIES; i++)
        properties[i] = all[i];
    return (sw_set){
        .name = "kernel",
        .model = &world,
        .properties = properties,
        .n_properties = N_PROPERTIES,
        .cleanups = cleanups,
        .n_cleanups = 1,
        .reset = world_reset,
        .fingerprint = world_fingerprint,
        .demands = demands,
        .n_demands = 1,
    };
}
