/* The map of the kernel: what each file offers to the others.
 *
 * caps, threads, sched, ipc and calls know no hardware: host/machine.c runs them on Linux. boot, trap,
 * vm, timer and serial are the machine. There is one processor, one address space and one capability
 * space, and there are no time slices: a thread runs until it waits, stops, or makes a more important
 * one runnable. Nothing but the watchdog depends on time, so a run can be repeated exactly. */
#ifndef KERNEL_H
#define KERNEL_H

#include "abi.h"

enum { N_THREADS = 32, N_ENDPOINTS = 16 };

/* What a thread leaves in the processor's registers; the order is that of trap.S. */
struct frame {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax;
    uint64_t vector, error;
    uint64_t rip, cs, rflags, rsp, ss;
};

struct list {
    struct thread *first;
};

enum thread_state { THREAD_FREE, THREAD_STOPPED, THREAD_RUNNABLE, THREAD_SENDING, THREAD_RECEIVING };

struct thread {
    /* The processor saves a thread's registers right here. It wants the end at a multiple of 16. */
    _Alignas(16) struct frame frame;
    _Alignas(16) uint8_t fpu[512];
    enum thread_state state;
    uint8_t priority;
    /* What it sends, while it is sending. */
    uint64_t word;
    /* The list in which it stands, and who is behind it there. */
    struct list *standing_in;
    struct thread *next;
};

struct endpoint {
    bool used;
    /* Who waits here: all of them to send, or all of them to receive. */
    bool of_receivers;
    struct list waiting;
};

/* caps.c: capability slots */
enum object { OBJECT_NONE, OBJECT_THREAD, OBJECT_ENDPOINT, OBJECT_FRAME };

struct slot {
    enum object holds;
    struct thread *thread;
    struct endpoint *endpoint;
    uint64_t frame;
    /* Where the frame is mapped, or 0. */
    uint64_t mapped_at;
};

/* NULL unless the pointer is valid and its slot holds such an object. */
struct slot *cap_find(cptr pointer, enum object holds);
void caps_reset(void);

/* threads.c: threads and lists of them */
struct thread *thread_take(void);
void thread_give(struct thread *thread);
void threads_reset(struct thread *except);
void list_append(struct list *list, struct thread *thread);
void list_insert(struct list *list, struct thread *thread, bool (*before)(const struct thread *, const struct thread *));
void list_remove(struct thread *thread);

/* sched.c: who runs */
extern struct thread *current;
void sched_wake(struct thread *thread);
void sched_block(struct thread *thread, enum thread_state state);
void sched_prioritise(struct thread *thread, uint8_t priority);
void sched_reset(void);
/* The thread that has to run now; NULL if none can. */
struct thread *sched_first(void);

/* ipc.c: endpoints */
struct endpoint *endpoint_take(void);
void endpoint_give(struct endpoint *endpoint);
void ipc_reset(void);
enum answer ipc_send(struct endpoint *endpoint, uint64_t word, bool waits);
enum answer ipc_receive(struct endpoint *endpoint);

/* calls.c: system calls. Does what the current thread's registers ask for. */
void call(void);

/* vm.c: frames of memory, and what user programs see of them; host/machine.c on Linux */
uint64_t frame_take(void);
void frame_give(uint64_t frame);
bool vm_map(uint64_t at, uint64_t frame, bool writable, bool executable);
void vm_unmap(uint64_t at);
bool vm_is_mapped(uint64_t at);
/* Whether users may have something there, mapped or not; the end of the window counts. */
bool vm_is_users(uint64_t at);
/* For the kernel alone; devices are beyond the first gigabyte. */
void vm_map_device(uint64_t at);
/* From now on frames belong to user programs... */
void vm_seal(void);
/* ...and this takes all of those back, and empties the window. */
void vm_reset(void);

/* serial.c: bytes for the outside, and the end; host/machine.c on Linux */
void serial_write(const char *bytes, size_t length);
_Noreturn void machine_exit(unsigned code);

/* trap.c: the processor in the hands of user threads; host/machine.c on Linux */
void trap_init(void);
_Noreturn void trap_enter_user(void);
void thread_start(struct thread *thread, uint64_t entry, uint64_t stack_end, uint64_t argument);
/* From now on a fault of any user thread stops that thread, and starts this one anew at an address. */
void trap_watch(struct thread *watcher, uint64_t entry, uint64_t stack_end);

/* timer.c: rings once, as a trap; host/machine.c on Linux */
#define TIMER_DEVICE 0xfee00000ul
enum { VECTOR_TIMER = FAULT_WATCHDOG, VECTOR_SPURIOUS = 65 };
void timer_init(void);
/* 0 stops it. */
void timer_set(uint32_t milliseconds);
/* After a trap of it: whether it was set still. */
bool timer_has_rung(void);

/* image.c: the user program */
uint64_t image_load(void);

#endif
