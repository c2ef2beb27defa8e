/* A walk through the system calls, right and wrong ones, each printed with its answer.
 *
 * A user program that needs no Stairway: it shows that the kernel does what abi.h says before random
 * tests rely on it. It ends with a store into the kernel, which
 * it has asked to hear of unless `fault` is on the command line. */
#include "syscalls.h"
#include "threads.h"

int user_main(const char *line);

enum { A = 20, B = 21, DONE = 5, FRAME = 6, OTHER_FRAME = 7 };

static const char *const names[] = {
    "OK",        "INVALID_THREAD", "INVALID_ENDPOINT", "INVALID_FRAME", "INVALID_ARGUMENT",
    "NO_MEMORY", "NOBODY",         "DELETED",
};

static void say(const char *text) {
    size_t n = 0;
    while (text[n] != '\0')
        n++;
    (void)sys_write(text, n);
}

static void show(const char *call, enum answer answer) {
    say(call);
    say(" -> ");
    say(names[answer]);
    say("\n");
}

#define SHOW(call) show(#call, call)

/* Says its name, then waits for the tester; what it holds in a register of its own must survive. */
static void talker(void *name) {
    for (double turns = 0.0;; turns += 1.0) {
        say(name);
        say(turns < 0.5 ? " runs\n" : " runs again\n");
        (void)sys_send(DONE, 0);
        sys_thread_stop();
    }
}

static void meet(void) {
    uint64_t word;
    (void)sys_receive(DONE, &word);
}

static void walk_threads(void) {
    SHOW(thread_create(A, talker, "A"));
    SHOW(thread_create(A, talker, "A"));
    SHOW(thread_create(B, talker, "B"));
    SHOW(thread_create(N_SLOTS, talker, "C"));
    SHOW(sys_thread_priority(A, 0));
    SHOW(sys_thread_priority(A, 256));
    SHOW(sys_thread_resume(A));
    SHOW(sys_thread_resume(A));
    SHOW(sys_thread_resume(B));
    SHOW(thread_set_priority(A, 100));
    SHOW(thread_set_priority(B, 200));
    meet();
    meet();
    SHOW(sys_thread_priority(SLOT_SELF, LOWEST_PRIORITY));
    SHOW(sys_thread_priority(SLOT_SELF, HIGHEST_PRIORITY));
    SHOW(sys_thread_resume(A));
    meet();
    SHOW(thread_delete(B));
    SHOW(thread_delete(B));
    SHOW(thread_delete(SLOT_SELF));
    SHOW(thread_delete(A));
}

static void walk_endpoints(void) {
    SHOW(sys_endpoint_create(DONE));
    SHOW(sys_endpoint_create(DONE));
    SHOW(sys_send_now(DONE, 1));
    SHOW(sys_send_now(A, 1));
}

static void walk_frames(void) {
    char *const page = (char *)WINDOW_START;
    SHOW(sys_frame_create(FRAME));
    SHOW(sys_frame_create(OTHER_FRAME));
    SHOW(sys_frame_map(FRAME, page + 1));
    SHOW(sys_frame_map(FRAME, (char *)0x100000));
    SHOW(sys_frame_map(FRAME, page));
    SHOW(sys_frame_map(OTHER_FRAME, page));
    *page = 'x';
    SHOW(sys_frame_unmap(FRAME));
    SHOW(sys_frame_unmap(FRAME));
    SHOW(sys_frame_map(OTHER_FRAME, page));
    say(*page == 0 ? "the page shows the other frame\n" : "the page shows the old frame\n");
    SHOW(sys_frame_delete(OTHER_FRAME));
    SHOW(sys_frame_delete(OTHER_FRAME));
}

static void walk_hostile(void) {
    SHOW(sys_write((const char *)0x100000, 16));
    SHOW(sys_write((const char *)WINDOW_START, 16));
    SHOW(sys_write((const char *)USER_START, ~0ul));
    show("sys_call(99)", (enum answer)sys_call((enum call)99, 0, 0, 0, 0).answer);
    SHOW(sys_thread_create(B, (void (*)(void *))(1ul << 63), (void *)WINDOW_END, NULL));
    SHOW(sys_thread_create(B, talker, (void *)(1ul << 63), NULL));
    SHOW(thread_delete(~0ul));
}

static char stack_after_fault[PAGE_BYTES];

static void end(uint64_t vector) {
    say(vector == FAULT_WATCHDOG ? "the watchdog barked\n" : "something else was caught\n");
    sys_exit(EXIT_PASSED);
}

static void survive(uint64_t vector) {
    say(vector == 14 ? "a page fault was caught\n" : "something else was caught\n");
    SHOW(sys_on_fault(end, stack_after_fault + sizeof stack_after_fault));
    SHOW(sys_watchdog(20));
    for (;;) {
    }
}

int user_main(const char *line) {
    walk_endpoints();
    walk_threads();
    walk_frames();
    walk_hostile();
    SHOW(sys_reset());
    SHOW(sys_endpoint_delete(DONE));
    if (line[0] != 'f')
        SHOW(sys_on_fault(survive, stack_after_fault + sizeof stack_after_fault));
    *(volatile char *)0x100000 = 1;
    return EXIT_FAILED;
}
