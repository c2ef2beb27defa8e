/* The kernel's start: the user program in memory, its first thread with the command line, user mode.
 *
 * Knows the order of things. Does not know what the program does. */
#include "kernel.h"

enum { STACK_PAGES = 32, LINE_BYTES = 1024 };

/* What QEMU hands over at a PVH entry, as far as it is of use here. */
struct start_info {
    uint32_t magic, version, flags, n_modules;
    uint64_t modules, command_line;
};

void kmain(const struct start_info *info);

static _Noreturn void give_up(void) {
    static const char why[] = "kernel: no memory for the user program\n";
    serial_write(why, sizeof why - 1);
    machine_exit(EXIT_ERROR);
}

/* The command line's copy at the end of the stack; its address. */
static uint64_t push_line(const char *line) {
    char *copy = (char *)(USER_STACK_END - LINE_BYTES);
    for (size_t i = 0; i < LINE_BYTES - 1 && line != NULL && line[i] != '\0'; i++)
        copy[i] = line[i];
    return (uint64_t)copy;
}

void kmain(const struct start_info *info) {
    trap_init();
    timer_init();
    const uint64_t entry = image_load();
    if (entry == 0)
        give_up();
    for (uint64_t page = 1; page <= STACK_PAGES; page++) {
        uint64_t frame = frame_take();
        if (frame == 0 || !vm_map(USER_STACK_END - page * PAGE_BYTES, frame, true, false))
            give_up();
    }
    vm_seal();
    current = thread_take();
    const uint64_t line = push_line((const char *)info->command_line);
    thread_start(current, entry, line, line);
    current->priority = HIGHEST_PRIORITY;
    caps_reset();
    sched_reset();
    trap_enter_user();
}
