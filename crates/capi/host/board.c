/* `board.h` on a system with POSIX signals, so that the program of a board runs here as it is: text goes to the standard output, and the
 * guard is that of `posix/guard.c`. */
#define _XOPEN_SOURCE 700
#include "board.h"
#include "guard.h"
#include <stdio.h>
#include <stdlib.h>

unsigned board_timeout_ms = 100;

void board_write(void *user, const char *text, size_t n)
{
    (void)user;
    fwrite(text, 1, n, stdout);
    fflush(stdout);
}

_Noreturn void board_exit(int code) { exit(code); }

/* A board's timer counts its own time; here it is the processor's, so that a busy machine makes no body late. */
sw_verdict board_guard(void *user, sw_test *t, sw_verdict (*body)(sw_test *t))
{
    sw_posix_timeout_ms = board_timeout_ms;
    sw_posix_counts_work = true;
    return sw_posix_guard(user, t, body);
}

_Noreturn void board_abort(const char *what)
{
    fprintf(stderr, "%s\n", what);
    abort();
}

size_t board_stack_used(void) { return 0; }
