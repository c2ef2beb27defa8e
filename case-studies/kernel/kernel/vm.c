/* Memory: frames, and the pages at which user programs see them.
 *
 * The kernel sees all memory where it physically is, below the first gigabyte; users have the second
 * one. Knows page tables. Does not know whose a frame is (calls.c). */
#include "kernel.h"

enum { N_FRAMES = 2048, N_ENTRIES = 512 };

#define FIRST_FRAME 0x1000000ul
#define PRESENT 1ul
#define WRITABLE 2ul
#define FOR_USERS 4ul
#define UNCACHED 0x10ul
#define LARGE 0x80ul
#define LARGE_BYTES 0x200000ul
#define NOT_EXECUTABLE (1ul << 63)
#define ADDRESS 0x000ffffffffff000ul

typedef uint64_t table[N_ENTRIES];

/* From boot.S: the first entry covers the kernel, the second one the users. */
extern table vm_second_level;

static bool frame_used[N_FRAMES];
static size_t n_sealed;

uint64_t frame_take(void) {
    for (size_t i = 0; i < N_FRAMES; i++) {
        if (!frame_used[i]) {
            frame_used[i] = true;
            uint64_t *words = (uint64_t *)(FIRST_FRAME + i * PAGE_BYTES);
            for (size_t w = 0; w < PAGE_BYTES / sizeof *words; w++)
                words[w] = 0;
            return (uint64_t)words;
        }
    }
    return 0;
}

void frame_give(uint64_t frame) {
    frame_used[(frame - FIRST_FRAME) / PAGE_BYTES] = false;
}

/* The table below an entry, made if need be; NULL if there is no memory for it. */
static uint64_t *below(uint64_t *entry) {
    if ((*entry & PRESENT) == 0) {
        uint64_t frame = frame_take();
        if (frame == 0)
            return NULL;
        *entry = frame | PRESENT | WRITABLE | FOR_USERS;
    }
    return (uint64_t *)(*entry & ADDRESS);
}

/* The entry of a page in the second gigabyte. */
static uint64_t *entry_of(uint64_t at) {
    uint64_t *third_level = below(&vm_second_level[at >> 30 & (N_ENTRIES - 1)]);
    if (third_level == NULL)
        return NULL;
    uint64_t *last_level = below(&third_level[at >> 21 & (N_ENTRIES - 1)]);
    return last_level == NULL ? NULL : &last_level[at >> 12 & (N_ENTRIES - 1)];
}

static void forget(uint64_t at) {
    __asm__ volatile("invlpg (%0)" : : "r"(at) : "memory");
}

bool vm_map(uint64_t at, uint64_t frame, bool writable, bool executable) {
    uint64_t *entry = entry_of(at);
    if (entry == NULL)
        return false;
    *entry = frame | PRESENT | FOR_USERS | (writable ? WRITABLE : 0) | (executable ? 0 : NOT_EXECUTABLE);
    forget(at);
    return true;
}

void vm_unmap(uint64_t at) {
    uint64_t *entry = entry_of(at);
    if (entry != NULL)
        *entry = 0;
    forget(at);
}

bool vm_is_mapped(uint64_t at) {
    const uint64_t *entry = entry_of(at);
    return entry != NULL && (*entry & PRESENT) != 0;
}

void vm_map_device(uint64_t at) {
    uint64_t *third_level = below(&vm_second_level[at >> 30 & (N_ENTRIES - 1)]);
    if (third_level != NULL)
        third_level[at >> 21 & (N_ENTRIES - 1)] =
            (at & ~(LARGE_BYTES - 1)) | PRESENT | WRITABLE | UNCACHED | LARGE | NOT_EXECUTABLE;
}

bool vm_is_users(uint64_t at) {
    return at >= USER_START && at <= WINDOW_END;
}

void vm_seal(void) {
    /* The window's table is the kernel's, so that mapping a frame takes no other one. */
    (void)entry_of(WINDOW_START);
    while (n_sealed < N_FRAMES && frame_used[n_sealed])
        n_sealed++;
}

void vm_reset(void) {
    for (uint64_t at = WINDOW_START; at < WINDOW_END; at += PAGE_BYTES)
        if (vm_is_mapped(at))
            vm_unmap(at);
    for (size_t i = n_sealed; i < N_FRAMES; i++)
        frame_used[i] = false;
}
