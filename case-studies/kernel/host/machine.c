/* The machine as a library on Linux: the same kernel, thread library and properties, without QEMU.
 *
 * Takes the place of boot, trap, vm and serial: contexts for registers, a file in memory for frames. A
 * system call is a function call, so a bug may be looked at with a debugger, and a seed must give
 * the same tests here and there. There is no user mode: nothing keeps the program out of the kernel. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "../kernel/kernel.h"
#include "../user/syscalls.h"

int user_main(const char *line);

enum { N_FRAMES = 256 };

/* The registers of each thread; threads are told apart by their addresses. */
static struct context {
    const struct thread *of;
    ucontext_t registers;
} contexts[N_THREADS];

static int memory;
static bool frame_used[N_FRAMES];
static bool page_used[WINDOW_PAGES];

static _Noreturn void give_up(const char *why) {
    fflush(stdout);
    perror(why);
    exit(EXIT_ERROR);
}

static ucontext_t *context_of(const struct thread *thread) {
    for (size_t i = 0; i < N_THREADS; i++) {
        if (contexts[i].of == NULL)
            contexts[i].of = thread;
        if (contexts[i].of == thread)
            return &contexts[i].registers;
    }
    abort();
}

/* What makecontext calls; it cannot hand pointers over itself. */
static void run_current(void) {
    ((void (*)(void *))current->frame.rip)((void *)current->frame.rdi);
    abort();
}

void thread_start(struct thread *thread, uint64_t entry, uint64_t stack_end, uint64_t argument) {
    thread->frame = (struct frame){.rip = entry, .rdi = argument};
    ucontext_t *context = context_of(thread);
    getcontext(context);
    context->uc_stack.ss_sp = (void *)(stack_end - PAGE_BYTES);
    context->uc_stack.ss_size = PAGE_BYTES;
    makecontext(context, run_current, 0);
}

/* A fault ends the program here, with the signal that it has on Linux. */
void trap_watch(struct thread *watcher, uint64_t entry, uint64_t stack_end) {
    (void)watcher;
    (void)entry;
    (void)stack_end;
}

/* Nor is there a watchdog; who runs the program has one. */
void timer_set(uint32_t milliseconds) {
    (void)milliseconds;
}

struct outcome sys_call(enum call number, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    if (number == CALL_WRITE) {
        serial_write((const char *)a, b);
        return (struct outcome){OK, 0};
    }
    struct thread *self = current;
    /* The entry and its argument are still needed by a thread that has not run. */
    const uint64_t argument = self->frame.rdi;
    self->frame.rax = number;
    self->frame.rdi = a;
    self->frame.rsi = b;
    self->frame.rdx = c;
    self->frame.r10 = d;
    call();
    self->frame.rdi = argument;
    struct thread *next = sched_first();
    if (next == NULL) {
        fputs("\nkernel: every thread waits, and nobody can wake one\n", stdout);
        exit(EXIT_ERROR);
    }
    if (next != self) {
        current = next;
        swapcontext(context_of(self), context_of(next));
    }
    return (struct outcome){self->frame.rax, self->frame.rdx};
}

uint64_t frame_take(void) {
    for (size_t i = 0; i < N_FRAMES; i++) {
        if (!frame_used[i]) {
            static const char zeros[PAGE_BYTES];
            if (pwrite(memory, zeros, PAGE_BYTES, (off_t)(i * PAGE_BYTES)) != PAGE_BYTES)
                give_up("cannot write a frame");
            frame_used[i] = true;
            /* Frame 0 would mean that there is none. */
            return (i + 1) * PAGE_BYTES;
        }
    }
    return 0;
}

void frame_give(uint64_t frame) {
    frame_used[frame / PAGE_BYTES - 1] = false;
}

bool vm_map(uint64_t at, uint64_t frame, bool writable, bool executable) {
    int rights = PROT_READ | (writable ? PROT_WRITE : 0) | (executable ? PROT_EXEC : 0);
    void *page = mmap((void *)at, PAGE_BYTES, rights, MAP_SHARED | MAP_FIXED, memory, (off_t)(frame - PAGE_BYTES));
    page_used[(at - WINDOW_START) / PAGE_BYTES] = page != MAP_FAILED;
    return page != MAP_FAILED;
}

void vm_unmap(uint64_t at) {
    munmap((void *)at, PAGE_BYTES);
    page_used[(at - WINDOW_START) / PAGE_BYTES] = false;
}

bool vm_is_mapped(uint64_t at) {
    return page_used[(at - WINDOW_START) / PAGE_BYTES];
}

bool vm_is_users(uint64_t at) {
    (void)at;
    return true;
}

void vm_reset(void) {
    for (uint64_t at = WINDOW_START; at < WINDOW_END; at += PAGE_BYTES)
        if (vm_is_mapped(at))
            vm_unmap(at);
    memset(frame_used, 0, sizeof frame_used);
}

void serial_write(const char *bytes, size_t length) {
    fwrite(bytes, 1, length, stdout);
}

_Noreturn void machine_exit(unsigned code) {
    exit((int)code);
}

/* The command line of the machine is that of the program. */
int main(int argc, char **argv) {
    char line[1024] = "";
    for (int i = 1; i < argc; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s", i > 1 ? " " : "", argv[i]);
    memory = memfd_create("frames", 0);
    if (memory < 0 || ftruncate(memory, N_FRAMES * PAGE_BYTES) != 0)
        give_up("cannot make memory for frames");
    current = thread_take();
    current->priority = HIGHEST_PRIORITY;
    caps_reset();
    sched_reset();
    return user_main(line);
}
