/* Properties 12 to 14: a page shows the frame that is mapped there, and a frame keeps what was stored.
 *
 * Frames are mapped and unmapped by system calls, and looked into by plain loads and stores. */
#include "kernel_properties.h"
#include "syscalls.h"

static volatile uint64_t *page(size_t number) {
    return (volatile uint64_t *)(WINDOW_START + number * PAGE_BYTES);
}

static bool is_page_free(const struct world *world, size_t number) {
    for (size_t i = 0; i < N_FRAMES; i++)
        if (world->mapped_at[i] == number)
            return false;
    return true;
}

static size_t n_mapped(const struct world *world) {
    size_t n = 0;
    for (size_t i = 0; i < N_FRAMES; i++)
        n += world->mapped_at[i] != NOT_MAPPED;
    return n;
}

/* Every mapped frame is seen with what was stored in it. */
static sw_verdict all_pages(sw_test *t) {
    const struct world *world = world_of(t);
    for (size_t i = 0; i < N_FRAMES; i++)
        if (world->mapped_at[i] != NOT_MAPPED)
            sw_fail_unless_equal(t, *page(world->mapped_at[i]), world->contents[i]);
    return SW_OK;
}

/* Property 12: a frame can be mapped at one page, which shows no other frame. */
static sw_verdict map(sw_test *t) {
    const size_t frame = SW_ARG(t, size_t, 0), at = SW_ARG(t, size_t, 1);
    struct world *world = world_of(t);
    const bool is_right = world->mapped_at[frame] == NOT_MAPPED && is_page_free(world, at);
    const enum answer expected = is_right ? OK : INVALID_ARGUMENT;
    sw_fail_unless_equal(t, sys_frame_map(FIRST_FRAME_SLOT + frame, (void *)page(at)), expected);
    if (is_right)
        world->mapped_at[frame] = at;
    return all_pages(t);
}

/* Property 13: a frame can be unmapped if it is mapped. */
static sw_verdict unmap(sw_test *t) {
    const size_t frame = SW_ARG(t, size_t, 0);
    struct world *world = world_of(t);
    const enum answer expected = world->mapped_at[frame] != NOT_MAPPED ? OK : INVALID_ARGUMENT;
    world->mapped_at[frame] = NOT_MAPPED;
    sw_fail_unless_equal(t, sys_frame_unmap(FIRST_FRAME_SLOT + frame), expected);
    return all_pages(t);
}

/* A frame that is mapped. */
static sw_verdict make_mapped(sw_test *t, const sw_generator *self, void *value) {
    (void)self;
    const struct world *world = world_of(t);
    const size_t n = n_mapped(world);
    size_t skip = n == 0 ? 0 : sw_draw_index(t, n);
    for (size_t i = 0; i < N_FRAMES; i++) {
        if (world->mapped_at[i] == NOT_MAPPED || skip-- > 0)
            continue;
        *(size_t *)value = i;
        return SW_OK;
    }
    return SW_REFUSE;
}

/* Property 14: what is stored is stored there and nowhere else. */
static sw_verdict store(sw_test *t) {
    const size_t frame = SW_ARG(t, size_t, 0);
    const uint64_t word = SW_ARG(t, uint8_t, 1);
    struct world *world = world_of(t);
    *page(world->mapped_at[frame]) = word;
    world->contents[frame] = word;
    return all_pages(t);
}

static bool has_mapped_frame(sw_test *t) {
    return n_mapped(world_of(t)) > 0;
}

static const sw_generator any_frame = SW_UNSIGNED_IN(size_t, 0, N_FRAMES - 1);
static const sw_generator any_page = SW_UNSIGNED_IN(size_t, 0, N_PAGES - 1);
static const sw_generator mapped_frame = {
    .size = sizeof(size_t), .make = make_mapped, .print = sw_print_unsigned, .n_choices = 1};

const sw_property property_map = {.name = "map", .body = map, .arguments = {{"frame", &any_frame}, {"page", &any_page}}};
const sw_property property_unmap = {.name = "unmap", .body = unmap, .arguments = {{"frame", &any_frame}}};
const sw_property property_store = {
    .name = "store", .body = store, .precondition = has_mapped_frame,
    .arguments = {{"frame", &mapped_frame}, {"word", &sw_any_uint8}}};
