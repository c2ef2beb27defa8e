/* What a board without an operating system needs around a test: start-up code that calls `main`, a place for text, an end with an
 * exit code, and a guard for bodies that crash or hang. For the machines that QEMU emulates; a board of your own differs in the
 * linker script, and in where text goes.
 *
 *     settings.write = board_write;
 *     settings.guard = board_guard;
 *
 * Compile `cortex-m.c` or `riscv.c`, `jump.S` and, on Arm, `semihosting.c` with your test, and link with the machine's `.ld`. */
#ifndef STAIRWAY_BOARD_H
#define STAIRWAY_BOARD_H

#include "stairway.h"

/* Text to whoever watches the machine. */
void board_write(void *user, const char *text, size_t n);

/* Ends the machine with this code; what `main` returns ends it too. */
_Noreturn void board_exit(int code);

/* Calls a body. A trap is SW_CRASH with the name of the exception; a body that does not return within `board_timeout_ms` is SW_HANG.
 * A stack that overflows is SW_CRASH too, except on Cortex-M0 and M23: a processor that knows no fault but HardFault and finds no room for
 * its own frame stops for good. */
sw_verdict board_guard(void *user, sw_test *t, sw_verdict (*body)(sw_test *t));

/* 100 unless you say otherwise; of the machine's own time. 0: bodies may take as long as they like. */
extern unsigned board_timeout_ms;

/* For `assert` and its relatives, which must not return: ends the body as a crash of that name. Outside of a body it ends
 * the machine with 70. */
_Noreturn void board_abort(const char *what);

/* How many bytes of the stack were used so far, at most: it was painted at the start. */
size_t board_stack_used(void);

/* Under an operating system, with -DBOARD_HAS_OWN_TIMER: a timer that interrupts once a millisecond (any interrupt of the board comes
 * to the guard), and whether the thread that was interrupted is the one that runs tests. Yours to write. */
void board_start_timer(unsigned ms);
bool board_may_leave(void);

/* For handlers of your own, under an operating system: what `board_guard` does before and after a body. */
struct board_place {
    uintptr_t registers[26];
};
int board_save(struct board_place *place); /* 0; or what `board_jump` was given */
_Noreturn void board_jump(struct board_place *place, int what);

#endif
