/* Start-up code and a guard for Cortex-M processors: M0 to M33, with and without floating point.
 *
 * A fault or the timer interrupts a body in a mode of its own, from which there is no jump. The handler therefore builds the frame
 * of an exception that was never taken, at the place where the guard began, and returns from that: the processor then is
 * where `board_guard` calls `board_save`. Nothing that the body left on its stack is needed for it. */

#include "board.h"

int main(int argc, char **argv);

extern uint32_t image_data[], data_start[], data_end[], bss_start[], bss_end[], stack_bottom[], stack_top[];

unsigned board_timeout_ms = 100;

static struct board_place place; /* where to go when a body is left */
static sw_test *volatile running;
static volatile unsigned ms_left;
static const char *volatile crash_name;
static volatile uintptr_t crash_address;
static volatile int crash_number;

enum { PAINT = 0xA5A5A5A5u };

/* The clock of the machines that QEMU emulates is at least this; `-DBOARD_HZ` says yours. */
#ifndef BOARD_HZ
#define BOARD_HZ 12500000u
#endif

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SYST_CSR REGISTER(0xE000E010)
#define SYST_RVR REGISTER(0xE000E014)
#define SYST_CVR REGISTER(0xE000E018)
#define CCR REGISTER(0xE000ED14)
#define SHCSR REGISTER(0xE000ED24)
#define CPACR REGISTER(0xE000ED88)
#define CFSR REGISTER(0xE000ED28)
#define MMFAR REGISTER(0xE000ED34)
#define BFAR REGISTER(0xE000ED38)

/* In CFSR: the stack limit of an ARMv8-M was passed. */
#define STACK_OVERFLOW (1u << 20)

/* Exceptions by their numbers. */
enum { HARD_FAULT = 3, MEMORY_FAULT = 4, BUS_FAULT = 5, USAGE_FAULT = 6 };

static _Noreturn void go_on_after_body(void) { board_jump(&place, SW_CRASH); }
static _Noreturn void go_on_after_hang(void) { board_jump(&place, SW_HANG); }

/* What the processor restores when it returns from an exception. */
struct frame {
    uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
};

/* A frame at the guard's place, with which the exception returns to `where`. */
static struct frame *frame_for(void (*where)(void))
{
    enum { PLACE_OF_SP = 8 };
    struct frame *frame = (struct frame *)((place.registers[PLACE_OF_SP] & ~(uintptr_t)7) - sizeof *frame);
    frame->pc = (uint32_t)where & ~1u;
    frame->xpsr = 1u << 24;
    return frame;
}

/* Says what the fault was, and at which address: of the access, or of the instruction that the processor does not do. */
static void describe_fault(const struct frame *interrupted)
{
    crash_name = "HardFault";
    crash_number = HARD_FAULT;
    crash_address = 0;
    (void)interrupted; /* a Cortex-M0 does not say what it was */
#if __ARM_ARCH >= 7 || defined(__ARM_ARCH_8M_MAIN__)
    {
        uint32_t status = CFSR;
        if (status & 0xFFFF0000u) {
            crash_name = "UsageFault";
            crash_number = USAGE_FAULT;
            /* Where the stack was full there is no frame to read. */
            if (!(status & (0xFFFFu | STACK_OVERFLOW))) crash_address = interrupted->pc;
        }
        if (status & 0xFF00u) { crash_name = "BusFault"; crash_number = BUS_FAULT; }
        if (status & 0xFFu) { crash_name = "MemManage"; crash_number = MEMORY_FAULT; }
        if (status & (1u << 15)) crash_address = BFAR;
        if (status & (1u << 7)) crash_address = MMFAR;
        CFSR = status;
        SHCSR &= ~(7u << 12); /* a frame that found no room on the stack is a second fault, which is part of the first */
    }
#endif
}

/* The frame to return with, or NULL to return to where the exception came from. */
bool board_may_leave(void);
struct frame *board_faulted(const struct frame *interrupted);
struct frame *board_faulted(const struct frame *interrupted)
{
    describe_fault(interrupted);
    if (!running || sw_is_inside(running) || !board_may_leave()) {
        static const char text[] = "board: a fault outside of a body, or in the library below one\n";
        board_write(NULL, text, sizeof text - 1);
        board_exit(70);
    }
    return frame_for(go_on_after_body);
}

static void retry_after(unsigned cycles);

/* Under an operating system another thread than the tester's may have been interrupted; that one is not left. Called at each tick. */
__attribute__((weak)) bool board_may_leave(void) { return true; }

struct frame *board_ticked(void);
struct frame *board_ticked(void)
{
    bool may_leave = board_may_leave();
    if (!running || ms_left == 0 || --ms_left > 0) return NULL;
    if (sw_is_inside(running) || !may_leave) {
        /* The library is not to be left: try again a little later, and not in step with a body that is in it most of the time. */
        static unsigned n_retries;
        ms_left = 1;
        retry_after(1024 + n_retries++ * 37 % 1024);
        return NULL;
    }
    return frame_for(go_on_after_hang);
}

/* A fault returns with the frame it is given. Where the body was on the same stack as handlers are, that may be what is broken: the
 * handler goes to where the guard was. */
__attribute__((naked)) void board_fault_handler(void);
__attribute__((naked)) void board_fault_handler(void)
{
    __asm__ volatile(".syntax unified\n"
                     "mov r4, lr\n"
                     "movs r5, #4\n"
                     "mrs r0, psp\n"
                     "tst r4, r5\n"
                     "bne 1f\n"
                     "mrs r0, msp\n"
                     "ldr r1, 3f\n"
                     "ldr r1, [r1]\n"
                     "msr msp, r1\n"
                     "1: bl board_faulted\n"
                     "movs r1, #16\n" /* the frame has no floating point registers */
                     "orrs r4, r1\n"
                     "mov lr, r4\n"
                     "tst r4, r5\n"
                     "bne 2f\n"
                     "msr msp, r0\n"
                     "bx lr\n"
                     "2: msr psp, r0\n"
                     "bx lr\n"
                     ".balign 4\n"
                     "3: .word board_safe_stack\n");
}

/* A tick goes back to where it came from, unless it is given a frame. */
__attribute__((naked)) void board_tick_handler(void);
__attribute__((naked)) void board_tick_handler(void)
{
    __asm__ volatile(".syntax unified\n"
                     "push {r4, lr}\n"
                     "bl board_ticked\n"
                     "pop {r1, r2}\n"
                     "mov r4, r1\n"
                     "mov lr, r2\n"
                     "cmp r0, #0\n"
                     "beq 1f\n"
                     "movs r1, #16\n"
                     "orrs r2, r1\n"
                     "mov lr, r2\n"
                     "movs r1, #4\n"
                     "tst r2, r1\n"
                     "bne 2f\n"
                     "msr msp, r0\n"
                     "bx lr\n"
                     "2: msr psp, r0\n"
                     "1: bx lr\n");
}

_Noreturn void board_reset(void);

/* Under an operating system its handlers take these places. */
void SVC_Handler(void) __attribute__((weak, alias("board_fault_handler")));
void PendSV_Handler(void) __attribute__((weak, alias("board_fault_handler")));
void SysTick_Handler(void) __attribute__((weak, alias("board_tick_handler")));
#ifdef BOARD_HAS_OWN_TIMER
#define board_interrupt board_tick_handler
#else
#define board_interrupt board_fault_handler
#endif

/* The processor's exceptions, and as many interrupts of the board. */
#define EIGHT(handler) handler, handler, handler, handler, handler, handler, handler, handler
typedef void (*handler)(void);
__attribute__((section(".vectors"), used)) static const handler vectors[16 + 48] = {
    (handler)stack_top, board_reset, board_fault_handler, board_fault_handler,
    board_fault_handler, board_fault_handler, board_fault_handler, board_fault_handler,
    board_fault_handler, board_fault_handler, board_fault_handler, SVC_Handler,
    board_fault_handler, board_fault_handler, PendSV_Handler, SysTick_Handler,
    EIGHT(board_interrupt), EIGHT(board_interrupt), EIGHT(board_interrupt),
    EIGHT(board_interrupt), EIGHT(board_interrupt), EIGHT(board_interrupt),
};

/* Where a fault handler finds a stack. */
uintptr_t board_safe_stack;

_Noreturn void board_reset(void)
{
    uint32_t *from = image_data, *to, *here;
    for (to = data_start; to < data_end; ) *to++ = *from++;
    for (to = bss_start; to < bss_end; ) *to++ = 0;
    /* Not up to here: this function is on it. */
    for (to = stack_bottom, here = (uint32_t *)__builtin_frame_address(0) - 16; to < here; ) *to++ = PAINT;
    board_safe_stack = (uintptr_t)stack_top;
#if __ARM_ARCH >= 7
    CCR |= 1u << 4; /* a division by 0 is a fault, not 0 */
    /* Faults are taken as what they are: within a HardFault, a stack without room for the processor's frame would be the end. */
    SHCSR |= 7u << 16;
#endif
#if defined(__ARM_FP)
    CPACR |= 0xFu << 20;
    __asm__ volatile("dsb\nisb");
#endif
    board_exit(main(0, NULL));
}

size_t board_stack_used(void)
{
    const uint32_t *unused = stack_bottom;
    while (unused < stack_top && *unused == PAINT) unused++;
    return (size_t)((const char *)stack_top - (const char *)unused);
}

#ifndef BOARD_HAS_OWN_TIMER
static void start_timer(unsigned ms)
{
    ms_left = ms;
    SYST_RVR = BOARD_HZ / 1000 - 1;
    SYST_CVR = 0;
    SYST_CSR = ms == 0 ? 0 : 7;
}

static void retry_after(unsigned cycles)
{
    SYST_RVR = cycles;
    SYST_CVR = 0;
}
#else
/* SysTick belongs to the operating system; `board_start_timer` is a timer of
 * the board that interrupts once a millisecond, by `board_tick_handler`. */
void board_start_timer(unsigned ms);
static void start_timer(unsigned ms)
{
    ms_left = ms;
    board_start_timer(ms);
}

static void retry_after(unsigned cycles) { (void)cycles; /* at the next tick */ }
#endif

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
        board_safe_stack = (uintptr_t)__builtin_frame_address(0) - 256;
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
