/* Calls bodies so that the tester survives a fault or a loop, whichever thread it happens in.
 *
 * Knows how the kernel tells of faults. Does not know what bodies do; what they broke is mended by the
 * reset before the next test. */
#include "guard.h"

#include "syscalls.h"

static char stack[PAGE_BYTES];

/* Where to go on, as __builtin_setjmp leaves it. */
static void *place[5];

static unsigned limit_ms;
static volatile uint64_t fault;

static void after_fault(uint64_t vector) {
    fault = vector;
    __builtin_longjmp(place, 1);
}

void guard_init(unsigned milliseconds) {
    limit_ms = milliseconds;
    (void)sys_on_fault(after_fault, stack + sizeof stack);
}

sw_verdict guard(void *user, sw_test *t, sw_verdict (*body)(sw_test *t)) {
    (void)user;
    if (__builtin_setjmp(place) != 0)
        return fault == FAULT_WATCHDOG ? SW_HANG : SW_CRASH;
    if (limit_ms == 0)
        return body(t);
    (void)sys_watchdog(limit_ms);
    const sw_verdict verdict = body(t);
    (void)sys_watchdog(0);
    return verdict;
}
