/* The bugs that can be built in, one at a time, by compiling planted.c with -DPLANTED_BUG=QUEUE_NO_FULL_CHECK. */
#ifndef PLANTED_H
#define PLANTED_H

enum planted_bug {
    NO_BUG,
    /* The queue. */
    QUEUE_ROUNDS_UP,        /* init makes the capacity a power of two */
    QUEUE_NO_FULL_CHECK,    /* enqueue into a full queue */
    QUEUE_NO_EMPTY_CHECK,   /* dequeue from an empty queue */
    QUEUE_WRAPS_LATE,       /* dequeue wraps around one element too late */
    QUEUE_WAITS_FOR_ROOM,   /* enqueue into a full queue does not return */
    /* The thread library. */
    LIBRARY_IGNORES_ANSWER, /* thread_create does not look at what the kernel says */
    LIBRARY_LEAKS_STACK,    /* thread_create keeps the stack of a thread that was not created */
    LIBRARY_FREES_WRONG_STACK, /* thread_create gives back another thread's stack where it fails */
    /* The kernel. */
    KERNEL_KEEPS_SLOT,      /* deletion frees the thread and leaves its capability */
    KERNEL_OVERWRITES_SLOT, /* creation does not ask whether the slot is empty */
    KERNEL_WRAPS_POINTER,   /* capability pointers are masked and not checked */
    KERNEL_SIGNED_PRIORITY, /* priorities are compared as signed chars */
    KERNEL_LEAVES_IN_PLACE, /* a new priority does not move a thread that is runnable already */
    KERNEL_FORGETS_WAITER,  /* a deleted thread stays in the endpoint's queue where it waited */
    KERNEL_MAPS_OVER,       /* a frame can be mapped where another one is */
};

/* In a file of its own, so that another bug is another link and not another build. */
extern const enum planted_bug planted_bug;

#define PLANTED(bug) (planted_bug == (bug))

#endif
