//! Threads: run one after the other, and said so; what waits for another is not judged, and said too.

use crate::support::hunt;

#[test]
fn that_threads_take_turns_is_said_once_for_each_function() {
    let code = "#include <pthread.h>\nstatic void *up(void *x) { ++*(int *)x; return 0; }\n\
                int one(int n)\n/*@ requires n < 100i32; ensures return == n + 1i32; @*/\n\
                { pthread_t t; pthread_create(&t, 0, up, &n); pthread_join(t, 0); return n; }\n";
    hunt(code, &["--calls", "500"]).passes().says("note: threads are run one after the other: `one`, in ");
}

#[test]
fn a_call_whose_thread_waits_for_it_is_not_judged() {
    let code = "#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n\
                static void *wait(void *x) { sem_wait(x); return x; }\n\
                int go(int n)\n/*@ ensures return == n; @*/\n\
                { pthread_t t; sem_t s; sem_init(&s, 0, n > 5); pthread_create(&t, 0, wait, &s);\n\
                  sched_yield(); sem_post(&s); pthread_join(t, 0); return n; }\n";
    hunt(code, &["--calls", "500"])
        .passes()
        .says("note: not judged, because nothing ends a wait: `go` in sem_wait, in ");
}
