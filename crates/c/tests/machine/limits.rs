//! Limits that right programs do not meet, and what happens to those that do.

use stairway_c::build::Settings as BuildSettings;
use stairway_c::machine::{BlockId, ByteState, Settings, Violation};

use crate::support::{Program, program, program_with};

const HEAP: &str = r"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static char *kept[1000];
static char *lost;
/* Each loop allocates some hundred megabytes. */
int churn(int n, int size) { for (int i = 0; i < n; i++) { char *p = malloc(size); if (!p) return i; p[0] = p[size - 1] = 1; free(p); } return -1; }
int grow(int n) { char *p = 0; for (int i = 0; i < n; i++) { p = realloc(p, 4096 + i % 7); if (!p) return i; p[i % 4096] = 1; } free(p); return -1; }
int keep(void) { for (int i = 0; i < 1000; i++) { kept[i] = malloc(100 + i); memset(kept[i], i, 100 + i); free(malloc(3000)); } return -1; }
int look(void) { for (int i = 0; i < 1000; i++) for (int k = 0; k < 100 + i; k++) if (kept[i][k] != (char)i) return i; return -1; }
int lose(void) { lost = malloc(100); memset(lost, 1, 100); free(lost); return 0; }
int find(void) { return lost[7]; }
int all(int size) { int n = 0; while (malloc(size)) n++; return n; }
int large_after_small(void)
{
    static char *small[20000];
    for (int i = 0; i < 20000; i++) small[i] = malloc(2000);
    for (int i = 0; i < 20000; i++) free(small[i]);
    return malloc(50 << 20) != 0;
}
";

/// With as much fuel as hundreds of megabytes take.
fn heap() -> Program {
    let settings = Settings { fuel: 1 << 40, timeout_ms: 60_000, ..Settings::default() };
    program_with(&[HEAP], &BuildSettings::default(), settings)
}

#[test]
fn pages_of_large_sequences_count_as_work_and_cost_the_call_no_fuel() {
    const MEGABYTE: u64 = 1 << 20;
    let mut p = heap();
    let mut spent = |n_megabytes: i32| {
        p.machine.reset();
        let before = p.machine.spent().fuel;
        assert_eq!(p.int("churn", &[1, n_megabytes * (MEGABYTE as i32)]), Ok(-1));
        (p.machine.spent().fuel - before, p.machine.report().fuel)
    };
    let ((small, small_fuel), (large, large_fuel)) = (spent(3), spent(40));
    assert_eq!(small, small_fuel);
    assert!(large > large_fuel + 4 * MEGABYTE, "{large} and {large_fuel}");
}

#[test]
fn a_program_that_frees_what_it_allocates_never_runs_out() {
    let mut p = heap();
    assert_eq!(p.int("keep", &[]), Ok(-1));
    for _ in 0..4 {
        assert_eq!(p.int("churn", &[30_000, 4000]), Ok(-1));
        assert_eq!(p.int("churn", &[200_000, 24]), Ok(-1));
        assert_eq!(p.int("grow", &[30_000]), Ok(-1));
        assert_eq!(p.int("churn", &[3, 20 << 20]), Ok(-1));
        assert_eq!(p.int("look", &[]), Ok(-1));
    }
    assert_eq!(p.int("large_after_small", &[]), Ok(1));
}

#[test]
fn a_block_that_was_freed_is_known_long_after() {
    let mut p = heap();
    // Before anything is used again, and after the heap has been gone through several times.
    for n_before in [0, 100_000] {
        assert_eq!(p.int("churn", &[n_before, 2000]), Ok(-1));
        assert_eq!(p.int("lose", &[]), Ok(0));
        assert_eq!(p.int("churn", &[7000, 2000]), Ok(-1));
        let Err(Violation::Access { what: ByteState::Freed { block, offset: 7, freed_at: Some(_) }, .. }) =
            p.int("find", &[])
        else {
            panic!("it is not seen after {n_before}")
        };
        // It is called after the allocation that it was, wherever it stands in the table.
        assert_eq!(block, BlockId(n_before.unsigned_abs().into()));
        p.machine.reset();
    }
}

#[test]
fn small_blocks_without_end_end_as_out_of_memory() {
    let mut p = program(HEAP);
    for _ in 0..2 {
        let n = p.int("all", &[16]).expect("returns");
        assert!((900_000..=1 << 20).contains(&n), "{n}");
        assert_eq!(p.int("churn", &[1, 16]), Ok(0));
        p.machine.reset();
        assert_eq!(p.int("churn", &[1, 16]), Ok(-1));
    }
}

const THREADS: &str = r#"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <stdint.h>
static int order[8], n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *note(void *x) { pthread_mutex_lock(&m); order[n++] = (int)(intptr_t)x; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return (char *)x + 1; }
int joined(void)
{
    pthread_t t[3];
    void *r[3];
    n = 0;
    for (intptr_t i = 0; i < 3; i++) if (pthread_create(&t[i], 0, note, (void *)(i + 1))) return -1;
    for (int i = 2; i >= 0; i--) if (pthread_join(t[i], &r[i])) return -2;
    return order[0] * 100 + order[1] * 10 + order[2] + 1000 * (r[2] == (void *)4);
}
int waited(void)
{
    pthread_t t;
    n = 0;
    pthread_create(&t, 0, note, (void *)7);
    pthread_mutex_lock(&m);
    while (!n) pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return order[0];
}
int spun(void) { pthread_t t; n = 0; pthread_create(&t, 0, note, (void *)7); while (!*(volatile int *)&n) { } return order[0]; }
int left(void) { pthread_t t; n = 0; pthread_create(&t, 0, note, (void *)9); pthread_detach(t); return n; }
int left_n(void) { return n; }
static pthread_t later;
int begun(void) { n = 0; pthread_create(&later, 0, note, (void *)3); return n; }
int finished(void) { int before = n; pthread_join(later, 0); return before * 10 + n; }
static void *ends(void *x) { (void)x; pthread_exit((void *)5); return 0; }
int exits(void) { pthread_t t; void *r; pthread_create(&t, 0, ends, 0); pthread_join(t, &r); return (int)(intptr_t)r; }
static void *forever(void *x) { (void)x; pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return 0; }
int waits(void) { pthread_t t; pthread_create(&t, 0, forever, 0); pthread_join(t, 0); return 0; }
int twice(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }
int keeps(void) { return pthread_mutex_lock(&m); }
static void *locks(void *x) { (void)x; pthread_mutex_lock(&m); return 0; }
int held(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, locks, 0); pthread_join(t, 0); return 0; }
int forgotten(void) { pthread_t t; pthread_create(&t, 0, locks, 0); pthread_join(t, 0); pthread_mutex_lock(&m); return 0; }
static int half(void *x) { return *(int *)x / 2; }
int c11(void) { thrd_t t; int x = 42, r; thrd_create(&t, half, &x); thrd_join(t, &r); return r; }
static pthread_key_t key;
static int n_gone;
static void gone(void *x) { (void)x; n_gone++; }
static void *own(void *x) { void *before = pthread_getspecific(key); pthread_setspecific(key, x); return before ? 0 : pthread_getspecific(key); }
int values(void)
{
    pthread_t a, b;
    void *ra, *rb;
    pthread_key_create(&key, gone);
    pthread_setspecific(key, &key);
    pthread_create(&a, 0, own, (void *)1), pthread_create(&b, 0, own, (void *)2);
    pthread_join(a, &ra), pthread_join(b, &rb);
    return (ra == (void *)1) + (rb == (void *)2) + (pthread_getspecific(key) == &key) + 10 * n_gone;
}
static pthread_barrier_t barrier;
static void *meet(void *x) { (void)x; pthread_barrier_wait(&barrier); return 0; }
int meets(int many) { pthread_t t; pthread_barrier_init(&barrier, 0, (unsigned)many); pthread_create(&t, 0, meet, 0); pthread_barrier_wait(&barrier); pthread_join(t, 0); return 1; }
static sem_t s;
static void *post(void *x) { (void)x; sem_post(&s); return 0; }
int posts(int start) { pthread_t t; sem_init(&s, 0, 0); if (start) pthread_create(&t, 0, post, 0); sem_wait(&s); return 1; }
static int n_once;
static void do_once(void) { n_once++; }
int onces(void) { static pthread_once_t o = PTHREAD_ONCE_INIT; pthread_once(&o, do_once); pthread_once(&o, do_once); return n_once; }
int shared(void) { pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int a = pthread_rwlock_rdlock(&l), b = pthread_rwlock_rdlock(&l), c = pthread_rwlock_trywrlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l); return a + b + (c == EBUSY) + pthread_rwlock_wrlock(&l); }
"#;

#[test]
fn threads_run_one_after_the_other() {
    let mut p = program(THREADS);
    for _ in 0..2 {
        assert_eq!(p.int("joined", &[]), Ok(1321));
        assert_eq!(p.machine.report().n_threads, 3);
        assert_eq!(p.int("waited", &[]), Ok(7));
        assert_eq!(p.int("spun", &[]), Ok(7));
        assert_eq!((p.int("left", &[]), p.int("left_n", &[])), (Ok(0), Ok(1)));
        // One that is joined by another call waits for that.
        assert_eq!((p.int("begun", &[]), p.int("finished", &[])), (Ok(0), Ok(1)));
        assert_eq!(p.int("exits", &[]), Ok(5));
        assert_eq!(p.int("c11", &[]), Ok(21));
        assert_eq!(p.int("values", &[]), Ok(23));
        assert_eq!(p.int("meets", &[2]), Ok(1));
        assert_eq!(p.int("posts", &[1]), Ok(1));
        assert_eq!(p.int("onces", &[]), Ok(1));
        assert_eq!(p.int("shared", &[]), Ok(1));
        p.machine.reset();
    }
}

#[test]
fn a_thread_that_waits_for_another_is_not_judged_and_a_deadlock_is_one() {
    let mut p = program(THREADS);
    let mut ended = |name: &str, arguments: &[i32]| {
        let ended = p.int(name, arguments);
        p.machine.reset();
        match ended {
            Err(Violation::Waits { function, .. }) => function,
            Err(Violation::Deadlock { why, .. }) => why,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(ended("waits", &[]), "pthread_cond_wait");
    assert_eq!(ended("held", &[]), "pthread_mutex_lock");
    assert_eq!(ended("meets", &[3]), "pthread_barrier_wait");
    assert_eq!(ended("posts", &[0]), "sem_wait");
    assert_eq!(ended("twice", &[]), "it waits for a mutex that it has locked itself");
    assert_eq!(ended("forgotten", &[]), "it waits for a mutex that a thread which has ended left locked");
}

#[test]
fn a_mutex_that_an_earlier_call_left_locked_is_not_the_fault_of_the_call_that_waits() {
    let mut p = program(THREADS);
    for _ in 0..2 {
        assert_eq!(p.int("keeps", &[]), Ok(0));
        let Err(Violation::Deadlock { why, .. }) = p.int("keeps", &[]) else { panic!("it does not wait") };
        assert_eq!(why, "it waits for a mutex that an earlier call left locked");
        p.machine.reset();
    }
}
