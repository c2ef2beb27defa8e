#define _XOPEN_SOURCE 700
#include "guard.h"
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

unsigned sw_posix_timeout_ms = 1000;
bool sw_posix_counts_work = false;

enum { N_SIGNALS = 6, STACK_BYTES = 64 * 1024 };
static const int signals[N_SIGNALS] = { SIGALRM, SIGPROF, SIGSEGV, SIGBUS, SIGFPE, SIGILL };
static sigjmp_buf out_of_body;

static void leave(int signal)
{
    siglongjmp(out_of_body, signal == SIGALRM || signal == SIGPROF ? SW_HANG : SW_CRASH);
}

static void set_timer(unsigned ms)
{
    struct itimerval timer = { { 0, 0 }, { (time_t)(ms / 1000), (suseconds_t)(ms % 1000) * 1000 } };
    setitimer(sw_posix_counts_work ? ITIMER_PROF : ITIMER_REAL, &timer, NULL);
}

sw_verdict sw_posix_guard(void *user, sw_test *t, sw_verdict (*body)(sw_test *t))
{
    /* A handler needs a stack of its own: that of a body may be what has ended. */
    static char stack[STACK_BYTES];
    stack_t ours, theirs;
    struct sigaction handler, before[N_SIGNALS];
    volatile int verdict;
    (void)user;
    ours.ss_sp = stack;
    ours.ss_size = sizeof stack;
    ours.ss_flags = 0;
    sigaltstack(&ours, &theirs);
    handler.sa_handler = leave;
    handler.sa_flags = SA_ONSTACK;
    sigemptyset(&handler.sa_mask);
    for (int k = 0; k < N_SIGNALS; k++) sigaction(signals[k], &handler, &before[k]);
    verdict = sigsetjmp(out_of_body, 1);
    if (verdict == 0) {
        set_timer(sw_posix_timeout_ms);
        verdict = (int)body(t);
    }
    set_timer(0);
    for (int k = 0; k < N_SIGNALS; k++) sigaction(signals[k], &before[k], NULL);
    sigaltstack(&theirs, NULL);
    return (sw_verdict)verdict;
}
