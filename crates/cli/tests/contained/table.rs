//! The table: what code under test may try, and what it comes to.

/// What a run ends with.
pub(crate) enum Ending {
    /// `hostile` returns, and the planted bug is found after it.
    Bug,
    /// `hostile` itself fails, and the report says this.
    Failure(&'static str),
    /// The program cannot be loaded.
    Nothing,
}

/// A line of the table.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    /// What stands before `hostile`.
    pub(crate) before: &'static str,
    /// The body of `hostile`.
    pub(crate) code: &'static str,
    pub(crate) comes: Ending,
    /// What the report says was refused.
    pub(crate) refused: &'static [&'static str],
    pub(crate) run: Run,
}

/// How a line is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Run {
    /// Together with others, often.
    Together,
    /// By itself, with these options.
    Alone(&'static [&'static str]),
}

const fn line(name: &'static str, code: &'static str) -> Line {
    Line { name, before: "", code, comes: Ending::Bug, refused: &[], run: Run::Together }
}

/// One that takes long.
const fn seldom(name: &'static str, code: &'static str) -> Line {
    Line { run: Run::Alone(&["--timeout=5000", "--calls=30", "--max-len=3"]), ..line(name, code) }
}

const fn refused(name: &'static str, code: &'static str, refused: &'static [&'static str]) -> Line {
    Line { refused, ..line(name, code) }
}

const fn ends(name: &'static str, code: &'static str, says: &'static str) -> Line {
    Line { comes: Ending::Failure(says), ..line(name, code) }
}

pub(crate) const TABLE: &[Line] = &[
    refused(
        "absolute paths",
        r#"
    assert(!fopen(FILE_OUTSIDE, "w") && errno == EROFS);
    assert(!fopen(FILE_OUTSIDE, "a") && errno == EROFS);
    assert(!fopen(CANARY "/new", "w") && errno == EROFS);
    REFUSED(open("/stairway-was-here", O_CREAT | O_WRONLY, 0600), EROFS);
    REFUSED(open("/", O_TMPFILE | O_RDWR, 0600), EROFS);
    REFUSED(creat(FILE_OUTSIDE, 0600), EROFS);
    REFUSED(truncate(FILE_OUTSIDE, 0), EROFS);
    REFUSED(unlink(FILE_OUTSIDE), EROFS);
    REFUSED(rmdir(CANARY "/folder"), EROFS);
    REFUSED(mkdir(CANARY "/new", 0700), EROFS);
    REFUSED(rename(FILE_OUTSIDE, CANARY "/other"), EROFS);
    REFUSED(rename(FILE_OUTSIDE, "mine"), EROFS);
    REFUSED(link(FILE_OUTSIDE, "mine"), EROFS);
    REFUSED(symlink("/etc/passwd", CANARY "/link"), EROFS);
    REFUSED(chmod(FILE_OUTSIDE, 0), EROFS);
    REFUSED(chown(FILE_OUTSIDE, 1, 1), EROFS);
    REFUSED(utime(FILE_OUTSIDE, 0), EROFS);
    REFUSED(utimensat(AT_FDCWD, FILE_OUTSIDE, 0, 0), EROFS);
    REFUSED(setxattr(FILE_OUTSIDE, "user.x", "y", 1, 0), EROFS);
    REFUSED(mknod(CANARY "/pipe", S_IFIFO | 0600, 0), EROFS);
    REFUSED(syscall(SYS_open, FILE_OUTSIDE, O_WRONLY | O_TRUNC), EROFS);
    assert(remove(FILE_OUTSIDE) == -1);
    FILE *f = fopen(FILE_OUTSIDE, "r");
    assert(f && fgetc(f) == 'c');
    fclose(f);"#,
        &["changes in CANARY (--writable CANARY allows them)", "changes in / (--writable / allows them)"],
    ),
    line(
        "a descriptor of a file outside",
        r#"
    int fd = open(FILE_OUTSIDE, O_RDONLY);
    assert(fd >= 0);
    REFUSED(write(fd, "x", 1), EBADF);
    REFUSED(fchmod(fd, 0), EROFS);
    assert(fchown(fd, 1, 1) == -1);
    REFUSED(futimens(fd, 0), EROFS);
    assert(fsetxattr(fd, "user.x", "y", 1, 0) == -1);
    assert(ftruncate(fd, 0) == -1);
    assert(flock(fd, LOCK_EX) == -1);
    int folder = open(CANARY, O_RDONLY | O_DIRECTORY);
    assert(folder >= 0);
    REFUSED(openat(folder, "file", O_WRONLY | O_TRUNC), EROFS);
    REFUSED(unlinkat(folder, "file", 0), EROFS);
    REFUSED(openat(folder, ".", O_TMPFILE | O_WRONLY, 0600), EROFS);"#,
    ),
    line(
        "its own folder",
        r#"
    char here[100];
    assert(getcwd(here, sizeof here) && !strcmp(here, "/tmp/stairway"));
    assert(!mkdir("sub", 0700) && !chdir("sub") && getcwd(here, sizeof here) && !strcmp(here, "/tmp/stairway/sub"));
    int fd = open("../file", O_CREAT | O_RDWR | O_EXCL, 0600);
    assert(fd >= 0 && write(fd, "ab", 2) == 2 && lseek(fd, 0, SEEK_SET) == 0);
    assert(!rename("/tmp/stairway/file", "moved") && !access("moved", R_OK | W_OK) && !truncate("moved", 1));
    struct stat status;
    assert(!stat("moved", &status) && status.st_size == 1 && !chmod("moved", 0400) && !unlink("moved"));
    assert(!chdir("..") && !rmdir("sub"));
    char name[] = "/tmp/exampleXXXXXX";
    assert(mkstemp(name) >= 0);
    FILE *f = tmpfile();
    assert(f && fputs("x", f) >= 0);
    fclose(f);"#,
    ),
    line(
        "chdir",
        r#"
    assert(!chdir(CANARY));
    REFUSED(open("file", O_WRONLY | O_TRUNC), EROFS);
    REFUSED(open("new", O_CREAT | O_WRONLY, 0600), EROFS);
    REFUSED(truncate("file", 0), EROFS);
    REFUSED(unlink("file"), EROFS);
    REFUSED(rename("file", "/tmp/mine"), EROFS);
    REFUSED(chmod("file", 0), EROFS);
    REFUSED(chown("file", 1, 1), EROFS);
    REFUSED(utime("file", 0), EROFS);
    REFUSED(setxattr("file", "user.x", "y", 1, 0), EROFS);
    assert(!chdir("/"));
    REFUSED(mkdir("stairway-was-here", 0700), EROFS);"#,
    ),
    line(
        "the folder of the next sequence",
        r#"
    static int is_later;
    char here[100];
    if (!is_later) assert(getcwd(here, sizeof here) && !strcmp(here, "/tmp/stairway") && access("left", F_OK));
    is_later = 1;
    open("left", O_CREAT | O_WRONLY, 0600);
    chdir("/");"#,
    ),
    line(
        "..",
        r#"
    REFUSED(open("../../../../../../../../" CANARY "/file", O_WRONLY | O_TRUNC), EROFS);
    REFUSED(unlink("../.." CANARY "/file"), EROFS);
    REFUSED(open("../../stairway-was-here", O_CREAT | O_WRONLY, 0600), EROFS);
    REFUSED(mkdir("x/../../../y", 0700), EROFS);
    REFUSED(truncate("../.." CANARY "/file", 0), EROFS);
    REFUSED(rename("../.." CANARY "/file", "mine"), EROFS);
    REFUSED(chmod("../.." CANARY "/file", 0), EROFS);
    REFUSED(chown("../.." CANARY "/file", 1, 1), EROFS);
    REFUSED(utime("../.." CANARY "/file", 0), EROFS);
    REFUSED(setxattr("../.." CANARY "/file", "user.x", "y", 1, 0), EROFS);"#,
    ),
    line(
        "symbolic links",
        r#"
    unlink("file"), unlink("folder"), unlink("root");
    assert(!symlink(FILE_OUTSIDE, "file") && !symlink(CANARY, "folder") && !symlink("/", "root"));
    REFUSED(open("file", O_WRONLY | O_TRUNC), EROFS);
    REFUSED(open("folder/new", O_CREAT | O_WRONLY, 0600), EROFS);
    REFUSED(truncate("file", 0), EROFS);
    REFUSED(chmod("file", 0), EROFS);
    REFUSED(utime("file", 0), EROFS);
    REFUSED(unlink("folder/file"), EROFS);
    REFUSED(rename("folder/file", "mine"), EROFS);
    REFUSED(link("folder/file", "mine"), EROFS);
    REFUSED(mkdir("root/stairway-was-here", 0700), EROFS);
    REFUSED(chown("file", 1, 1), EROFS);
    REFUSED(setxattr("file", "user.x", "y", 1, 0), EROFS);
    assert(lsetxattr("file", "user.x", "y", 1, 0) == -1 && fchownat(AT_FDCWD, "folder/file", 1, 1, 0) == -1);"#,
    ),
    line(
        "/dev/shm",
        r#"
    REFUSED(open(SHARED, O_WRONLY | O_TRUNC), EROFS);
    REFUSED(unlink(SHARED), EROFS);
    assert(shm_open("/stairway-was-here", O_CREAT | O_RDWR, 0600) == -1);
    int fd = open("/dev/null", O_WRONLY);
    assert(fd >= 0 && write(fd, "x", 1) == 1);
    fd = open("/dev/zero", O_RDONLY);
    char c = 1;
    assert(fd >= 0 && read(fd, &c, 1) == 1 && c == 0);"#,
    ),
    line(
        "/proc/self",
        r#"
    REFUSED(open("/proc/self/mem", O_RDWR), EROFS);
    REFUSED(open("/proc/self/mem", O_RDONLY), EACCES);
    REFUSED(open("/proc/self/fd/1", O_WRONLY), EROFS);
    REFUSED(open("/proc/self/root" CANARY "/file", O_WRONLY | O_TRUNC), EROFS);
    REFUSED(open("/proc/self/cwd/../../stairway-was-here", O_CREAT | O_WRONLY, 0600), EROFS);
    REFUSED(open("/dev/stdout", O_WRONLY), EROFS);
    REFUSED(open("/proc/sys/kernel/core_pattern", O_WRONLY), EROFS);
    REFUSED(open("/sys/power/state", O_WRONLY), EROFS);"#,
    ),
    refused(
        "a socket outside",
        r#"
    REFUSED(socket(AF_UNIX, SOCK_STREAM, 0), EACCES);
    REFUSED(open(CANARY "/socket", O_RDONLY), EACCES);"#,
        &["socket (--network allows it)"],
    ),
    refused(
        "sockets",
        r#"
    REFUSED(socket(AF_INET, SOCK_STREAM, 0), EACCES);
    REFUSED(socket(AF_INET6, SOCK_DGRAM, 0), EACCES);
    REFUSED(syscall(SYS_socket, AF_NETLINK, SOCK_RAW, 0), EACCES);
    int two[2];
    REFUSED(socketpair(AF_UNIX, SOCK_STREAM, 0, two), EACCES);
    for (int fd = 0; fd < 100; fd++) assert(send(fd, "x", 1, 0) == -1);"#,
        &["socket (--network allows it)"],
    ),
    line(
        "posix_spawn",
        r#"
    pid_t pid;
    char *arguments[] = { "sh", "-c", "echo x > " FILE_OUTSIDE, 0 };
    assert(posix_spawn(&pid, "/bin/sh", 0, 0, arguments, 0) != 0);
    assert(system("echo x > " FILE_OUTSIDE) != 0);
    assert(!popen("echo x > " FILE_OUTSIDE, "r"));
    assert(execv("/bin/sh", arguments) == -1);"#,
    ),
    refused(
        "fork, clone and vfork",
        r#"
    REFUSED(syscall(SYS_fork), EAGAIN);
    REFUSED(syscall(SYS_vfork), EAGAIN);
    REFUSED(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0), EAGAIN);
    REFUSED(syscall(SYS_clone, CLONE_VM | SIGCHLD, 0, 0, 0, 0), EAGAIN);
    REFUSED(syscall(SYS_clone3, 0, 0), ENOSYS);
    char *arguments[] = { "sh", 0 };
    REFUSED(syscall(SYS_execve, "/bin/sh", arguments, 0), EACCES);
    REFUSED(syscall(SYS_ptrace, 0, 0, 0, 0), EPERM);
    REFUSED(syscall(SYS_unshare, CLONE_NEWUSER), EPERM);"#,
        &["refused by the sandbox: fork", "refused by the sandbox: execve"],
    ),
    seldom("a fork bomb", "for (int k = 0; k < 1000; k++) { syscall(SYS_fork); fork(); }"),
    line(
        "signals to others",
        r#"
    REFUSED(kill(1, SIGKILL), EPERM);
    REFUSED(kill(-1, SIGTERM), EPERM);
    REFUSED(kill(getppid(), SIGTERM), EPERM);
    REFUSED(killpg(1, SIGTERM), EPERM);
    REFUSED(sigqueue(getppid(), SIGTERM, (union sigval){ 0 }), EPERM);
    REFUSED(syscall(SYS_kill, getppid(), SIGKILL), EPERM);
    REFUSED(syscall(SYS_kill, -1, SIGKILL), EPERM);
    REFUSED(syscall(SYS_tkill, 1, SIGKILL), EPERM);
    REFUSED(syscall(SYS_pidfd_open, 1, 0), EPERM);
    for (int pid = 2; pid < 400; pid++) assert(syscall(SYS_kill, pid, SIGKILL) == -1);"#,
    ),
    ends("SIGSTOP to itself", "syscall(SYS_kill, getpid(), SIGSTOP);", "signal 19"),
    ends("SIGKILL to itself", "syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGKILL);", "signal 9"),
    ends("a signal to its group", "syscall(SYS_kill, 0, SIGTERM);", "signal 15"),
    ends("SIGABRT to itself", "syscall(SYS_kill, getpid(), SIGABRT);", "abort() was called"),
    Line {
        // Without fuel, so that only the clock ends it.
        code: r#"
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, 0);
    unsigned long mask = ~0ul;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, 0, 8);
    __asm__ volatile("1: jmp 1b");"#,
        comes: Ending::Failure("does not return"),
        run: Run::Alone(&["--timeout=30", "--calls=6", "--max-len=1"]),
        ..line("pthread_sigmask and a loop", "")
    },
    ends(
        "handlers of its own",
        r#"
    struct { void *handler; unsigned long flags; void *restorer; unsigned long mask; } ignore = { SIG_IGN, 0, 0, 0 };
    for (int sig = 1; sig < 64; sig++) {
        signal(sig, SIG_IGN);
        syscall(SYS_rt_sigaction, sig, &ignore, 0, 8);
    }
    struct itimerval timer = { .it_value = { 0, 1000 } };
    setitimer(ITIMER_REAL, &timer, 0);
    alarm(1);
    *(volatile int *)0 = 1;"#,
        "null pointer",
    ),
    line(
        "signal state of the next sequence",
        r#"
    static int is_later;
    unsigned long mask = 0, all = ~0ul;
    if (!is_later) assert(!syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, &mask, 8) && mask == 0);
    is_later = 1;
    assert(!syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, 0, 8));"#,
    ),
    seldom(
        "close of everything",
        r#"
    for (int fd = 0; fd < 1100; fd++) close(fd), syscall(SYS_close, fd);
    close_range(0, ~0u, 0);
    syscall(SYS_close_range, 3, ~0u, 0);
    closefrom(3);
    printf("still here\n");"#,
    ),
    seldom(
        "dup2 over everything",
        r#"
    int fd = open("mine", O_CREAT | O_RDWR, 0600);
    for (int to = 0; to < 1100; to++) if (to != fd) {
        dup2(fd, to);
        syscall(SYS_dup2, fd, to);
        syscall(SYS_dup3, fd, to, 0);
    }
    fcntl(fd, F_DUPFD, 100);"#,
    ),
    seldom(
        "descriptors 3 to 1000",
        r#"
    static char bytes[64];
    for (int fd = 3; fd <= 1000; fd++) {
        syscall(SYS_write, fd, "garbage", 7);
        write(fd, "garbage", 7);
        syscall(SYS_read, fd, bytes, sizeof bytes);
        syscall(SYS_pwrite64, fd, "garbage", 7, 0);
        syscall(SYS_ftruncate, fd, 0);
        lseek(fd, 0, SEEK_SET);
        fcntl(fd, F_SETFL, O_NONBLOCK);
        fchmod(fd, 0);
        syscall(SYS_ioctl, fd, 0x5421, &fd);
    }"#,
    ),
    line(
        "descriptors of the next sequence",
        r#"
    static int is_later;
    if (!is_later) for (int fd = 10; fd < 60; fd++) assert(fcntl(fd, F_GETFD) == -1);
    is_later = 1;
    for (int k = 0; k < 60; k++) syscall(SYS_open, "/dev/null", O_RDONLY);"#,
    ),
    line("exit_group", "if (n_hostile > 1) syscall(SYS_exit_group, 3);"),
    seldom(
        "a gigabyte of output",
        r#"
    static char text[1 << 16];
    memset(text, 'x', sizeof text);
    for (int k = 0; k < 16384; k++) syscall(SYS_write, 1 + k % 2, text, sizeof text);"#,
    ),
    seldom(
        "a gigabyte file",
        r#"
    static char text[1 << 20];
    int fd = open("large", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    assert(fd >= 0);
    int n = 0;
    while (n < 1024 && write(fd, text, sizeof text) == sizeof text) n++;
    assert(n == 16 && errno == EFBIG);
    close(fd);
    unlink("large");"#,
    ),
    seldom(
        "a hundred gigabytes",
        r#"
    long n = 0;
    while (n < 100l << 30) {
        char *p = malloc(1000);
        if (!p) break;
        n += 1000;
    }
    assert(n < 1l << 30);
    n = 0;
    while (n < 1000 && (void *)syscall(SYS_mmap, 0, 100l << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) n++;
    assert(n < 1000);"#,
    ),
    refused(
        "io_uring",
        r#"
    struct io_uring_params parameters = { 0 };
    REFUSED(syscall(SYS_io_uring_setup, 8, &parameters), ENOSYS);"#,
        &["io_uring"],
    ),
    line(
        "setenv",
        r#"
    static int is_later;
    assert(!strcmp(getenv("HOME"), "/tmp/stairway") && !getenv("STAIRWAY_WORKER") && !getenv("CARGO"));
    if (!is_later) assert(!getenv("LEFT") && getenv("PATH"));
    is_later = 1;
    assert(!setenv("LEFT", "1", 1) && !unsetenv("PATH"));
    assert(getenv("LEFT") && !getenv("PATH"));
    assert(!setenv("PATH", "/bin", 1));"#,
    ),
    line(
        "umask",
        r#"
    static int is_later;
    mode_t before = umask(0);
    if (!is_later) assert(before == 022);
    is_later = 1;"#,
    ),
    line(
        "setrlimit",
        r#"
    struct rlimit limit = { 3, 3 };
    assert(setrlimit(RLIMIT_NOFILE, &limit) == -1 && errno == EPERM);
    assert(setrlimit(RLIMIT_CPU, &limit) == -1);
    REFUSED(syscall(SYS_prlimit64, 0, RLIMIT_AS, &limit, 0), EPERM);
    assert(!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur == 256);"#,
    ),
    line(
        "prctl",
        r#"
    REFUSED(prctl(PR_SET_PDEATHSIG, 0), EPERM);
    REFUSED(prctl(PR_SET_SECCOMP, 2, 0), EPERM);
    REFUSED(syscall(SYS_seccomp, 1, 0, 0), EPERM);
    REFUSED(syscall(SYS_setuid, 0), EPERM);
    REFUSED(setpriority(PRIO_PROCESS, 0, 10), EPERM);
    assert(setsid() == -1);"#,
    ),
    line(
        "the same values in every run",
        r#"
    static int is_later;
    if (is_later) return 0;
    is_later = 1;
    assert(getpid() == 1000 && getppid() == 1 && syscall(SYS_gettid) == 1000 && getuid() == 1000);
    unsigned char one[8], other[8];
    assert(getrandom(one, 8, 0) == 8);
    assert(one[0] == 0xd6 && one[7] == 0xf6);
    assert(syscall(SYS_getrandom, one, 8, 0) == 8);
    int fd = open("/dev/urandom", O_RDONLY);
    assert(fd >= 0 && read(fd, one, 8) == 8 && close(fd) == 0);
    fd = open("/dev/random", O_RDONLY);
    assert(fd >= 0 && read(fd, other, 8) == 8 && !memcmp(one, other, 8));
    struct timespec now, later;
    assert(!syscall(SYS_clock_gettime, CLOCK_REALTIME, &now) && !clock_gettime(CLOCK_MONOTONIC, &later));
    assert(now.tv_sec == 1700000000 && later.tv_nsec > now.tv_nsec);
    assert(syscall(SYS_time, 0) == 1700000000);
    struct utsname name;
    assert(!uname(&name) && !strcmp(name.nodename, "stairway"));"#,
    ),
    line(
        "atexit",
        r#"
    atexit((void (*)(void))abort);
    on_exit((void (*)(int, void *))abort, 0);
    at_quick_exit((void (*)(void))abort);"#,
    ),
    Line {
        before: "__attribute__((constructor)) static void first(void) { *(volatile int *)0 = 1; }",
        comes: Ending::Nothing,
        run: Run::Alone(&["--timeout=5000", "--calls=20"]),
        ..line("a constructor that crashes", "")
    },
    Line {
        before: r#"
__attribute__((constructor)) static void first(void)
{
    int fd = open(FILE_OUTSIDE, O_WRONLY | O_TRUNC);
    if (fd >= 0) write(fd, "x", 1);
    unlink(FILE_OUTSIDE);
    syscall(SYS_kill, getppid(), SIGKILL);
}"#,
        run: Run::Alone(&["--timeout=5000", "--calls=60"]),
        ..line("a constructor that writes", "")
    },
    Line {
        before: "static void *spin(void *p) { for (int k = 0; k < 1000; k++) usleep(1000); return p; }",
        ..line("threads that outlive the call", "pthread_t thread; pthread_create(&thread, 0, spin, 0);")
    },
    Line {
        before: "static jmp_buf place;\nstatic void jump(void) { longjmp(place, 1); }",
        ..line("longjmp", "if (!setjmp(place)) jump();")
    },
    Line {
        before: "static jmp_buf left;\nstatic void leave_it(void) { longjmp(left, 1); }",
        ..line("longjmp out of the call", "if (n_hostile > 1) leave_it(); setjmp(left);")
    },
    refused(
        "mmap over everything",
        r#"
    for (unsigned long at = 0x10000; at < 0x7fffffff0000; at = at * 2)
        syscall(SYS_mmap, at, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    REFUSED(syscall(SYS_mmap, (unsigned long)&bug & ~4095ul, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), ENOMEM);
    char *p = (char *)syscall(SYS_mmap, 0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(p != MAP_FAILED && !syscall(SYS_munmap, p, 8192));"#,
        &["mmap over memory that is not the code's"],
    ),
    line(
        "munmap of our pages",
        r#"
    static int variable;
    unsigned long page = (unsigned long)&variable & ~4095ul;
    REFUSED(syscall(SYS_munmap, page, 4096), EINVAL);
    REFUSED(syscall(SYS_munmap, 0x200000000000ul, 1l << 28), EINVAL);
    REFUSED(syscall(SYS_munmap, 0, 1l << 46), EINVAL);
    REFUSED(syscall(SYS_mprotect, page, 4096, PROT_NONE), ENOMEM);
    assert(munmap((void *)page, 4096) == -1 && mprotect((void *)page, 4096, PROT_NONE) == -1);
    syscall(SYS_brk, 4096);
    syscall(SYS_madvise, page, 4096, MADV_DONTNEED);
    assert(mremap((void *)page, 4096, 8192, MREMAP_MAYMOVE) == MAP_FAILED);"#,
    ),
    refused(
        "a file that is not there",
        r#"
    assert(!fopen("settings.ini", "r") && errno == ENOENT);"#,
        &["not found in the code's folder: open settings.ini (--files DIR brings files along)"],
    ),
];
