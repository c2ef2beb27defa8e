/* The processor: descriptors, traps, and one thread's registers exchanged for another's.
 *
 * Knows how user mode is entered and left. Does not know what system calls mean (calls.c). */
#include "kernel.h"

enum {
    CODE_KERNEL = 0x08,
    DATA_USER = 0x10 | 3,
    CODE_USER = 0x18 | 3,
    TASK_STATE = 0x20,
    VECTOR_CALL = 0x80,
    N_EXCEPTIONS = 32,
    GATE_KERNEL = 0x8e00,
    GATE_USER = 0xee00,
    /* Interrupts are on in user mode, and there only. */
    FLAGS_USER = 0x202,
    MXCSR_DEFAULT = 0x1f80,
    FCW_DEFAULT = 0x37f,
};

struct gate {
    uint16_t low, selector, flags, middle;
    uint32_t high, zero;
};

struct __attribute__((packed)) task_state {
    uint32_t zero;
    /* Where the processor pushes registers when it leaves user mode: into the current thread. */
    uint64_t stack;
    uint8_t rest[92];
};

struct __attribute__((packed)) table_pointer {
    uint16_t last;
    uint64_t address;
};

extern const uint64_t trap_entries[N_EXCEPTIONS], trap_entry_call, trap_entry_timer, trap_entry_spurious;
_Noreturn void trap_return(const struct frame *frame);
const struct frame *trap(const struct frame *frame);

/* Who goes on where after a fault; NULL if faults end the machine. */
static struct {
    struct thread *thread;
    uint64_t entry, stack_end;
} watcher;

static struct task_state task_state;
static struct gate gates[VECTOR_CALL + 1];
static uint64_t descriptors[] = {
    0,
    0x00af9a000000ffff, /* code, 64 bits, kernel */
    0x00cff2000000ffff, /* data, user */
    0x00affa000000ffff, /* code, 64 bits, user */
    0, 0,               /* task state, filled in at the start */
};

static void set_gate(unsigned vector, uint64_t entry, uint16_t flags) {
    gates[vector] = (struct gate){
        .low = (uint16_t)entry,
        .selector = CODE_KERNEL,
        .flags = flags,
        .middle = (uint16_t)(entry >> 16),
        .high = (uint32_t)(entry >> 32),
    };
}

static void load_descriptors(void) {
    const uint64_t at = (uint64_t)&task_state;
    const uint64_t last = sizeof task_state - 1;
    descriptors[4] = last | (at & 0xffffff) << 16 | 0x89ull << 40 | (at >> 24 & 0xff) << 56;
    descriptors[5] = at >> 32;
    const struct table_pointer table = {sizeof descriptors - 1, (uint64_t)descriptors};
    __asm__ volatile("lgdt %0; ltr %w1" : : "m"(table), "r"(TASK_STATE));
}

void trap_init(void) {
    load_descriptors();
    for (unsigned vector = 0; vector < N_EXCEPTIONS; vector++)
        set_gate(vector, trap_entries[vector], GATE_KERNEL);
    set_gate(VECTOR_TIMER, trap_entry_timer, GATE_KERNEL);
    set_gate(VECTOR_SPURIOUS, trap_entry_spurious, GATE_KERNEL);
    set_gate(VECTOR_CALL, trap_entry_call, GATE_USER);
    const struct table_pointer table = {sizeof gates - 1, (uint64_t)gates};
    __asm__ volatile("lidt %0" : : "m"(table));
}

void thread_start(struct thread *thread, uint64_t entry, uint64_t stack_end, uint64_t argument) {
    thread->frame = (struct frame){
        .rip = entry,
        .rdi = argument,
        .cs = CODE_USER,
        .ss = DATA_USER,
        .rflags = FLAGS_USER,
        /* A function expects a return address at a place that is 8 past a multiple of 16. */
        .rsp = (stack_end & ~15ul) - 8,
    };
    for (size_t i = 0; i < sizeof thread->fpu; i++)
        thread->fpu[i] = 0;
    *(uint16_t *)&thread->fpu[0] = FCW_DEFAULT;
    *(uint32_t *)&thread->fpu[24] = MXCSR_DEFAULT;
}

static void switch_to(struct thread *next) {
    if (next != current) {
        __asm__ volatile("fxsave %0" : "=m"(current->fpu));
        current = next;
        __asm__ volatile("fxrstor %0" : : "m"(current->fpu));
    }
    task_state.stack = (uint64_t)(&current->frame + 1);
}

_Noreturn void trap_enter_user(void) {
    task_state.stack = (uint64_t)(&current->frame + 1);
    __asm__ volatile("fxrstor %0" : : "m"(current->fpu));
    trap_return(&current->frame);
}

static void say(const char *text) {
    size_t length = 0;
    while (text[length] != '\0')
        length++;
    serial_write(text, length);
}

static void say_number(const char *name, uint64_t number) {
    char digits[] = " 0x0000000000000000";
    for (size_t i = sizeof digits - 2; i > 2; i--, number >>= 4)
        digits[i] = "0123456789abcdef"[number & 15];
    say(name);
    say(digits);
}

void trap_watch(struct thread *thread, uint64_t entry, uint64_t stack_end) {
    watcher.thread = thread;
    watcher.entry = entry;
    watcher.stack_end = stack_end;
}

/* The thread that faulted stops; the one that watches is told, whatever it was doing. */
static void tell_watcher(uint64_t vector) {
    sched_block(current, THREAD_STOPPED);
    list_remove(watcher.thread);
    thread_start(watcher.thread, watcher.entry, watcher.stack_end, vector);
    watcher.thread->priority = HIGHEST_PRIORITY;
    sched_wake(watcher.thread);
}

static _Noreturn void stop_at_fault(const struct frame *frame) {
    uint64_t address;
    __asm__ volatile("movq %%cr2, %0" : "=r"(address));
    say((frame->cs & 3) != 0 ? "\nkernel: a user thread faulted:" : "\nkernel: a fault in the kernel:");
    say_number(" vector", frame->vector);
    say_number(", error", frame->error);
    say_number(", at", frame->rip);
    say_number(", address", address);
    say("\n");
    machine_exit(EXIT_ERROR);
}

/* Whether this is something that a user thread must not do. */
static bool is_fault(const struct frame *frame) {
    if (frame->vector == VECTOR_TIMER)
        return timer_has_rung();
    return frame->vector != VECTOR_SPURIOUS;
}

/* What made the processor leave user mode, or what is wrong with the kernel. */
static void handle(const struct frame *frame) {
    const bool is_users = (frame->cs & 3) != 0;
    if (frame->vector == VECTOR_CALL)
        call();
    else if (!is_fault(frame))
        return;
    else if (is_users && watcher.thread != NULL)
        tell_watcher(frame->vector);
    else
        stop_at_fault(frame);
}

const struct frame *trap(const struct frame *frame) {
    handle(frame);
    struct thread *next = sched_first();
    if (next == NULL) {
        say("\nkernel: every thread waits, and nobody can wake one\n");
        machine_exit(EXIT_ERROR);
    }
    switch_to(next);
    return &current->frame;
}
