/* A guard for systems with POSIX signals: bodies that never return, that the machine traps, that abort or that overflow their stack are
 * failures like any other, and so is what AddressSanitizer reports.
 *
 *     sw_settings settings = { ..., .guard = sw_posix_guard, .poison = sw_posix_poison };
 *
 * A body that does not return within `sw_posix_timeout_ms` is left by a jump; what it holds it keeps, so `reset` must do
 * without the body's help (no lock that it may have taken). For one thread; it takes SIGALRM, SIGPROF, SIGSEGV, SIGBUS, SIGFPE, SIGILL,
 * SIGABRT and the interval timers while a body runs, and gives them back after it.
 *
 * Under AddressSanitizer, compile with `-fsanitize=address -fsanitize-recover=address`: a report then fails the property in which it
 * was made, and the sequence is made smaller by running on. Reports are printed as often as they are made; the last one
 * belongs to the sequence that is shown. With `sw_posix_poison` there is memory around generated arrays and strings that must not be
 * touched. */
#ifndef STAIRWAY_POSIX_GUARD_H
#define STAIRWAY_POSIX_GUARD_H

#include "stairway.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1000 unless you say otherwise. */
extern unsigned sw_posix_timeout_ms;

/* Counts the time that the processor works for this program instead of the clock's, if you say so: a busy machine then makes no
 * body late, and a body that waits for ever is not noticed. */
extern bool sw_posix_counts_work;

sw_verdict sw_posix_guard(void *user, sw_test *t, sw_verdict (*body)(sw_test *t));

/* Does something under AddressSanitizer only. */
void sw_posix_poison(void *user, void *place, size_t n, bool is_poisoned);

#ifdef __cplusplus
}
#endif

#endif
