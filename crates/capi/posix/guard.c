#define _XOPEN_SOURCE 700
#include "guard.h"
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif

unsigned sw_posix_timeout_ms = 1000;
bool sw_posix_counts_work = false;

enum { N_SIGNALS = 7, STACK_BYTES = 64 * 1024, RETRY_MS = 1 };
static const int signals[N_SIGNALS] = { SIGALRM, SIGPROF, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
static const char *const names[N_SIGNALS] = { "SIGALRM", "SIGPROF", "SIGSEGV", "SIGBUS",
                                              "SIGFPE",  "SIGILL",  "SIGABRT" };
static sigjmp_buf out_of_body;
static sw_test *volatile running;
static volatile uintptr_t crash_address;

static void set_timer(unsigned ms)
{
    struct itimerval timer = { { 0, 0 }, { (time_t)(ms / 1000), (suseconds_t)(ms % 1000) * 1000 } };
    setitimer(sw_posix_counts_work ? ITIMER_PROF : ITIMER_REAL, &timer, NULL);
}

static void leave(int signal, siginfo_t *info, void *context)
{
    bool is_timer = signal == SIGALRM || signal == SIGPROF;
    (void)context;
    if (running && sw_is_inside(running)) {
        static const char text[] = "stairway: a signal within the library: a wrong pointer was handed to it, or it has a mistake\n";
        if (is_timer) { /* the library is not to be left: try again a little later */
            set_timer(RETRY_MS);
            return;
        }
        if (write(STDERR_FILENO, text, sizeof text - 1)) _exit(70);
        _exit(70);
    }
    crash_address = signal == SIGABRT ? 0 : (uintptr_t)info->si_addr;
    siglongjmp(out_of_body, signal);
}

static const char *name_of(int signal)
{
    for (int k = 0; k < N_SIGNALS; k++)
        if (signals[k] == signal) return names[k];
    return "a signal";
}

#ifdef HAS_ASAN
/* What the sanitizer offers to programs that ask; its headers are not installed everywhere. */
extern void __asan_set_error_report_callback(void (*callback)(const char *));
extern void *__asan_get_report_address(void);
extern const char *__asan_get_report_description(void);
extern void __asan_poison_memory_region(void const volatile *place, size_t n);
extern void __asan_unpoison_memory_region(void const volatile *place, size_t n);

/* A report is a failure and the program goes on; the same place may be reported again; signals are the guard's. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "halt_on_error=0:suppress_equal_pcs=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:"
           "handle_abort=0:allow_user_segv_handler=1:use_sigaltstack=0:detect_stack_use_after_return=0";
}

static volatile bool is_reported;
static volatile uintptr_t reported_address;
static char description[96];

static void reported(const char *text)
{
    const char *what = __asan_get_report_description();
    (void)text;
    if (is_reported) return; /* the first one of a body counts */
    is_reported = true;
    reported_address = (uintptr_t)__asan_get_report_address();
    strcpy(description, "AddressSanitizer: ");
    strncat(description, what ? what : "a report", sizeof description - strlen(description) - 1);
}

static void listen_to_reports(void)
{
    is_reported = false;
    __asan_set_error_report_callback(reported);
}

/* The verdict, or a crash where there was a report. */
static sw_verdict after_reports(sw_test *t, sw_verdict verdict)
{
    __asan_set_error_report_callback(NULL);
    /* Any number but 0 will do: there is none for a report. Addresses differ from run to run, so they are not handed on. */
    return is_reported ? sw_crashed(t, SIGABRT, description, 0) : verdict;
}

void sw_posix_poison(void *user, void *place, size_t n, bool is_poisoned)
{
    (void)user;
    if (is_poisoned) __asan_poison_memory_region(place, n);
    else __asan_unpoison_memory_region(place, n);
}
#else
static void listen_to_reports(void) { }
static sw_verdict after_reports(sw_test *t, sw_verdict verdict) { (void)t; return verdict; }

void sw_posix_poison(void *user, void *place, size_t n, bool is_poisoned)
{
    (void)user; (void)place; (void)n; (void)is_poisoned;
}
#endif

sw_verdict sw_posix_guard(void *user, sw_test *t, sw_verdict (*body)(sw_test *t))
{
    /* A handler needs a stack of its own: that of a body may be what has ended. */
    static char stack[STACK_BYTES];
    stack_t ours, theirs;
    struct sigaction handler, before[N_SIGNALS];
    volatile sw_verdict verdict = SW_OK;
    volatile int signal;
    (void)user;
    ours.ss_sp = stack;
    ours.ss_size = sizeof stack;
    ours.ss_flags = 0;
    sigaltstack(&ours, &theirs);
    handler.sa_sigaction = leave;
    handler.sa_flags = SA_ONSTACK | SA_SIGINFO;
    sigemptyset(&handler.sa_mask);
    for (int k = 0; k < N_SIGNALS; k++) sigaction(signals[k], &handler, &before[k]);
    listen_to_reports();
    running = t;
    signal = sigsetjmp(out_of_body, 1);
    if (signal == 0) {
        set_timer(sw_posix_timeout_ms);
        verdict = body(t);
    }
    running = NULL;
    set_timer(0);
    for (int k = 0; k < N_SIGNALS; k++) sigaction(signals[k], &before[k], NULL);
    sigaltstack(&theirs, NULL);
    if (signal == SIGALRM || signal == SIGPROF) verdict = SW_HANG;
    else if (signal != 0) verdict = sw_crashed(t, signal, name_of(signal), crash_address);
    return after_reports(t, verdict);
}
