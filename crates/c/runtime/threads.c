/*
 * Threads, one after the other. A thread that the code starts waits until somebody has a reason to wait for it: a join of this very thread, or
 * a condition, a semaphore, a barrier, a pause, for which all run that have not begun; a detached one, until the call ends. Then it runs from
 * its beginning to its end, on the stack of whoever waits. So every run is the same, and locks are never contended; one that would have to wait for a thread
 * that is under way cannot be judged like this, and the call is discarded (`SW_WAITS`). Variables of a thread (`_Thread_local`) are shared.
 */
#include "internal.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <threads.h>

#define MAX_THREADS 1024
#define MAX_KEYS 128
/* What a thread is called: nothing that the C library would take for one of its own. */
#define FIRST_THREAD 0x5357000000000001ul

enum { THREAD_WAITS, THREAD_RUNS, THREAD_ENDED };

struct thread {
    void *(*start)(void *);
    int (*start_c11)(void *);
    void *argument, *result;
    uint32_t state, is_joined, is_detached;
    void *values[MAX_KEYS];
};

struct threads {
    struct thread all[MAX_THREADS + 1]; /* the first one is the call itself */
    uint64_t n, next, current, n_calls; /* calls: of this sequence */
    sigjmp_buf *end;             /* of the one that runs */
    void (*destructors[MAX_KEYS])(void *);
    uint32_t is_key[MAX_KEYS];
};
/* Too large for the object's file. */
#define T (*(struct threads *)SW_THREADS)

_Static_assert(sizeof(struct threads) <= SW_THREADS_SIZE, "the threads fit");

/* Goes past the threads that have begun. */
static int has_waiting_threads(void)
{
    while (T.next < T.n && T.all[T.next + 1].state != THREAD_WAITS) T.next++;
    return T.next < T.n;
}
static int is_in_thread(void) { return T.current != 0; }

static void reset_threads(void)
{
    memset(T.all, 0, (T.n + 1) * sizeof T.all[0]);
    memset(T.destructors, 0, sizeof T.destructors);
    memset(T.is_key, 0, sizeof T.is_key);
    T.n = T.next = T.current = T.n_calls = 0;
    T.end = 0;
}

/* A call that was left in the middle leaves its threads too. */
static void leave_threads(void)
{
    T.current = 0;
    T.end = 0;
    T.next = T.n;
}

static void __attribute__((noreturn)) waits(const char *function, void *pc) { stop_at(SW_WAITS, 0, function, pc); }
static void __attribute__((noreturn)) deadlock(const char *why, void *pc) { stop_at(SW_DEADLOCK, 0, why, pc); }

static void run_destructors(struct thread *t)
{
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++)
        for (int k = 0; k < MAX_KEYS; k++) {
            void *value = t->values[k];
            t->values[k] = 0;
            if (value && T.is_key[k] && T.destructors[k]) T.destructors[k](value);
        }
}

static void run_thread(uint64_t id)
{
    struct thread *t = &T.all[id];
    if (t->state != THREAD_WAITS || !(t->start || t->start_c11)) return;
    if ((uint64_t)__builtin_frame_address(0) < S.stack_lowest + S.stack_reserve) stop_at(SW_STACK_OVERFLOW, 0, 0, (void *)S.last_pc);
    uint64_t outer = T.current;
    sigjmp_buf *outer_end = T.end, end;
    int saved_errno = errno;
    t->state = THREAD_RUNS;
    T.current = id;
    if (!sigsetjmp(end, 0)) {
        T.end = &end;
        t->result = t->start ? t->start(t->argument) : (void *)(intptr_t)t->start_c11(t->argument);
    }
    T.end = &end;
    if (!sigsetjmp(end, 0)) run_destructors(t);
    t->state = THREAD_ENDED;
    T.current = outer;
    T.end = outer_end;
    errno = saved_errno;
}

/* Runs every thread that has not begun, those that they start included; whether there was one. */
static int run_threads(void)
{
    int has_run = 0;
    while (T.next < T.n) {
        uint64_t id = ++T.next;
        has_run |= T.all[id].state == THREAD_WAITS && !T.all[id].is_joined;
        run_thread(id);
    }
    return has_run;
}

/* At the end of a call: a thread that can be joined waits for that, in a later call perhaps; a detached one has nothing to wait for. */
static void run_detached_threads(void)
{
    for (uint64_t id = 1; id <= T.n; id++)
        if (T.all[id].is_detached) run_thread(id);
}

static int start_thread(uint64_t *out, void *(*start)(void *), int (*start_c11)(void *), void *argument, int is_detached, void *pc)
{
    check_write((uint64_t)out, 8, pc);
    if (T.n >= MAX_THREADS) return EAGAIN;
    T.all[++T.n] = (struct thread){ .start = start, .start_c11 = start_c11, .argument = argument, .is_detached = (uint32_t)is_detached };
    *out = FIRST_THREAD + T.n;
    S.report.n_threads++;
    return 0;
}

static struct thread *thread_of(uint64_t id) { return id - FIRST_THREAD - 1 < T.n ? &T.all[id - FIRST_THREAD] : 0; }

static int join_thread(uint64_t id, void **out, void *pc)
{
    struct thread *t = thread_of(id);
    if (!t || t->is_joined || t->is_detached) return t ? EINVAL : ESRCH;
    if (id - FIRST_THREAD == T.current) return EDEADLK;
    if (t->state == THREAD_RUNS) waits("pthread_join", pc);
    /* No other one: what it waits for runs when it waits. */
    run_thread(id - FIRST_THREAD);
    t->is_joined = 1;
    if (out) *out = t->result;
    return 0;
}

static int detach_thread(uint64_t id)
{
    struct thread *t = thread_of(id);
    if (!t || t->is_joined || t->is_detached) return t ? EINVAL : ESRCH;
    t->is_detached = 1;
    return 0;
}

/* Ends the thread that runs; the call itself is ended like the program. */
static void end_thread(void *result, void *pc)
{
    if (!T.end) end(SW_EXIT, 0, 0, pc);
    T.all[T.current].result = result;
    jump_over(*T.end);
    siglongjmp(*T.end, 1);
}

WRAP(int, pthread_create)(pthread_t *out, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    int state = PTHREAD_CREATE_JOINABLE;
    if (attributes) pthread_attr_getdetachstate(attributes, &state);
    return start_thread((uint64_t *)out, start, 0, argument, state == PTHREAD_CREATE_DETACHED, RA);
}
WRAP(int, pthread_join)(pthread_t id, void **out)
{
    if (out) check_write((uint64_t)out, 8, RA);
    return join_thread(id, out, RA);
}
WRAP(int, pthread_tryjoin_np)(pthread_t id, void **out)
{
    if (out) check_write((uint64_t)out, 8, RA);
    return join_thread(id, out, RA);
}
WRAP(int, pthread_timedjoin_np)(pthread_t id, void **out, const struct timespec *t)
{
    (void)t;
    if (out) check_write((uint64_t)out, 8, RA);
    return join_thread(id, out, RA);
}
WRAP(int, pthread_detach)(pthread_t id) { return detach_thread(id); }
WRAP(void, pthread_exit)(void *result) { end_thread(result, RA); }
WRAP(pthread_t, pthread_self)(void) { return FIRST_THREAD + T.current; }
WRAP(int, pthread_equal)(pthread_t a, pthread_t b) { return a == b; }
WRAP(int, pthread_cancel)(pthread_t id)
{
    struct thread *t = thread_of(id);
    if (!t) return ESRCH;
    if (t->state == THREAD_RUNS) waits("pthread_cancel", RA);
    if (t->state == THREAD_WAITS) t->state = THREAD_ENDED, t->result = PTHREAD_CANCELED;
    return 0;
}
WRAP(int, pthread_kill)(pthread_t id, int sig)
{
    if (!thread_of(id) && id != FIRST_THREAD) return ESRCH;
    return raise_signal(sig, RA) ? EINVAL : 0;
}
WRAP(int, pthread_setname_np)(pthread_t id, const char *name) { (void)id; terminated(name, RA); return 0; }
WRAP(int, pthread_setschedparam)(pthread_t id, int policy, const struct sched_param *p) { (void)id, (void)policy, (void)p; return 0; }
WRAP(int, pthread_setaffinity_np)(pthread_t id, size_t n, const void *set_) { (void)id, (void)n, (void)set_; return 0; }
WRAP(int, pthread_setcancelstate)(int state, int *old) { (void)state; if (old) { check_write((uint64_t)old, 4, RA); *old = PTHREAD_CANCEL_ENABLE; } return 0; }
WRAP(int, pthread_setcanceltype)(int type, int *old) { (void)type; if (old) { check_write((uint64_t)old, 4, RA); *old = PTHREAD_CANCEL_DEFERRED; } return 0; }
WRAP(void, pthread_testcancel)(void) {}
WRAP(int, sched_yield)(void) { run_threads(); return 0; }
WRAP(int, pthread_yield)(void) { run_threads(); return 0; }

WRAP(int, thrd_create)(thrd_t *out, thrd_start_t start, void *argument)
{
    return start_thread((uint64_t *)out, 0, start, argument, 0, RA) ? thrd_nomem : thrd_success;
}
WRAP(int, thrd_join)(thrd_t id, int *out)
{
    void *result = 0;
    if (out) check_write((uint64_t)out, 4, RA);
    if (join_thread(id, &result, RA)) return thrd_error;
    if (out) *out = (int)(intptr_t)result;
    return thrd_success;
}
WRAP(int, thrd_detach)(thrd_t id) { return detach_thread(id) ? thrd_error : thrd_success; }
WRAP(void, thrd_exit)(int result) { end_thread((void *)(intptr_t)result, RA); }
WRAP(thrd_t, thrd_current)(void) { return FIRST_THREAD + T.current; }
WRAP(int, thrd_equal)(thrd_t a, thrd_t b) { return a == b; }
WRAP(void, thrd_yield)(void) { run_threads(); }
WRAP(int, thrd_sleep)(const struct timespec *t, struct timespec *rest)
{
    (void)rest;
    range_access((uint64_t)t, sizeof *t, 0, RA);
    S.clock += (uint64_t)t->tv_sec * 1000;
    run_threads();
    return 0;
}

/* What threads wait for is nobody's own: it has to be there, whoever owns what is around it. */
static void touch(volatile void *p, uint64_t n, void *pc)
{
    uint64_t a = (uint64_t)p, in_globals = a - S.layout.globals;
    uint8_t *s = S.armed ? shadow_of(a, n) : 0;
    if (!s) {
        range_access(a, n, 1, pc);
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        if (!(s[i] & SW_LIVE)) bad_access(a + i, n, 1, pc);
        s[i] |= SW_INIT;
    }
    if (in_globals < S.layout.globals_size) S.layout.is_written[in_globals >> 12] = S.layout.is_written[(in_globals + n - 1) >> 12] = 1;
}

/* Mutexes, in the C library's own words for them, so that its initialisers and `pthread_mutex_init` are right. */
static uint64_t owner_of(const pthread_mutex_t *m) { return (uint32_t)m->__data.__owner - 1u; }
static int is_alive(uint64_t id) { return id <= T.n && T.all[id].state == THREAD_RUNS; }

static int lock(pthread_mutex_t *m, int may_wait, void *pc)
{
    touch(m, sizeof *m, pc);
    if (!m->__data.__lock) {
        m->__data.__lock = 1;
        m->__data.__owner = (int)T.current + 1;
        m->__data.__count = 1;
        m->__data.__nusers++;
        m->__data.__spins = (short)T.n_calls; /* nobody spins here: which call has locked it */
        return 0;
    }
    int kind = m->__data.__kind & 3;
    if (owner_of(m) == T.current) {
        if (kind == PTHREAD_MUTEX_RECURSIVE) {
            m->__data.__count++;
            return 0;
        }
        if (!may_wait) return EBUSY;
        if (kind == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
        if (m->__data.__spins != (short)T.n_calls) deadlock("it waits for a mutex that an earlier call left locked", pc);
        deadlock("it waits for a mutex that it has locked itself", pc);
    }
    if (!may_wait) return EBUSY;
    if (!owner_of(m) || is_alive(owner_of(m))) waits("pthread_mutex_lock", pc);
    deadlock("it waits for a mutex that a thread which has ended left locked", pc);
}

static int unlock(pthread_mutex_t *m, void *pc)
{
    touch(m, sizeof *m, pc);
    int kind = m->__data.__kind & 3;
    if (!m->__data.__lock || (kind != PTHREAD_MUTEX_TIMED_NP && owner_of(m) != T.current)) return EPERM;
    if (kind == PTHREAD_MUTEX_RECURSIVE && --m->__data.__count) return 0;
    m->__data.__lock = m->__data.__owner = 0;
    m->__data.__count = 0;
    m->__data.__nusers--;
    m->__data.__spins = 0;
    return 0;
}

static int lock_for_a_time(pthread_mutex_t *m, void *pc) { return lock(m, 0, pc) ? ETIMEDOUT : 0; }

WRAP(int, pthread_mutex_lock)(pthread_mutex_t *m) { return lock(m, 1, RA); }
WRAP(int, pthread_mutex_trylock)(pthread_mutex_t *m) { return lock(m, 0, RA); }
WRAP(int, pthread_mutex_timedlock)(pthread_mutex_t *m, const struct timespec *t) { (void)t; return lock_for_a_time(m, RA); }
WRAP(int, pthread_mutex_unlock)(pthread_mutex_t *m) { return unlock(m, RA); }
/* What a C11 function answers for a number of POSIX. */
static int c11(int error) { return !error ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : error == ENOMEM ? thrd_nomem : thrd_error; }
WRAP(int, mtx_init)(mtx_t *m, int type)
{
    touch(m, sizeof(pthread_mutex_t), RA);
    memset(m, 0, sizeof(pthread_mutex_t));
    if (type & mtx_recursive) ((pthread_mutex_t *)m)->__data.__kind = PTHREAD_MUTEX_RECURSIVE;
    return thrd_success;
}
WRAP(void, mtx_destroy)(mtx_t *m) { touch(m, sizeof(pthread_mutex_t), RA); }
WRAP(int, mtx_lock)(mtx_t *m) { return c11(lock((pthread_mutex_t *)m, 1, RA)); }
WRAP(int, mtx_trylock)(mtx_t *m) { return c11(lock((pthread_mutex_t *)m, 0, RA)); }
WRAP(int, mtx_timedlock)(mtx_t *m, const struct timespec *t) { (void)t; return c11(lock_for_a_time((pthread_mutex_t *)m, RA)); }
WRAP(int, mtx_unlock)(mtx_t *m) { return c11(unlock((pthread_mutex_t *)m, RA)); }

/* Waiting: the threads that have not begun run; afterwards whoever waits looks again, which it must be ready for anyway. */
static int wait_for(pthread_mutex_t *m, int has_time, const char *function, void *pc)
{
    int error = unlock(m, pc);
    if (error) return error;
    int has_run = run_threads();
    if (!has_run && !has_time) waits(function, pc);
    if (!has_run) S.clock += 1000;
    error = lock(m, 1, pc);
    return error || has_run ? error : ETIMEDOUT;
}
WRAP(int, pthread_cond_wait)(pthread_cond_t *c, pthread_mutex_t *m) { touch(c, sizeof *c, RA); return wait_for(m, 0, "pthread_cond_wait", RA); }
WRAP(int, pthread_cond_timedwait)(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t) { (void)t; touch(c, sizeof *c, RA); return wait_for(m, 1, "pthread_cond_timedwait", RA); }
WRAP(int, pthread_cond_signal)(pthread_cond_t *c) { touch(c, sizeof *c, RA); return 0; }
WRAP(int, pthread_cond_broadcast)(pthread_cond_t *c) { touch(c, sizeof *c, RA); return 0; }
WRAP(int, pthread_cond_destroy)(pthread_cond_t *c) { touch(c, sizeof *c, RA); return 0; }
WRAP(int, cnd_init)(cnd_t *c) { touch(c, sizeof *c, RA); memset(c, 0, sizeof *c); return thrd_success; }
WRAP(void, cnd_destroy)(cnd_t *c) { touch(c, sizeof *c, RA); }
WRAP(int, cnd_signal)(cnd_t *c) { touch(c, sizeof *c, RA); return thrd_success; }
WRAP(int, cnd_broadcast)(cnd_t *c) { touch(c, sizeof *c, RA); return thrd_success; }
WRAP(int, cnd_wait)(cnd_t *c, mtx_t *m) { touch(c, sizeof *c, RA); return c11(wait_for((pthread_mutex_t *)m, 0, "cnd_wait", RA)); }
WRAP(int, cnd_timedwait)(cnd_t *c, mtx_t *m, const struct timespec *t) { (void)t; touch(c, sizeof *c, RA); return c11(wait_for((pthread_mutex_t *)m, 1, "cnd_timedwait", RA)); }

/* Locks for readers and a writer. */
static int lock_shared(pthread_rwlock_t *l, int is_writer, int may_wait, void *pc)
{
    touch(l, sizeof *l, pc);
    uint64_t writer = (uint32_t)l->__data.__cur_writer;
    if (!writer && (!is_writer || !l->__data.__readers)) {
        if (is_writer) l->__data.__cur_writer = (int)T.current + 1;
        else l->__data.__readers++;
        return 0;
    }
    if (!may_wait) return EBUSY;
    if (writer == T.current + 1) return EDEADLK;
    if (writer && writer != 1 && !is_alive(writer - 1)) deadlock("it waits for a lock that a thread which has ended left locked", pc);
    if (!T.current && !writer) deadlock("it waits for a lock that it has locked itself", pc);
    waits(is_writer ? "pthread_rwlock_wrlock" : "pthread_rwlock_rdlock", pc);
}
WRAP(int, pthread_rwlock_rdlock)(pthread_rwlock_t *l) { return lock_shared(l, 0, 1, RA); }
WRAP(int, pthread_rwlock_tryrdlock)(pthread_rwlock_t *l) { return lock_shared(l, 0, 0, RA); }
WRAP(int, pthread_rwlock_wrlock)(pthread_rwlock_t *l) { return lock_shared(l, 1, 1, RA); }
WRAP(int, pthread_rwlock_trywrlock)(pthread_rwlock_t *l) { return lock_shared(l, 1, 0, RA); }
WRAP(int, pthread_rwlock_unlock)(pthread_rwlock_t *l)
{
    touch(l, sizeof *l, RA);
    if (l->__data.__cur_writer) {
        if ((uint32_t)l->__data.__cur_writer != T.current + 1) return EPERM;
        l->__data.__cur_writer = 0;
    } else {
        if (!l->__data.__readers) return EPERM;
        l->__data.__readers--;
    }
    return 0;
}

static void once(int *control, void (*f)(void), void *pc)
{
    touch(control, 4, pc);
    if (*control == 1) deadlock("it waits for an initialisation that is under way", pc);
    if (*control) return;
    *control = 1;
    f();
    *control = 2;
}
WRAP(int, pthread_once)(pthread_once_t *control, void (*f)(void)) { once(control, f, RA); return 0; }
WRAP(void, call_once)(once_flag *control, void (*f)(void)) { once((int *)control, f, RA); }

/* Semaphores and barriers, in their own memory. */
static unsigned *value_of(sem_t *s, void *pc)
{
    touch(s, 4, pc);
    return (unsigned *)s;
}
static int take(sem_t *s, int may_wait, int error, void *pc)
{
    unsigned *value = value_of(s, pc);
    if (!*value && error != EAGAIN) run_threads();
    if (!*value && may_wait) waits("sem_wait", pc);
    if (!*value) {
        errno = error;
        return -1;
    }
    --*value;
    return 0;
}
WRAP(int, sem_init)(sem_t *s, int is_shared, unsigned value) { (void)is_shared; touch(s, sizeof *s, RA); memset(s, 0, sizeof *s); *(unsigned *)s = value; return 0; }
WRAP(int, sem_destroy)(sem_t *s) { value_of(s, RA); return 0; }
WRAP(int, sem_wait)(sem_t *s) { return take(s, 1, 0, RA); }
WRAP(int, sem_trywait)(sem_t *s) { return take(s, 0, EAGAIN, RA); }
WRAP(int, sem_timedwait)(sem_t *s, const struct timespec *t) { (void)t; return take(s, 0, ETIMEDOUT, RA); }
WRAP(int, sem_post)(sem_t *s) { ++*value_of(s, RA); return 0; }
WRAP(int, sem_getvalue)(sem_t *s, int *out) { check_write((uint64_t)out, 4, RA); *out = (int)*value_of(s, RA); return 0; }

struct barrier { unsigned n, n_waiting, round; };
WRAP(int, pthread_barrier_init)(pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned n)
{
    (void)a;
    touch(b, sizeof *b, RA);
    if (!n) return EINVAL;
    *(struct barrier *)b = (struct barrier){ .n = n };
    return 0;
}
WRAP(int, pthread_barrier_destroy)(pthread_barrier_t *b) { touch(b, sizeof *b, RA); return 0; }
WRAP(int, pthread_barrier_wait)(pthread_barrier_t *p)
{
    struct barrier *b = (struct barrier *)p;
    touch(p, sizeof *p, RA);
    unsigned round = b->round;
    if (++b->n_waiting == b->n) {
        b->n_waiting = 0;
        b->round++;
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    run_threads();
    if (b->round == round) waits("pthread_barrier_wait", RA);
    return 0;
}
WRAP(int, pthread_spin_init)(pthread_spinlock_t *l, int is_shared) { (void)is_shared; touch(l, 4, RA); *l = 0; return 0; }
WRAP(int, pthread_spin_destroy)(pthread_spinlock_t *l) { touch(l, 4, RA); return 0; }
static int spin(pthread_spinlock_t *l, int may_wait, void *pc)
{
    touch(l, 4, pc);
    if (*l && !may_wait) return EBUSY;
    if (*l && (uint32_t)*l == T.current + 1) deadlock("it waits for a lock that it has locked itself", pc);
    if (*l) waits("pthread_spin_lock", pc);
    *l = (int)T.current + 1;
    return 0;
}
WRAP(int, pthread_spin_lock)(pthread_spinlock_t *l) { return spin(l, 1, RA); }
WRAP(int, pthread_spin_trylock)(pthread_spinlock_t *l) { return spin(l, 0, RA); }
WRAP(int, pthread_spin_unlock)(pthread_spinlock_t *l) { touch(l, 4, RA); *l = 0; return 0; }

/* Values of each thread. */
static int make_key(unsigned *out, void (*destructor)(void *), void *pc)
{
    check_write((uint64_t)out, 4, pc);
    for (unsigned k = 0; k < MAX_KEYS; k++)
        if (!T.is_key[k]) {
            T.is_key[k] = 1;
            T.destructors[k] = destructor;
            for (uint64_t id = 0; id <= T.n; id++) T.all[id].values[k] = 0;
            *out = k;
            return 0;
        }
    return EAGAIN;
}
static int drop_key(unsigned k)
{
    if (k >= MAX_KEYS || !T.is_key[k]) return EINVAL;
    T.is_key[k] = 0;
    return 0;
}
static int set_value(unsigned k, const void *value)
{
    if (k >= MAX_KEYS || !T.is_key[k]) return EINVAL;
    T.all[T.current].values[k] = (void *)value;
    return 0;
}
static void *get_value(unsigned k) { return k < MAX_KEYS && T.is_key[k] ? T.all[T.current].values[k] : 0; }
WRAP(int, pthread_key_create)(pthread_key_t *out, void (*destructor)(void *)) { return make_key(out, destructor, RA); }
WRAP(int, pthread_key_delete)(pthread_key_t k) { return drop_key(k); }
WRAP(int, pthread_setspecific)(pthread_key_t k, const void *value) { return set_value(k, value); }
WRAP(void *, pthread_getspecific)(pthread_key_t k) { return get_value(k); }
WRAP(int, tss_create)(tss_t *out, tss_dtor_t destructor) { return c11(make_key(out, destructor, RA)); }
WRAP(void, tss_delete)(tss_t k) { drop_key(k); }
WRAP(int, tss_set)(tss_t k, void *value) { return c11(set_value(k, value)); }
WRAP(void *, tss_get)(tss_t k) { return get_value(k); }
