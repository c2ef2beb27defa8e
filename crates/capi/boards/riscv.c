/* Start-up code and a guard for RISC-V processors in machine mode, 32 and 64 bits: QEMU's `virt`.
 *
 * A trap saves what the body had and asks what to do. To leave a body, the processor returns from the trap to `board_jump`, with the
 * guard's stack: nothing that the body left on its own is needed for it. */

#include "board.h"

int main(int argc, char **argv);

extern unsigned char program_start[], stack_bottom[], stack_top[], bss_start[], bss_end[];

unsigned board_timeout_ms = 100;

static struct board_place place; /* where to go when a body is left */
static sw_test *volatile running;
static const char *volatile crash_name;
static volatile uintptr_t crash_address;
static volatile int crash_number;

enum { PAINT = 0xA5 };

/* Of QEMU's `virt`: a serial port, an exit, and a timer that counts ten million a second. */
#define UART (*(volatile unsigned char *)0x10000000)
#define UART_STATUS (*(volatile unsigned char *)0x10000005)
#define FINISHER (*(volatile uint32_t *)0x00100000)
#define TIMER_COMPARE ((volatile uint32_t *)0x02004000)
#define TIMER ((volatile uint32_t *)0x0200BFF8)
enum { TICKS_PER_MS = 10000, FINISHED = 0x5555, FAILED = 0x3333, TIMER_INTERRUPT = 1 << 7, N_CAUSES = 16 };

void board_write(void *user, const char *text, size_t n)
{
    (void)user;
    while (n--) {
        while (!(UART_STATUS & 0x20)) { }
        UART = (unsigned char)*text++;
    }
}

_Noreturn void board_exit(int code)
{
    for (;;) FINISHER = code == 0 ? FINISHED : FAILED | (uint32_t)(code & 0xFFFF) << 16;
}

static uint64_t now(void)
{
    uint32_t high, low;
    do {
        high = TIMER[1];
        low = TIMER[0];
    } while (high != TIMER[1]);
    return (uint64_t)high << 32 | low;
}

static void tick_at(uint64_t time)
{
    TIMER_COMPARE[1] = UINT32_MAX;
    TIMER_COMPARE[0] = (uint32_t)time;
    TIMER_COMPARE[1] = (uint32_t)(time >> 32);
}

static void start_timer(unsigned ms)
{
    tick_at(ms == 0 ? UINT64_MAX : now() + (uint64_t)ms * TICKS_PER_MS);
}

/* What the trap is called that the processor gives this number. */
static const char *name_of(uintptr_t cause)
{
    static const char *const names[N_CAUSES] = {
        "misaligned instruction", "instruction access fault", "illegal instruction", "breakpoint",
        "misaligned load", "load access fault", "misaligned store", "store access fault",
        "environment call", "environment call", "environment call", "environment call",
        "instruction page fault", "load page fault", "reserved", "store page fault",
    };
    return cause < N_CAUSES ? names[cause] : "trap";
}

/* Where to go on: 0 where the trap came from, or at the guard with this. */
int board_trapped(uintptr_t cause, uintptr_t value);
int board_trapped(uintptr_t cause, uintptr_t value)
{
    static unsigned n_retries;
    bool is_timer = (intptr_t)cause < 0;
    if (is_timer && !running) {
        start_timer(0);
        return 0;
    }
    if (is_timer && sw_is_inside(running)) {
        /* The library is not to be left: try again a little later, and not in step with a body that is in it most of the time. */
        tick_at(now() + 100 + n_retries++ * 37 % 1024);
        return 0;
    }
    if (is_timer) {
        start_timer(0); /* or the interrupt would be there again at once */
        return SW_HANG;
    }
    if (!running || sw_is_inside(running)) {
        static const char text[] = "board: a trap outside of a body, or in the library below one\n";
        board_write(NULL, text, sizeof text - 1);
        board_exit(70);
    }
    crash_name = name_of(cause);
    crash_number = (int)cause;
    crash_address = value;
    return SW_CRASH;
}

/* Where `board_trap` returns to in order to leave a body. */
_Noreturn void board_leave(int what);
_Noreturn void board_leave(int what) { board_jump(&place, what); }

/* A stack for traps: that of a body may be what is broken. */
unsigned char board_trap_stack[1024] __attribute__((aligned(16)));
void board_trap(void);

/* Nobody writes to the program from here on, not even this mode: a stack that grows too far meets it. */
static void protect_program(void)
{
    enum { READ = 1, EXECUTE = 4, UP_TO_ADDRESS = 8, LOCKED = 0x80, SECOND = 8 };
    const uintptr_t protection = (uintptr_t)(READ | EXECUTE | UP_TO_ADDRESS | LOCKED) << SECOND;
    __asm__ volatile("csrw pmpaddr0, %0" : : "r"((uintptr_t)program_start >> 2));
    __asm__ volatile("csrw pmpaddr1, %0" : : "r"((uintptr_t)stack_bottom >> 2));
    __asm__ volatile("csrw pmpcfg0, %0" : : "r"(protection));
}

void board_start(void);
void board_start(void)
{
    unsigned char *to;
    for (to = bss_start; to < bss_end; to++) *to = 0;
    for (to = stack_bottom; to < (unsigned char *)__builtin_frame_address(0) - 256; to++) *to = PAINT;
    protect_program();
    start_timer(0);
    __asm__ volatile("csrw mscratch, %0" : : "r"(board_trap_stack + sizeof board_trap_stack));
    __asm__ volatile("csrw mtvec, %0" : : "r"((uintptr_t)board_trap));
    __asm__ volatile("csrs mie, %0" : : "r"((uintptr_t)TIMER_INTERRUPT));
    __asm__ volatile("csrsi mstatus, 8");
    board_exit(main(0, NULL));
}

size_t board_stack_used(void)
{
    const unsigned char *unused = stack_bottom;
    while (unused < stack_top && *unused == PAINT) unused++;
    return (size_t)(stack_top - unused);
}

_Noreturn void board_abort(const char *what)
{
    if (!running) {
        static const char text[] = "board: an assertion does not hold outside of a body\n";
        board_write(NULL, text, sizeof text - 1);
        board_exit(70);
    }
    crash_name = what;
    crash_number = 0;
    crash_address = 0;
    board_jump(&place, SW_CRASH);
}

sw_verdict board_guard(void *user, sw_test *t, sw_verdict (*body)(sw_test *t))
{
    volatile sw_verdict verdict;
    (void)user;
    verdict = board_save(&place);
    if (verdict == 0) {
        running = t;
        start_timer(board_timeout_ms);
        verdict = body(t);
        running = NULL;
        start_timer(0);
        return verdict;
    }
    running = NULL;
    start_timer(0);
    return verdict == SW_CRASH ? sw_crashed(t, crash_number, crash_name, crash_address) : verdict;
}
