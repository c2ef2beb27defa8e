/*
 * What would reach beyond the call: ends of the process, other processes, threads, signals, the clock, random
 * numbers, the terminal. The code gets a small world of its own that is the same in every run.
 */
#include "internal.h"
static int deliver_alarm(void *pc);
static ssize_t write_awaited(int fd, const void *s, size_t n, void *pc);
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static ssize_t keep_output(void *cookie, const char *text, size_t n);
REAL(fputs);
REAL(vdprintf);
REAL(getenv);
REAL(strerror);
REAL(readdir);

static void __attribute__((noreturn)) end(uint32_t kind, uint32_t code, const char *text, void *pc)
{
    S.report.violation = (struct sw_violation){ .code = code, .text = text, .pc = (uint64_t)pc };
    leave(kind);
}

/* For the sandbox: what a system call of the code's own comes to. */
static void sw_end(uint32_t is_signal, uint32_t code)
{
    if (S.guard && S.armed) end(!is_signal ? SW_EXIT : code == SIGABRT ? SW_ABORT : SW_SIGNAL, code, 0, (void *)S.last_pc);
}
static void sw_print(const char *text, uint64_t n) { keep_output(0, text, n); }

WRAP(void, exit)(int code) { end(SW_EXIT, (uint32_t)code, 0, RA); }
WRAP(void, _exit)(int code) { end(SW_EXIT, (uint32_t)code, 0, RA); }
WRAP(void, _Exit)(int code) { end(SW_EXIT, (uint32_t)code, 0, RA); }
WRAP(void, quick_exit)(int code) { end(SW_EXIT, (uint32_t)code, 0, RA); }
WRAP(void, err)(int code, const char *format, ...) { (void)format; end(SW_EXIT, (uint32_t)code, 0, RA); }
WRAP(void, errx)(int code, const char *format, ...) { (void)format; end(SW_EXIT, (uint32_t)code, 0, RA); }
WRAP(void, abort)(void) { end(SW_ABORT, 0, 0, RA); }
WRAP(void, __assert_fail)(const char *text, const char *file, unsigned line, const char *function)
{
    (void)function;
    S.report.violation = (struct sw_violation){ .text = text, .file = file, .line = line, .pc = (uint64_t)RA };
    leave(SW_ASSERT);
}
/* CN's: a file need not include assert.h to assert something. */
CN(void, assert)(int holds)
{
    if (holds) return;
    S.report.violation = (struct sw_violation){ .text = "assert", .pc = (uint64_t)RA };
    leave(SW_ASSERT);
}
WRAP(void, __stack_chk_fail)(void) { end(SW_SMASHED, 0, 0, RA); }
WRAP(void, __chk_fail)(void) { end(SW_SMASHED, 0, 0, RA); }
WRAP(int, atexit)(void (*f)(void)) { (void)f; return 0; }

/* A function that is declared and called, and defined nowhere: the build makes a stub that calls this. */
void stairway_missing(const char *name) { end(SW_MISSING, 0, name, RA); }

/* No other processes, unless the sandbox holds those as well. What the C library does to start one then passes for Stairway's doing: a child
   with a stack of its own cannot return from the sandbox's handler. */
REAL(system);
REAL(popen);
REAL(execve);
REAL(execvp);
REAL(dup2);
extern char **environ;
#define AS_HOST(type, call) ({ uint8_t was = *S.layout.mark; *S.layout.mark = 0; type answer = (call); *S.layout.mark = was; answer; })
static int refuse_process(void)
{
    if (S.layout.is_confined && !S.layout.mark) syscall(SYS_fork); /* refused, and noted */
    errno = EAGAIN;
    return -1;
}
static FILE *opened_stream(FILE *f);
static int start_process(void)
{
    if (!S.layout.mark) return refuse_process();
    int pid = (int)syscall(SYS_fork);
    if (!pid) S.is_child = 1;
    return pid;
}
WRAP(int, fork)(void) { return start_process(); }
WRAP(int, vfork)(void) { return start_process(); }
WRAP(int, system)(const char *s)
{
    if (!S.layout.mark) return s ? refuse_process() : 0;
    if (s) terminated(s, RA);
    return AS_HOST(int, system(s));
}
WRAP(FILE *, popen)(const char *s, const char *mode)
{
    if (!S.layout.mark) return refuse_process(), (FILE *)0;
    terminated(s, RA);
    terminated(mode, RA);
    return opened_stream(AS_HOST(FILE *, popen(s, mode)));
}
/* The process itself is Stairway's; a child may become another program. */
static int become(const char *p, char *const a[], char *const e[]) { return S.is_child ? execve(p, a, e) : refuse_process(); }
static int become_found(const char *p, char *const a[]) { return S.is_child ? execvp(p, a) : refuse_process(); }
#define MAX_ARGUMENTS 256
#define LISTED(last) \
    char *listed[MAX_ARGUMENTS] = { (char *)last }; va_list arguments; va_start(arguments, last); \
    for (unsigned k = 1; listed[k - 1] && k < MAX_ARGUMENTS - 1; k++) listed[k] = va_arg(arguments, char *); \
    va_end(arguments)
WRAP(int, execv)(const char *p, char *const a[]) { return become(p, a, environ); }
WRAP(int, execvp)(const char *p, char *const a[]) { return become_found(p, a); }
WRAP(int, execve)(const char *p, char *const a[], char *const e[]) { return become(p, a, e); }
WRAP(int, execl)(const char *p, const char *a, ...) { LISTED(a); return become(p, listed, environ); }
WRAP(int, execlp)(const char *p, const char *a, ...) { LISTED(a); return become_found(p, listed); }

/* Time passes when it is asked for, and sleeping is free. */
#define EPOCH 1700000000ul
static uint64_t now_us(void) { return EPOCH * 1000000ul + 1000 * S.clock++; }
WRAP(time_t, time)(time_t *out)
{
    time_t t = (time_t)(now_us() / 1000000);
    if (out) {
        check_write((uint64_t)out, sizeof *out, RA);
        *out = t;
    }
    return t;
}
WRAP(clock_t, clock)(void) { return (clock_t)(1000 * S.clock++); }
WRAP(int, gettimeofday)(struct timeval *out, void *zone)
{
    (void)zone;
    uint64_t t = now_us();
    range_access((uint64_t)out, sizeof *out, 1, RA);
    *out = (struct timeval){ (time_t)(t / 1000000), (suseconds_t)(t % 1000000) };
    return 0;
}
WRAP(int, clock_gettime)(int which, struct timespec *out)
{
    (void)which;
    uint64_t t = now_us();
    range_access((uint64_t)out, sizeof *out, 1, RA);
    *out = (struct timespec){ (time_t)(t / 1000000), (long)(t % 1000000) * 1000 };
    return 0;
}
WRAP(unsigned, sleep)(unsigned s) { S.clock += 1000ul * s; run_threads(); deliver_alarm(RA); return 0; }
WRAP(int, usleep)(unsigned us) { S.clock += us / 1000; run_threads(); deliver_alarm(RA); return 0; }
WRAP(int, nanosleep)(const struct timespec *t, struct timespec *rest)
{
    (void)rest;
    range_access((uint64_t)t, sizeof *t, 0, RA);
    S.clock += (uint64_t)t->tv_sec * 1000 + (uint64_t)t->tv_nsec / 1000000;
    run_threads();
    deliver_alarm(RA);
    return 0;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return *state >> 33;
}
WRAP(int, rand)(void) { return (int)next_random(&S.random); }
WRAP(void, srand)(unsigned seed) { S.random = seed; }
WRAP(long, random)(void) { return (long)next_random(&S.random); }
WRAP(void, srandom)(unsigned seed) { S.random = seed; }
WRAP(int, rand_r)(unsigned *seed)
{
    check_read((uint64_t)seed, 4, RA);
    check_write((uint64_t)seed, 4, RA);
    uint64_t state = *seed;
    uint64_t n = next_random(&state);
    *seed = (unsigned)(state >> 13);
    return (int)n;
}

/* The terminal: nothing to read; what is written is kept up to a limit and counted. */
STATE FILE *__wrap_stdin, *__wrap_stdout, *__wrap_stderr;

static void close_files(void);
static void reset_environment(void);
static void reset_mappings(void);
static void reset_signals(void);
static void reset_c_library(void);
static int is_hosts(int fd);
static int refuse_file(void);
REAL(fopen);
REAL(setvbuf);

static ssize_t keep_output(void *cookie, const char *text, size_t n)
{
    (void)cookie;
    uint64_t room = SW_OUTPUT_SIZE - S.output_used, kept = n < room ? n : room;
    memcpy((char *)SW_OUTPUT + S.output_used, text, kept);
    S.output_used += kept;
    S.report.n_output += n;
    return (ssize_t)n;
}

static void reset_process(void)
{
    S.strtok_rest = 0;
    S.random = S.clock = 1;
    S.output_used = 0;
    close_files();
    reset_environment();
    reset_mappings();
    reset_signals();
    reset_c_library();
    if (!S.out) {
        /* From the C library's own heap; unbuffered, so that nothing is left when a call ends early. */
        S.in = fopen("/dev/null", "r");
        S.out = fopencookie(0, "w", (cookie_io_functions_t){ .write = keep_output });
        if (S.out) setvbuf(S.out, 0, _IONBF, 0);
    }
    __wrap_stdin = S.in;
    __wrap_stdout = __wrap_stderr = S.out;
    if (S.out) clearerr(S.out);
}

/* Files: the host's descriptors are not the code's to close or write, the code's own are closed at `reset`. */
#define MAX_FILES 256
REAL(close);
REAL(fclose);
REAL(freopen);
REAL(tmpfile);
REAL(dup);

static void notice_files(void)
{
    /* In a test's process descriptors come and go, and only the sandbox knows which are the code's. */
    int in = S.in ? fileno(S.in) : -1;
    for (int fd = 0; fd < MAX_FILES; fd++)
        if (S.layout.is_confined ? fd <= 2 || fd == in : fcntl(fd, F_GETFD) >= 0) S.host_files[fd / 64] |= 1ul << fd % 64;
}
static int is_hosts(int fd) { return fd >= 0 && fd < MAX_FILES && S.host_files[fd / 64] >> fd % 64 & 1; }
static int opened(int fd)
{
    burn(SYSTEM_CALL, 0);
    if (fd >= 0 && fd < MAX_FILES) S.own_files[fd / 64] |= 1ul << fd % 64;
    return fd;
}
static void closed(int fd)
{
    if (fd >= 0 && fd < MAX_FILES) S.own_files[fd / 64] &= ~(1ul << fd % 64);
}
static void close_files(void)
{
    for (int fd = 0; fd < MAX_FILES; fd++) {
        if (!S.own_files[fd / 64]) fd |= 63;
        else if (S.own_files[fd / 64] >> fd % 64 & 1) close(fd), closed(fd);
    }
}
static int refuse_file(void) { errno = EBADF; return -1; }
WRAP(int, close)(int fd) { if (is_hosts(fd)) return refuse_file(); closed(fd); return close(fd); }
WRAP(int, dup)(int fd) { return is_hosts(fd) ? refuse_file() : opened(dup(fd)); }
WRAP(int, dup2)(int from, int to) { return S.is_child ? dup2(from, to) : refuse_file(); }
WRAP(int, open)(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = va_arg(arguments, unsigned);
    va_end(arguments);
    terminated(path, RA);
    return opened(openat(AT_FDCWD, path, flags, mode));
}
WRAP(int, creat)(const char *path, unsigned mode)
{
    terminated(path, RA);
    return opened(openat(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode));
}
static FILE *opened_stream(FILE *f)
{
    if (f) opened(fileno(f));
    return f;
}
WRAP(FILE *, fopen)(const char *path, const char *mode) { terminated(path, RA); terminated(mode, RA); return opened_stream(fopen(path, mode)); }
/* What the headers call them with 64-bit offsets, which are the same here. */
WRAP(FILE *, fopen64)(const char *path, const char *mode) { terminated(path, RA); terminated(mode, RA); return opened_stream(fopen(path, mode)); }
WRAP(FILE *, tmpfile64)(void) { return opened_stream(tmpfile()); }
WRAP(int, open64)(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    unsigned mode = va_arg(arguments, unsigned);
    va_end(arguments);
    terminated(path, RA);
    return opened(openat(AT_FDCWD, path, flags, mode));
}
WRAP(FILE *, tmpfile)(void) { return opened_stream(tmpfile()); }
WRAP(FILE *, freopen)(const char *path, const char *mode, FILE *f) { return f == S.in || f == S.out ? f : opened_stream(freopen(path, mode, f)); }
WRAP(int, fclose)(FILE *f)
{
    if (f == S.in || f == S.out) return 0;
    closed(fileno(f));
    return fclose(f);
}
WRAP(int, setvbuf)(FILE *f, char *buffer, int mode, size_t n) { (void)f, (void)buffer, (void)mode, (void)n; return 0; }
WRAP(void, setbuf)(FILE *f, char *buffer) { (void)f, (void)buffer; }

static int say(const char *format, va_list arguments, void *pc)
{
    terminated(format, pc);
    burn(FORMATTING, pc);
    return vfprintf(S.out, format, arguments);
}
#define SAY() va_list arguments; va_start(arguments, format); int n = say(format, arguments, RA); va_end(arguments); return n
WRAP(int, printf)(const char *format, ...) { SAY(); }
WRAP(int, __printf_chk)(int flag, const char *format, ...) { (void)flag; SAY(); }
WRAP(int, vprintf)(const char *format, va_list arguments) { return say(format, arguments, RA); }
WRAP(void, warn)(const char *format, ...) { va_list arguments; va_start(arguments, format); say(format, arguments, RA); va_end(arguments); }
WRAP(void, warnx)(const char *format, ...) { va_list arguments; va_start(arguments, format); say(format, arguments, RA); va_end(arguments); }
static int say_to(int fd, const char *format, va_list arguments, void *pc)
{
    if (fd == 1 || fd == 2) return say(format, arguments, pc);
    return is_hosts(fd) ? refuse_file() : vdprintf(fd, format, arguments);
}
WRAP(int, vdprintf)(int fd, const char *format, va_list arguments) { return say_to(fd, format, arguments, RA); }
WRAP(int, dprintf)(int fd, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = say_to(fd, format, arguments, RA);
    va_end(arguments);
    return n;
}
WRAP(void, error)(int code, int number, const char *format, ...)
{
    (void)number;
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments, RA);
    va_end(arguments);
    if (code) end(SW_EXIT, (uint32_t)code, 0, RA);
}
WRAP(int, puts)(const char *s) { terminated(s, RA); fputs(s, S.out); return fputc('\n', S.out); }
WRAP(int, fputs)(const char *s, FILE *f) { terminated(s, RA); return fputs(s, f); }
WRAP(int, putchar)(int c) { return fputc(c, S.out); }
WRAP(void, perror)(const char *s) { if (s) terminated(s, RA); fputs("error\n", S.out); }
WRAP(ssize_t, write)(int fd, const void *s, size_t n)
{
    range_access((uint64_t)s, n, 0, RA);
    burn(SYSTEM_CALL, RA);
    if (fd == 1 || fd == 2) return keep_output(0, s, n);
    return is_hosts(fd) ? refuse_file() : write_awaited(fd, s, n, RA);
}
/* Scanning a string: done by the C library, then what it wrote is checked and counts as written. */
static unsigned scanned_size(const char **format, int *is_text)
{
    unsigned size = 4;
    *is_text = 0;
    for (const char *f = *format;; f++) {
        switch (*f) {
        case 'h': size = size == 2 ? 1 : 2; continue;
        case 'l': case 'j': case 'z': case 't': case 'q': size = 8; continue;
        case 'L': size = 16; continue;
        case '0' ... '9': continue;
        case 'p': *format = f + 1; return 8;
        case 's': case '[': *is_text = 1; /* fall through */
        default: *format = *f ? f + 1 : f; return size;
        }
    }
}
static void check_scanned(const char *format, va_list arguments, int n, void *pc)
{
    while (n > 0 && *format) {
        if (*format++ != '%') continue;
        if (*format == '%') { format++; continue; }
        int is_skipped = *format == '*', is_text;
        const char *conversion = format += is_skipped;
        unsigned size = scanned_size(&format, &is_text);
        if (is_skipped) continue;
        char *p = va_arg(arguments, char *);
        if (format[-1] == 'n') n++; /* does not count as an item */
        else if (format[-1] == 'c') size = 1;
        if (format[-1] == 'c') for (size = 0; *conversion >= '0' && *conversion <= '9'; conversion++) size = size * 10 + (unsigned)(*conversion - '0');
        if (!size) size = 1;
        range_access((uint64_t)p, is_text ? strlen(p) + 1 : size, 1, pc);
        n--;
    }
}
static int scan(const char *s, const char *format, va_list arguments, void *pc)
{
    va_list again;
    terminated(s, pc);
    terminated(format, pc);
    va_copy(again, arguments);
    int n = vsscanf(s, format, arguments);
    check_scanned(format, again, n, pc);
    va_end(again);
    return n;
}
#define SCAN() va_list arguments; va_start(arguments, format); int n = scan(s, format, arguments, RA); va_end(arguments); return n
WRAP(int, sscanf)(const char *s, const char *format, ...) { SCAN(); }
WRAP(int, __isoc99_sscanf)(const char *s, const char *format, ...) { SCAN(); }
WRAP(int, __isoc23_sscanf)(const char *s, const char *format, ...) { SCAN(); }
WRAP(int, getchar)(void) { return EOF; }
WRAP(int, scanf)(const char *format, ...) { (void)format; return EOF; }
WRAP(int, __isoc23_scanf)(const char *format, ...) { (void)format; return EOF; }
WRAP(int, __isoc99_scanf)(const char *format, ...) { (void)format; return EOF; }
CN(void, cn_print_u64)(const char *s, uint64_t n) { terminated(s, RA); fprintf(S.out, "%s: %lu\n", s, n); }
CN(void, cn_print_nr_u64)(int k, uint64_t n) { fprintf(S.out, "%d: %lu\n", k, n); }

/* Memory of the C library that the code may look at. */
WRAP(char *, getenv)(const char *name)
{
    terminated(name, RA);
    char *p = getenv(name);
    if (p) allow_foreign(p, strlen(p) + 1);
    return p;
}
WRAP(char *, strerror)(int code)
{
    char *p = strerror(code);
    if (p) allow_foreign(p, strlen(p) + 1);
    return p;
}
WRAP(struct dirent *, readdir)(DIR *d)
{
    struct dirent *e = readdir(d);
    if (e) allow_foreign(e, e->d_reclen);
    return e;
}
