/* What the kernel and its users agree on: system calls, answers, and the layout of user memory.
 *
 * Knows nothing of how either side is built. */
#ifndef ABI_H
#define ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A capability pointer: the number of a slot. It is valid if it is less than N_SLOTS. */
typedef uint64_t cptr;

enum {
    N_SLOTS = 64,
    /* The slot that holds the first thread itself. */
    SLOT_SELF = 0,
    LOWEST_PRIORITY = 1,
    HIGHEST_PRIORITY = 255,
    PAGE_BYTES = 4096,
    /* What an exit code means; QEMU leaves with (code << 1) | 1. */
    EXIT_PASSED = 0x10,
    EXIT_FAILED = 0x11,
    EXIT_ERROR = 0x12,
    /* What the watchdog is called among faults; the others have the processor's numbers. */
    FAULT_WATCHDOG = 64,
    WATCHDOG_MOST_MS = 60000,
};

/* User memory: the program, the first thread's stack, and a window in which frames can be mapped. */
#define USER_START 0x40000000ul
#define USER_STACK_END 0x50000000ul
#define WINDOW_START 0x60000000ul
#define WINDOW_PAGES 64ul
#define WINDOW_END (WINDOW_START + WINDOW_PAGES * PAGE_BYTES)

enum answer {
    OK = 0,
    INVALID_THREAD,
    INVALID_ENDPOINT,
    INVALID_FRAME,
    INVALID_ARGUMENT,
    /* No thread, endpoint or frame is left. */
    NO_MEMORY,
    /* Nobody waits for the message, and the sender did not want to wait. */
    NOBODY,
    /* The endpoint was deleted while the caller waited there. */
    DELETED,
};

/* The number is in rax, arguments in rdi, rsi, rdx, r10; the answer in rax, a received word in rdx. */
enum call {
    CALL_THREAD_CREATE = 1, /* slot, entry, end of the stack, argument: stopped, lowest priority */
    CALL_THREAD_DELETE,     /* slot */
    CALL_THREAD_PRIORITY,   /* slot, priority */
    CALL_THREAD_RESUME,     /* slot */
    CALL_THREAD_STOP,       /* the caller stops until it is resumed */
    CALL_ENDPOINT_CREATE,   /* slot */
    CALL_ENDPOINT_DELETE,   /* slot */
    CALL_SEND,              /* slot, word: waits for a receiver */
    CALL_SEND_NOW,          /* slot, word: NOBODY if no receiver waits */
    CALL_RECEIVE,           /* slot: waits for a sender */
    CALL_FRAME_CREATE,      /* slot: a frame of zeros */
    CALL_FRAME_DELETE,      /* slot: unmaps it, too */
    CALL_FRAME_MAP,         /* slot, address of a page in the window */
    CALL_FRAME_UNMAP,       /* slot */
    CALL_ON_FAULT,          /* address, end of a stack: the caller goes on there when any thread faults */
    CALL_WATCHDOG,          /* milliseconds: after them the running thread counts as one that faulted; 0: never */
    CALL_WRITE,             /* address, length: to the serial port */
    CALL_RESET,             /* everything but the caller, which must be the first thread, as after boot */
    CALL_EXIT,              /* exit code: the machine stops */
};

#endif
