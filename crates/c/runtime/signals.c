/*
 * Signals that the code sends to itself: its handlers run, and what is blocked waits. None comes from outside, and alarms go by the code's own
 * clock: one that is due is seen when the code sleeps or waits. The real handlers are the runtime's (guard.c), and the code's are kept here
 * alone.
 */
#include "internal.h"
#include <errno.h>
#include <signal.h>
#include <sys/time.h>

#define N_SIGNALS 65
#define BIT(sig) (1ul << ((sig) - 1))
STATE static struct {
    struct sigaction actions[N_SIGNALS];
    uint64_t blocked, pending;
    uint64_t due, interval;     /* of the alarm, in milliseconds; none if 0 */
    uint32_t is_used;
    siginfo_t info;
} G;

static void reset_signals(void)
{
    if (!G.is_used) return;
    memset(&G, 0, sizeof G);
}

static int is_signal(int sig) { return sig > 0 && sig < N_SIGNALS; }
static int cannot_be_caught(int sig) { return sig == SIGKILL || sig == SIGSTOP; }
static int does_nothing(int sig) { return sig == SIGCHLD || sig == SIGURG || sig == SIGWINCH || sig == SIGCONT; }

static void deliver_pending(void *pc);
static void deliver(int sig, void *pc)
{
    struct sigaction a = G.actions[sig];
    if (a.sa_handler == SIG_IGN || (a.sa_handler == SIG_DFL && does_nothing(sig))) return;
    if (a.sa_handler == SIG_DFL) end(SW_SIGNAL, (uint32_t)sig, 0, pc);
    uint64_t before = G.blocked;
    int saved_errno = errno;
    G.blocked |= a.sa_mask.__val[0] | (a.sa_flags & SA_NODEFER ? 0 : BIT(sig));
    if (a.sa_flags & SA_RESETHAND) G.actions[sig].sa_handler = SIG_DFL;
    if (a.sa_flags & SA_SIGINFO) {
        G.info = (siginfo_t){ .si_signo = sig, .si_code = SI_USER };
        allow_foreign(&G.info, sizeof G.info);
        a.sa_sigaction(sig, &G.info, 0);
    } else {
        a.sa_handler(sig);
    }
    errno = saved_errno;
    G.blocked = before;
    deliver_pending(pc);
}
static void deliver_pending(void *pc)
{
    while (G.pending & ~G.blocked) {
        int sig = __builtin_ctzl(G.pending & ~G.blocked) + 1;
        G.pending &= ~BIT(sig);
        deliver(sig, pc);
    }
}
static int raise_signal(int sig, void *pc)
{
    if (!sig) return 0;
    if (!is_signal(sig)) {
        errno = EINVAL;
        return -1;
    }
    G.is_used = 1;
    burn(SYSTEM_CALL, pc);
    if (G.blocked & BIT(sig) && !cannot_be_caught(sig)) G.pending |= BIT(sig);
    else deliver(sig, pc);
    return 0;
}

/* Time has passed: whether an alarm has come. */
static int deliver_alarm(void *pc)
{
    if (!G.due || S.clock < G.due) return 0;
    G.due = G.interval ? S.clock + G.interval : 0;
    raise_signal(SIGALRM, pc);
    return 1;
}

/* Until a signal comes, which only a thread or the alarm can bring. */
static int await_signal(const char *function, void *pc)
{
    burn(SYSTEM_CALL, pc);
    run_threads();
    if (!G.due) waits(function, pc);
    if (S.clock < G.due) S.clock = G.due;
    deliver_alarm(pc);
    errno = EINTR;
    return -1;
}

WRAP(int, raise)(int sig) { return raise_signal(sig, RA); }
WRAP(int, sigaction)(int sig, const struct sigaction *new, struct sigaction *old)
{
    if (new) range_access((uint64_t)new, sizeof *new, 0, RA);
    if (old) range_access((uint64_t)old, sizeof *old, 1, RA);
    if (!is_signal(sig) || (new && cannot_be_caught(sig))) {
        errno = EINVAL;
        return -1;
    }
    struct sigaction before = G.actions[sig];
    G.is_used = 1;
    if (new) G.actions[sig] = *new;
    if (old) *old = before;
    return 0;
}
WRAP(void *, signal)(int sig, void *handler)
{
    if (!is_signal(sig) || cannot_be_caught(sig)) {
        errno = EINVAL;
        return SIG_ERR;
    }
    void *before = G.actions[sig].sa_handler;
    G.is_used = 1;
    G.actions[sig] = (struct sigaction){ .sa_handler = (void (*)(int))handler };
    return before;
}
static void put_set(sigset_t *to, uint64_t bits, void *pc)
{
    range_access((uint64_t)to, sizeof *to, 1, pc);
    *to = (sigset_t){ .__val = { bits } };
}
static int change_blocked(int how, const sigset_t *new, sigset_t *old, void *pc)
{
    uint64_t before = G.blocked, given = 0;
    if (new) {
        range_access((uint64_t)new, 8, 0, pc);
        given = new->__val[0] & ~(BIT(SIGKILL) | BIT(SIGSTOP));
        if (how < SIG_BLOCK || how > SIG_SETMASK) return EINVAL;
    }
    if (old) put_set(old, before, pc);
    if (!new) return 0;
    G.is_used = 1;
    G.blocked = how == SIG_BLOCK ? before | given : how == SIG_UNBLOCK ? before & ~given : given;
    deliver_pending(pc);
    return 0;
}
WRAP(int, sigprocmask)(int how, const sigset_t *new, sigset_t *old)
{
    int error = change_blocked(how, new, old, RA);
    if (error) errno = error;
    return error ? -1 : 0;
}
WRAP(int, pthread_sigmask)(int how, const sigset_t *new, sigset_t *old) { return change_blocked(how, new, old, RA); }
WRAP(int, sigpending)(sigset_t *to) { put_set(to, G.pending, RA); return 0; }
WRAP(int, sigaltstack)(const stack_t *new, stack_t *old)
{
    (void)new;
    if (old) {
        range_access((uint64_t)old, sizeof *old, 1, RA);
        *old = (stack_t){ .ss_flags = SS_DISABLE };
    }
    return 0;
}
WRAP(int, pause)(void) { return await_signal("pause", RA); }
WRAP(int, sigsuspend)(const sigset_t *mask)
{
    range_access((uint64_t)mask, 8, 0, RA);
    uint64_t before = G.blocked, had = G.pending & ~mask->__val[0];
    G.is_used = 1;
    G.blocked = mask->__val[0];
    deliver_pending(RA);
    if (!had) await_signal("sigsuspend", RA);
    G.blocked = before;
    errno = EINTR;
    return -1;
}
WRAP(int, sigwait)(const sigset_t *set_, int *sig)
{
    range_access((uint64_t)set_, 8, 0, RA);
    range_access((uint64_t)sig, 4, 1, RA);
    if (!(G.pending & set_->__val[0])) run_threads();
    uint64_t found = G.pending & set_->__val[0];
    if (!found) waits("sigwait", RA);
    *sig = __builtin_ctzl(found) + 1;
    G.pending &= ~BIT(*sig);
    return 0;
}

static uint64_t set_alarm(uint64_t first, uint64_t interval)
{
    uint64_t left = G.due > S.clock ? G.due - S.clock : G.due != 0;
    G.is_used = 1;
    G.due = first ? S.clock + first : 0;
    G.interval = interval;
    return left;
}
WRAP(unsigned, alarm)(unsigned s) { return (unsigned)((set_alarm(1000ul * s, 0) + 999) / 1000); }
static uint64_t time_of(struct timeval t) { return (uint64_t)t.tv_sec * 1000 + ((uint64_t)t.tv_usec + 999) / 1000; }
static struct timeval as_time(uint64_t ms) { return (struct timeval){ (time_t)(ms / 1000), (suseconds_t)(ms % 1000 * 1000) }; }
static void put_timer(struct itimerval *to, uint64_t left, uint64_t interval, void *pc)
{
    range_access((uint64_t)to, sizeof *to, 1, pc);
    *to = (struct itimerval){ as_time(interval), as_time(left) };
}
/* Only real time passes: others count what the processor does. */
WRAP(int, setitimer)(int which, const struct itimerval *new, struct itimerval *old)
{
    if (new) range_access((uint64_t)new, sizeof *new, 0, RA);
    uint64_t interval = G.interval, left = 0;
    if (which == ITIMER_REAL && new) left = set_alarm(time_of(new->it_value), time_of(new->it_interval));
    if (old) put_timer(old, left, which == ITIMER_REAL ? interval : 0, RA);
    return 0;
}
WRAP(int, getitimer)(int which, struct itimerval *out)
{
    uint64_t left = G.due > S.clock ? G.due - S.clock : 0;
    put_timer(out, which == ITIMER_REAL ? left : 0, which == ITIMER_REAL ? G.interval : 0, RA);
    return 0;
}
