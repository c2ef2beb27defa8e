//! The small world that code has: waits that nobody can end, signals of its own, and a C library that begins afresh
//! with each sequence.

use crate::support::hunt;

/// By the clock each of them would take seconds.
#[test]
fn a_wait_that_nobody_can_end_is_not_judged() {
    let code = "#include <poll.h>\n#include <signal.h>\n#include <stddef.h>\n#include <sys/epoll.h>\n#include <sys/eventfd.h>\n\
        #include <sys/select.h>\n#include <unistd.h>\n\
        int read_pipe(void) { int p[2]; char c; return pipe(p) ? 0 : (int)read(p[0], &c, 1); }\n\
        int read_event(void) { unsigned long n; return (int)read(eventfd(0, 0), &n, 8); }\n\
        int fill_pipe(void) { static char all[100000]; int p[2]; return pipe(p) ? 0 : (int)write(p[1], all, sizeof all); }\n\
        int poll_pipe(void) { int p[2]; struct pollfd f; if (pipe(p)) return 0; f = (struct pollfd){ p[0], POLLIN, 0 }; return poll(&f, 1, -1); }\n\
        int select_nothing(void) { return select(0, NULL, NULL, NULL, NULL); }\n\
        int wait_for_events(void) { struct epoll_event e; return epoll_wait(epoll_create1(0), &e, 1, -1); }\n\
        int sleep_for_good(void) { return pause(); }\n\
        int suspend(void) { sigset_t none; sigemptyset(&none); return sigsuspend(&none); }\n\
        int other(int x) { return x / 2; }\n";
    let ended = hunt(code, &["--calls", "300"]);
    ended.passes();
    for wait in [
        "`read_pipe` in read",
        "`read_event` in read",
        "`fill_pipe` in write",
        "`poll_pipe` in poll",
        "`select_nothing` in select",
        "`wait_for_events` in epoll_wait",
        "`sleep_for_good` in pause",
        "`suspend` in sigsuspend",
    ] {
        ended.says(wait);
    }
}

#[test]
fn a_wait_that_can_end_ends() {
    let code = "#include <assert.h>\n#include <poll.h>\n#include <pthread.h>\n#include <string.h>\n#include <time.h>\n#include <unistd.h>\n\
        static int p[2];\n\
        static void *answer(void *x) { assert(write(p[1], \"hello\", 5) == 5); return x; }\n\
        int talk(int late)\n{\n\
            char text[8] = \"\"; pthread_t t;\n\
            assert(!pipe(p)); assert(!pthread_create(&t, 0, answer, 0));\n\
            struct pollfd f = { p[0], POLLIN, 0 };\n\
            if (late & 1) assert(poll(&f, 1, -1) == 1 && f.revents == POLLIN);\n\
            assert(read(p[0], text, 5) == 5 && !strcmp(text, \"hello\"));\n\
            return pthread_join(t, 0);\n}\n\
        int passes_time(void)\n{\n\
            struct pollfd none = { -1, 0, 0 }; time_t before = time(0);\n\
            assert(poll(&none, 1, 5000) == 0); assert(time(0) - before >= 5); return 0;\n}\n";
    hunt(code, &["--calls", "300"]).passes();
}

const SIGNALS: &str = "#include <assert.h>\n#include <errno.h>\n#include <signal.h>\n#include <unistd.h>\n\
    static volatile sig_atomic_t n;\n\
    static void count(int sig) { n += sig == SIGUSR1 ? 1 : 10; }\n";

#[test]
fn handlers_run_and_what_is_blocked_waits() {
    let code = format!(
        "{SIGNALS}\
        int handled(void)\n{{\n\
            struct sigaction a = {{ .sa_handler = count }}, before;\n\
            n = 0;\n\
            assert(!sigaction(SIGUSR1, &a, &before) && !sigaction(SIGUSR1, 0, &before) && before.sa_handler == count);\n\
            assert(!raise(SIGUSR1) && n == 1 && !kill(getpid(), SIGUSR1) && n == 2);\n\
            assert(signal(SIGUSR2, SIG_IGN) == SIG_DFL && !raise(SIGUSR2) && n == 2);\n\
            sigset_t set, old, due; sigemptyset(&set); sigaddset(&set, SIGUSR1);\n\
            assert(!sigprocmask(SIG_BLOCK, &set, &old) && !sigismember(&old, SIGUSR1) && !raise(SIGUSR1) && n == 2);\n\
            assert(!sigpending(&due) && sigismember(&due, SIGUSR1));\n\
            assert(!sigprocmask(SIG_SETMASK, &old, 0) && n == 3);\n\
            assert(signal(SIGUSR2, SIG_DFL) == SIG_IGN);\n\
            return sigaction(SIGUSR1, &(struct sigaction){{ .sa_handler = SIG_DFL }}, 0);\n}}\n\
        int alarmed(void)\n{{\n\
            n = 0; signal(SIGALRM, count); assert(alarm(20) == 0 && alarm(10) == 20);\n\
            assert(pause() == -1 && errno == EINTR && n == 10 && alarm(3) == 0);\n\
            sleep(2); assert(n == 10); sleep(2); assert(n == 20);\n\
            return signal(SIGALRM, SIG_DFL) != (void (*)(int))count;\n}}\n"
    );
    hunt(&code, &["--calls", "200"]).passes();
}

#[test]
fn what_no_handler_takes_ends_the_call() {
    let code =
        format!("{SIGNALS}int end(int x) {{ if (x == 5) signal(SIGUSR1, count); return raise(SIGUSR1); }}\n");
    hunt(&code, &["--calls", "200"]).fails().says("int x1 = end(0);").says("SIGUSR1");
}

/// Each function finds the C library as a new program does, and leaves it in another state.
#[test]
fn a_sequence_begins_like_a_new_program() {
    let code = "#define _GNU_SOURCE\n#include <assert.h>\n#include <errno.h>\n#include <fenv.h>\n#include <getopt.h>\n\
        #include <locale.h>\n#include <search.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <string.h>\n\
        #include <sys/stat.h>\n#include <sys/time.h>\n#include <time.h>\n#include <unistd.h>\n\
        static int is_used;\n\
        int begin(void)\n{\n\
            static char words[8];\n\
            if (is_used++) return 0;\n\
            assert(!errno); errno = 5;\n\
            assert(!strtok(0, \" \")); strtok(strcpy(words, \"a b c\"), \" \");\n\
            assert(lrand48() == 0); srand48(7);\n\
            assert(optind == 1 && opterr == 1);\n\
            char *all[] = { \"p\", \"-ab\", \"-b\", \"x\", 0 }; assert(getopt(4, all, \"ab\") == 'a'); opterr = 0;\n\
            assert(!strcmp(setlocale(LC_ALL, 0), \"C\")); assert(setlocale(LC_ALL, \"C.UTF-8\"));\n\
            assert(hcreate(10)); assert(hsearch((ENTRY){ \"key\", 0 }, ENTER));\n\
            assert(fegetround() == FE_TONEAREST); fesetround(FE_UPWARD);\n\
            struct sigaction a; assert(!sigaction(SIGUSR1, 0, &a) && a.sa_handler == SIG_DFL); signal(SIGUSR1, SIG_IGN);\n\
            sigset_t set; assert(!sigprocmask(SIG_BLOCK, 0, &set) && !sigismember(&set, SIGUSR1));\n\
            sigemptyset(&set); sigaddset(&set, SIGUSR1); sigprocmask(SIG_BLOCK, &set, 0); raise(SIGUSR1);\n\
            struct itimerval t; assert(!getitimer(ITIMER_REAL, &t) && !t.it_value.tv_sec); alarm(100);\n\
            assert(umask(0) == 022 && !getenv(\"NEW\")); setenv(\"NEW\", \"1\", 1); setenv(\"TZ\", \"EST5\", 1); tzset();\n\
            return chdir(\"/\");\n}\n\
        int other(int x) { return x / 2; }\n";
    hunt(code, &["--calls", "600"]).passes();
}
