/*
 * The guarded call: the private stack, the signals, the watch, the hooks of nested calls, and the
 * table that Rust sees. Whatever ends a call early ends here, in `leave`.
 */
#include "internal.h"
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define STACK_TOP (SW_STACK + SW_STACK_SIZE)
/* What is made the same before each call, so that a local that was never set does not depend on earlier sequences. */
#define STACK_CLEARED 2048
#define ALTERNATE_SIZE (64ul << 10)
#define TICK_SIGNAL SIGVTALRM

static const int caught[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, TICK_SIGNAL };
#define N_CAUGHT (sizeof caught / sizeof caught[0])
STATE static struct sigaction before[N_CAUGHT];
STATE static char alternate[ALTERNATE_SIZE];
STATE static stack_t alternate_before;
STATE static uint32_t is_inside;

static int map_at(uint64_t address, uint64_t size, int protection)
{
    void *p = mmap((void *)address, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (p != MAP_FAILED && p != (void *)address) munmap(p, size);
    return p == (void *)address;
}

static void unmap_all(void)
{
    munmap((void *)SW_ARENA, SW_ARENA_SIZE);
    munmap((void *)SW_SHADOW, SW_ARENA_SIZE + 4096);
    munmap((void *)(SW_STACK - SW_STACK_GUARD), SW_STACK_SIZE + SW_STACK_GUARD);
    munmap((void *)SW_BLOCKS, SW_MAX_BLOCKS * sizeof(struct sw_block));
    munmap((void *)SW_SWEPT, SW_MAX_BLOCKS * sizeof(struct sw_block));
    munmap((void *)SW_OUTPUT, SW_OUTPUT_SIZE);
    munmap((void *)SW_RANGES, SW_MAX_RANGES * sizeof(struct sw_range));
    munmap((void *)SW_FOREIGN, SW_MAX_FOREIGN * sizeof(struct sw_range));
    munmap((void *)SW_THREADS, SW_THREADS_SIZE);
    munmap((void *)SW_FRAMES, MAX_FRAMES * sizeof(struct frame));
    munmap((void *)SW_FENCES, SW_STACK_SIZE);
    munmap((void *)SW_FENCE_LIST, SW_MAX_FENCES * sizeof(struct fence));
}

/* Before the object's own constructors, which may allocate. */
__attribute__((constructor(1))) static void boot(void)
{
    const int rw = PROT_READ | PROT_WRITE;
    S.settings = (struct sw_settings){ .heap_limit = SW_ARENA_SIZE, .stack_limit = SW_STACK_SIZE, .fill = 1 };
    S.top = S.kept_top = SW_ARENA;
    S.boundary = STACK_TOP;
    S.random = S.clock = 1;
    set_masks();
    if (!map_at(SW_ARENA, SW_ARENA_SIZE, rw)) {
        S.trouble = "the arena's addresses are taken: another object is loaded in this process";
        S.settings.heap_limit = 0;
        return;
    }
    int ok = map_at(SW_SHADOW, SW_ARENA_SIZE + 4096, rw) && map_at(SW_STACK - SW_STACK_GUARD, SW_STACK_GUARD, PROT_NONE)
        && map_at(SW_STACK, SW_STACK_SIZE, rw) && map_at(SW_BLOCKS, SW_MAX_BLOCKS * sizeof(struct sw_block), rw)
        && map_at(SW_SWEPT, SW_MAX_BLOCKS * sizeof(struct sw_block), rw) && map_at(SW_OUTPUT, SW_OUTPUT_SIZE, rw) && map_at(SW_RANGES, SW_MAX_RANGES * sizeof(struct sw_range), rw)
        && map_at(SW_FOREIGN, SW_MAX_FOREIGN * sizeof(struct sw_range), rw) && map_at(SW_THREADS, SW_THREADS_SIZE, rw) && map_at(SW_FRAMES, MAX_FRAMES * sizeof(struct frame), rw) && map_at(SW_FENCES, SW_STACK_SIZE, rw) && map_at(SW_FENCE_LIST, SW_MAX_FENCES * sizeof(struct fence), rw);
    if (!ok) {
        S.trouble = "the runtime's memory cannot be mapped";
        S.settings.heap_limit = 0;
        unmap_all();
        return;
    }
    S.trouble = 0;
    begin_heap();
    reset_process();
}

static void leave(uint32_t kind)
{
    S.report.violation.kind = kind;
    S.busy = 0;
    if (S.is_child) _exit(kind == SW_EXIT ? (int)S.report.violation.code : 134);
    if (!S.guard) { /* a constructor, or a bug of ours: nothing to go back to */
        static const char text[] = "the program fails while it is loaded, before anything is called: look at its constructors\n";
        if (write(2, text, sizeof text - 1) < 0) _exit(71);
        _exit(70);
    }
    S.armed = 0;
    siglongjmp(S.guard->env, 1);
}

static void stop_at(uint32_t kind, uint64_t address, const char *text, void *pc)
{
    S.report.violation = (struct sw_violation){ .address = address, .text = text, .pc = (uint64_t)pc };
    leave(kind);
}

/* The fuel of what is not a call: constructors, and what a hook of ours does outside of one. */
#define FREE_FUEL (1l << 62)

/* Also how the code finds out that nothing is to be counted: before `start` and after `stop` there is no fuel. */
__attribute__((noinline, cold)) static void without_fuel(void *pc)
{
    if (!S.coverage) {
        S.fuel = 0;
    } else if (S.armed && S.guard && S.tank) {
        uint64_t fuel = (uint64_t)S.tank;
        S.fuel = 0;
        /* It may be waiting, in a loop, for a thread that has not begun, or for the one it was started by. */
        if (has_waiting_threads()) {
            S.fuel = S.tank;
            S.spent.fuel += fuel;
            run_threads();
            return;
        }
        if (is_in_thread()) stop_at(SW_WAITS, 0, "a loop", pc);
        stop_at(SW_FUEL, fuel, 0, pc);
    } else {
        S.fuel = FREE_FUEL;
    }
}

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000ul + (uint64_t)t.tv_nsec;
}

/* How long a call may wait for something without using the processor, whatever the limit. */
#define MOST_PATIENCE_NS 20000000000ul

/* Ticks come whether a call runs or not, so that a call costs nothing: the first tick that sees a call starts its time. */
static int is_out_of_time(void)
{
    uint64_t cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID), wall = clock_ns(CLOCK_MONOTONIC), limit = S.settings.timeout_ms * 1000000ul;
    if (S.seen != S.serial) {
        S.seen = S.serial;
        S.cpu_ns = cpu;
        S.wall_ns = wall;
        return 0;
    }
    /* A busy machine must not look like a hang; waiting for something does not use the processor. */
    uint64_t patience = 20 * limit < MOST_PATIENCE_NS ? 20 * limit : MOST_PATIENCE_NS;
    return cpu - S.cpu_ns >= limit || wall - S.wall_ns >= (patience > limit ? patience : limit);
}

/* Calls come from one thread; what happens to the others is not theirs. */
static uint64_t this_thread(void)
{
    uint64_t thread;
    __asm__("mov %%fs:0, %0" : "=r"(thread));
    return thread;
}

/* Not the code under test: what would happen if we were not here. Another object may be, with a call of its own. */
static void pass_on(int sig, siginfo_t *info, void *context)
{
    for (unsigned k = 0; k < N_CAUGHT; k++) {
        if (caught[k] != sig) continue;
        const struct sigaction *next = &before[k];
        if (next->sa_flags & SA_SIGINFO) next->sa_sigaction(sig, info, context);
        else if (next->sa_handler != SIG_DFL && next->sa_handler != SIG_IGN) next->sa_handler(sig);
        else if (sig != TICK_SIGNAL) sigaction(sig, next, 0);
    }
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
    uint64_t pc = (uint64_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    int saved = errno, is_armed = S.armed && S.thread == this_thread();
    /* It waits for a lock, or finds what the call has left half done. */
    if (S.n_probing && S.thread == this_thread()) {
        static const char text[] = "stairway: a call was stopped by the clock while the C library was at work, and nothing can go on in this process;\n"
            "run the property under `isolate`, where such a call has a process of its own\n";
        if (sig == TICK_SIGNAL && S.n_probing++ < 4) return;
        if (write(2, text, sizeof text - 1) < 0) _exit(71);
        _exit(70);
    }
    if (sig == TICK_SIGNAL) {
        /* In the middle of the runtime's own work the next tick will do. */
        if (!is_armed || S.busy || !is_out_of_time()) {
            pass_on(sig, info, context);
            errno = saved;
            return;
        }
    } else if (!is_armed) {
        pass_on(sig, info, context);
        return;
    }
    uint64_t address = sig == TICK_SIGNAL ? 0 : (uint64_t)info->si_addr;
    /* A call of what is no function faults where it arrives: whoever called is on top of the stack. */
    uint64_t sp = (uint64_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
    if (sig == SIGSEGV && address == pc && is_on_stack(sp, 8) && *(uint64_t *)sp - S.layout.text < S.layout.text_size) pc = *(uint64_t *)sp;
    int is_ours = pc - S.layout.text < S.layout.text_size;
    S.report.violation = (struct sw_violation){ .code = (uint32_t)sig, .address = address, .pc = is_ours ? pc : S.last_pc };
    if (!is_ours) S.report.is_tainted = 1;
    if (sig == TICK_SIGNAL) leave(SW_TIMEOUT);
    if (sig == SIGABRT) leave(SW_ABORT);
    uint64_t lowest = S.stack_lowest > SW_STACK ? S.stack_lowest : SW_STACK;
    if (sig == SIGSEGV && address - (SW_STACK - SW_STACK_GUARD) < SW_STACK_GUARD + (lowest - SW_STACK)) leave(SW_STACK_OVERFLOW);
    describe(address, &S.report.violation);
    leave(SW_SIGNAL);
}

#if !defined(__x86_64__)
#error "the runtime is written for x86-64"
#endif
/* Calls `function(argument)` on another stack. Described to unwinders, since hooks may panic and show a backtrace. */
__attribute__((naked, noinline)) static void on_stack(void *top, void (*function)(void *), void *argument)
{
    (void)top, (void)function, (void)argument;
    __asm__("push %rbp\n .cfi_def_cfa_offset 16\n .cfi_offset %rbp, -16\n mov %rsp, %rbp\n .cfi_def_cfa_register %rbp\n"
            "mov %rdi, %rsp\n mov %rdx, %rdi\n call *%rsi\n mov %rbp, %rsp\n pop %rbp\n .cfi_def_cfa %rsp, 8\n ret");
}

struct call { sw_ffi_call *ffi_call; void *cif, *function, *result; void **arguments; };

static void run(void *argument)
{
    struct call *c = argument;
    S.armed = 1;
    c->ffi_call(c->cif, c->function, c->result, c->arguments);
    if (!S.guard->outer) run_detached_threads();
    S.armed = 0;
}

STATE static sw_ffi_call *ffi_call_at;

/* Runs on the private stack already: from a hook. */
static void run_here(struct call *c, uint64_t result_size)
{
    void *result = c->result;
    unsigned char place[result_size > 16 ? result_size : 1] __attribute__((aligned(16)));
    if (result_size > 16) c->result = place;
    run(c);
    if (result_size > 16) memcpy(result, place, result_size);
}

static void run_there(struct call *c, uint64_t result_size)
{
    void *result = c->result;
    uint64_t top = STACK_TOP;
    if (result_size > 16) {
        top = (top - result_size) & ~63ul;
        c->result = (void *)top;
    }
    memset((void *)(top - STACK_CLEARED), (int)(S.settings.fill & 0xff), STACK_CLEARED);
    S.boundary = STACK_TOP;
    on_stack((void *)top, run, c);
    if (result_size > 16) memcpy(result, (void *)top, result_size);
}

static void clear_report(struct sw_report *r)
{
    memset(&r->violation, 0, sizeof r->violation);
    r->n_uninitialised = r->n_copied = r->n_allocations = r->n_failed = r->n_output = 0;
    r->n_notes = r->is_tainted = 0;
    r->n_threads = r->limits = 0;
    S.flow = S.pending_size = S.written_size = 0;
    S.serial++;
    S.fuel = S.tank = (int64_t)S.settings.fuel;
    if (!S.tank) S.fuel = FREE_FUEL;
    S.spent.n_calls++;
    T.n_calls++;
}

/* A call that was stopped within the C library may have left it with a lock, of which everybody who allocates would wait for ever, or with
   lists of blocks that are half changed, in which everybody who allocates would fault: blocks of each small size, and a large one, show it. */
REAL(malloc);
REAL(free);
#define N_SMALL_SIZES 66
static void probe_library(void)
{
    void *volatile blocks[N_SMALL_SIZES + 1];
    S.n_probing = 1;
    for (size_t k = 0; k < N_SMALL_SIZES; k++) blocks[k] = malloc(16 * k + 8);
    blocks[N_SMALL_SIZES] = malloc(32 << 10);
    for (size_t k = 0; k <= N_SMALL_SIZES; k++) free(blocks[k]);
    S.n_probing = 0;
}

static uint32_t sw_call(sw_ffi_call *ffi_call, void *cif, void *function, void *result, uint64_t result_size, void **arguments, const struct sw_hooks *hooks)
{
    struct guard g = { .outer = S.guard, .nested = S.nested, .hooks = *hooks, .depth = S.depth, .boundary = S.boundary, .flow = S.flow, .n_fences = S.n_fences };
    struct call c = { ffi_call, cif, function, result, arguments };
    struct sw_report *r = &S.report;
    /* What a call from a hook does is not the outer call's doing, except how it ended. */
    struct sw_report outer_report;
    if (g.outer) {
        outer_report = *r;
        memset(&r->violation, 0, sizeof r->violation);
    } else {
        clear_report(r);
    }
    ffi_call_at = ffi_call;
    errno = 0;
    if (!sigsetjmp(g.env, 0)) {
        S.guard = &g;
        if (g.outer) run_here(&c, result_size);
        else run_there(&c, result_size);
    }
    flush_pending();
    /* The rounding mode is the code's to change, not ours to inherit. */
    __asm__ volatile("ldmxcsr %0\n cld" : : "m"(S.mxcsr));
    if (r->violation.kind) {
        abandon_to(g.depth);
        leave_threads();
    }
    if (r->violation.kind == SW_TIMEOUT && r->is_tainted) probe_library();
    forget_fences(g.n_fences);
    S.guard = g.outer;
    S.armed = 0;
    S.nested = g.nested;
    S.boundary = g.boundary;
    if (g.outer) {
        outer_report.violation = r->violation;
        outer_report.is_tainted |= r->is_tainted;
        *r = outer_report;
        S.flow = g.flow;
    }
    r->flow = S.flow;
    if (!g.outer) {
        r->fuel = S.tank ? (uint64_t)(S.tank - (S.fuel > 0 ? S.fuel : 0)) : (uint64_t)(FREE_FUEL - S.fuel);
        S.spent.fuel += r->fuel;
        S.fuel = FREE_FUEL;
        S.tank = 0;
    }
    return r->violation.kind;
}

/* Around a hook: the code under test is disarmed, and its errno and rounding mode are kept. */
struct pause { int saved_errno; uint32_t mxcsr; };
static struct pause pause_code(void)
{
    struct pause p = { .saved_errno = errno };
    __asm__ volatile("stmxcsr %0" : "=m"(p.mxcsr));
    __asm__ volatile("ldmxcsr %0" : : "m"(S.mxcsr));
    flush_pending();
    S.armed = 0;
    return p;
}
static void resume_code(struct pause p, uint32_t answer)
{
    S.armed = 1;
    __asm__ volatile("ldmxcsr %0" : : "m"(p.mxcsr));
    errno = p.saved_errno;
    if (answer == SW_STOP) leave(SW_HOOK);
}

static uint64_t level_of(const struct nested *n) { return n ? n->level : 0; }

/* The closure behind the padding of an intercepted function. */
static void sw_nested(void *cif, void *result, void **arguments, void *data)
{
    struct sw_hook *hook = data;
    const struct sw_hooks *hooks = S.guard ? &S.guard->hooks : 0;
    if (!S.armed || !hooks) {
        ffi_call_at(cif, hook->body, result, arguments);
        return;
    }
    struct nested n = { .outer = S.nested, .stack = (uint64_t)__builtin_frame_address(0), .boundary = S.boundary, .depth = S.depth, .level = level_of(S.nested) + 1 };
    if (n.stack < S.stack_lowest + S.stack_reserve) stop_at(SW_STACK_OVERFLOW, n.stack, 0, (void *)S.last_pc);
    uint64_t level = level_of(&n);
    S.nested = &n;
    struct pause p = pause_code();
    uint32_t answer = hooks->before(hooks->context, hook->id, level, result, arguments);
    resume_code(p, answer);
    if (answer == SW_GO_ON) {
        /* A result in memory is built in the caller's variable. */
        if (S.depth > n.depth && hook->result_size > 16 && S.n_ranges < SW_MAX_RANGES) {
            *ranges_from(S.n_ranges++) = (struct sw_range){ (uint64_t)result, hook->result_size };
            frame_at(S.depth)->n_ranges++;
        }
        ffi_call_at(cif, hook->body, result, arguments);
        p = pause_code();
        resume_code(p, hooks->after(hooks->context, hook->id, level, result, arguments));
    }
    S.nested = n.outer;
}

void stairway_probe(uint64_t id, int n, ...)
{
    void *addresses[SW_MAX_PROBED];
    const struct sw_hooks *hooks = S.guard ? &S.guard->hooks : 0;
    if (!S.armed || !hooks || n < 0 || n > SW_MAX_PROBED) return;
    if ((uint64_t)__builtin_frame_address(0) < S.stack_lowest + S.stack_reserve) stop_at(SW_STACK_OVERFLOW, 0, 0, RA);
    va_list arguments;
    va_start(arguments, n);
    for (int k = 0; k < n; k++) addresses[k] = va_arg(arguments, void *);
    va_end(arguments);
    struct pause p = pause_code();
    resume_code(p, hooks->probe(hooks->context, id, level_of(S.nested), (uint64_t)n, addresses));
}

/* The code's own longjmp may jump over nested calls: their frames end. The saved stack pointer is mangled by glibc. */
static void jump_over(struct __jmp_buf_tag *env)
{
    uint64_t sp = (uint64_t)env->__jmpbuf[6];
    __asm__("ror $0x11, %0\n xor %%fs:0x30, %0" : "+r"(sp));
    forget_fences_below(sp);
    while (S.nested && S.nested->stack < sp && (!S.guard || S.nested != S.guard->nested)) {
        abandon_to(S.nested->depth);
        S.boundary = S.nested->boundary;
        S.nested = S.nested->outer;
    }
}

WRAP(void, longjmp)(struct __jmp_buf_tag *env, int value) { jump_over(env); longjmp(env, value); }
WRAP(void, _longjmp)(struct __jmp_buf_tag *env, int value) { jump_over(env); longjmp(env, value); }
WRAP(void, siglongjmp)(struct __jmp_buf_tag *env, int value) { jump_over(env); siglongjmp(env, value); }

static void watch(void)
{
    timer_t timer = S.timer;
    uint64_t tick = S.settings.timeout_ms / 4;
    if (tick < 1) tick = 1;
    if (tick > 250) tick = 250;
    if (!S.settings.timeout_ms) tick = 0;
    struct itimerspec t = { .it_interval = { (time_t)(tick / 1000), (long)(tick % 1000) * 1000000 } };
    t.it_value = t.it_interval;
    if (S.has_timer) timer_settime(timer, 0, &t, 0);
}

static void sw_configure(const struct sw_settings *settings)
{
    uint64_t timeout = S.settings.timeout_ms;
    S.settings = *settings;
    if (S.settings.fuel > FREE_FUEL) S.settings.fuel = FREE_FUEL;
    if (S.settings.heap_limit > SW_ARENA_SIZE) S.settings.heap_limit = SW_ARENA_SIZE;
    S.allocations = 0;
    if (S.gap >= S.n_old) S.gap_end = SW_ARENA + S.settings.heap_limit;
    uint64_t most = SW_STACK_SIZE - SW_STACK_RESERVE;
    uint64_t limit = S.settings.stack_limit < most ? (S.settings.stack_limit + 4095) & ~4095ul : most;
    /* Where contracts are checked in between, calls have more. */
    S.stack_reserve = limit < SW_STACK_RESERVE ? 0 : SW_STACK_RESERVE;
    uint64_t lowest = STACK_TOP - limit - S.stack_reserve;
    if (lowest != S.stack_lowest) {
        mprotect((void *)SW_STACK, SW_STACK_SIZE, PROT_READ | PROT_WRITE);
        mprotect((void *)SW_STACK, lowest - SW_STACK, PROT_NONE);
        S.stack_lowest = lowest;
    }
    if (timeout != S.settings.timeout_ms) watch();
}

/* Code, constants and variables of a library, the C library's above all; neither the program's nor the object's. */
static int notice_library(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size, (void)context;
    uint64_t low = ~0ul, high = 0;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        if (part->p_type != PT_LOAD) continue;
        if (info->dlpi_addr + part->p_vaddr < low) low = info->dlpi_addr + part->p_vaddr;
        if (info->dlpi_addr + part->p_vaddr + part->p_memsz > high) high = info->dlpi_addr + part->p_vaddr + part->p_memsz;
    }
    int is_program = !info->dlpi_name || !info->dlpi_name[0], is_ours = (uint64_t)&S - low < high - low;
    if (!is_program && !is_ours && low < high && S.n_libraries < MAX_LIBRARIES)
        S.libraries[S.n_libraries++] = (struct sw_range){ low, high - low };
    return 0;
}

/* What belongs to the thread that calls: where its signals are handled, the watch, and the C library's variables
   that its macros lead to. */
#define N_OWN 4
static uint32_t sw_enter(void)
{
    stack_t alternate_stack = { .ss_sp = alternate, .ss_size = sizeof alternate };
    if (!is_inside && sigaltstack(&alternate_stack, &alternate_before)) return 1;
    is_inside = 1;
    S.thread = this_thread();
    return 0;
}

static void sw_exit(void)
{
    if (is_inside) sigaltstack(&alternate_before, 0);
    is_inside = 0;
}

static const char *sw_adopt(void)
{
    is_inside = 0;
    if (sw_enter()) return "no alternate signal stack";
    if (S.has_timer) timer_delete(S.timer);
    S.has_timer = 0;
    struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = TICK_SIGNAL };
    event._sigev_un._tid = (int)syscall(SYS_gettid);
    timer_t timer;
    if (!timer_create(CLOCK_MONOTONIC, &event, &timer)) {
        S.timer = timer;
        S.has_timer = 1;
    }
    const struct sw_range own[N_OWN] = {
        { (uint64_t)&errno, sizeof errno }, { (uint64_t)__ctype_b_loc(), 8 }, { (uint64_t)__ctype_tolower_loc(), 8 },
        { (uint64_t)__ctype_toupper_loc(), 8 },
    };
    for (unsigned k = 0; k < N_OWN; k++) S.libraries[k] = own[k];
    watch();
    return 0;
}

/* The handlers of several objects form a chain. */
static int take_signals(void)
{
    struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_ONSTACK | SA_SIGINFO | SA_NODEFER | SA_RESTART };
    for (unsigned k = 0; k < N_CAUGHT; k++)
        if (sigaction(caught[k], &action, &before[k])) return 0;
    return 1;
}

static void give_signals_back(void)
{
    for (unsigned k = 0; k < N_CAUGHT; k++) {
        /* A tick may still be on its way; it must not end the process. */
        if (caught[k] == TICK_SIGNAL && before[k].sa_handler == SIG_DFL) before[k].sa_handler = SIG_IGN;
        sigaction(caught[k], &before[k], 0);
    }
}

static void sw_handle(uint32_t is_on)
{
    if (is_on) take_signals();
    else give_signals_back();
}

static uint64_t sw_arena(void) { return SW_ARENA; }

static const char *sw_start(const struct sw_layout *layout)
{
    if (S.trouble) return S.trouble;
    if (S.coverage) return "it is loaded already";
    S.layout = *layout;
    S.text = layout->text;
    S.coverage = layout->coverage;
    S.fuel = FREE_FUEL;
    __asm__ volatile("stmxcsr %0" : "=m"(S.mxcsr));
    if (!take_signals()) return "no signal handler";
    start_callbacks();
    S.n_libraries = N_OWN;
    const char *trouble = sw_adopt();
    if (trouble) return trouble;
    notice_files();
    dl_iterate_phdr(notice_library, 0);
    return 0;
}

static void sw_watch(uint32_t watched)
{
    S.edges = watched & SW_WATCH_EDGES ? S.layout.edges : 0;
    S.sites = watched & SW_WATCH_COMPARISONS ? S.layout.sites : 0;
    S.last_block = 0;
}

static void sw_stop(void)
{
    if (S.trouble) return;
    if (S.has_timer) timer_delete(S.timer);
    give_signals_back();
    sw_exit();
    S.coverage = 0;
    S.fuel = 0;
    S.trouble = "stopped";
    unmap_all();
}

static void sw_reset(void)
{
    S.last_block = 0;
    abandon_to(0);
    reset_heap();
    reset_threads();
    reset_process();
    S.n_ranges = 0;
    S.serial++;
}

static void sw_keep(void)
{
    keep_heap();
}

/* Writes `jmp *target` over the padding; the function itself begins behind it. */
static uint32_t sw_intercept(uint64_t function, void *closure)
{
    unsigned char jump[16] = { 0xff, 0x25, 0, 0, 0, 0, [14] = 0x90, 0x90 };
    const unsigned char *padding = (const unsigned char *)function;
    /* Rust has looked that it is padding, of whichever instructions; it may be used already. */
    if (padding[0] == jump[0]) return 1;
    memcpy(jump + 6, &closure, sizeof closure);
    uint64_t page = function & ~4095ul, size = ((function + sizeof jump + 4095) & ~4095ul) - page;
    if (mprotect((void *)page, size, PROT_READ | PROT_WRITE | PROT_EXEC)) return 2;
    memcpy((void *)function, jump, sizeof jump);
    return mprotect((void *)page, size, PROT_READ | PROT_EXEC) ? 2 : 0;
}

static uint64_t sw_allocate(uint64_t size, uint64_t align, uint32_t kind) { return allocate(size, align, kind, 0); }

__attribute__((visibility("default"))) const struct sw_api stairway_api = {
    .version = SW_VERSION + (sizeof(struct sw_report) << 8) + (sizeof(struct sw_layout) << 24) + (sizeof(struct sw_settings) << 40),
    .start = sw_start, .stop = sw_stop, .configure = sw_configure, .reset = sw_reset, .keep = sw_keep,
    .call = sw_call, .nested = sw_nested, .begin_frame = sw_begin_frame, .may_read = sw_may_read, .release = sw_release, .end_frame = sw_end_frame,
    .intercept = sw_intercept, .allocate = sw_allocate, .settle = settle, .describe = describe, .is_unset = sw_is_unset, .report = &S.report, .n_blocks = &S.n_blocks, .n_old = &S.n_old, .top = &S.top, .depth = &S.depth,
    .output_used = &S.output_used, .spent = &S.spent, .fuel = &S.settings.fuel, .watch = sw_watch, .n_touched = &S.n_touched, .n_compared = &S.n_compared, .callbacks = callbacks, .callback_entries = callback_entries, .adopt = sw_adopt, .arena = sw_arena,
    .handle = sw_handle, .enter = sw_enter, .exit = sw_exit,
    .end = sw_end, .print = sw_print, .clock = &S.clock, .random = &S.random,
};
