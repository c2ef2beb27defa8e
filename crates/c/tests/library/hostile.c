/* What C must not do to the machine of whoever tests it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Answers 0, or the error with which it was refused. */
static int error_of(long answer) { return answer == -1 ? errno : 0; }

int save(const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f) return errno;
    fputs("saved", f);
    fclose(f);
    return 0;
}

int drop(const char *path) { return error_of(unlink(path)); }
int move_to(const char *path, const char *to) { return error_of(rename(path, to)); }
int protect(const char *path) { return error_of(chmod(path, 0)); }
int signal_to(int pid) { return error_of(syscall(SYS_kill, pid, SIGKILL)); }
int start_process(void) { return error_of(syscall(SYS_fork)); }
int start_thread(void) { return error_of(syscall(SYS_clone, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, 0, 0, 0, 0)); }
int start_program(void)
{
    char *arguments[] = { "sh", "-c", "exit", 0 };
    return error_of(syscall(SYS_execve, "/bin/sh", arguments, 0));
}
int talk(void) { return error_of(socket(AF_INET, SOCK_STREAM, 0)); }
int end_process(int code) { return (int)syscall(SYS_exit_group, code); }
int abort_it(void) { return (int)syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGABRT); }
int process(void) { return getpid(); }
int folder_mode(void) { mode_t before = umask(077); return (int)before; }

/* The first byte of a file, or an error, negative. */
int first_of(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) return -errno;
    int c = fgetc(f);
    fclose(f);
    return c;
}

int place(char to[64]) { return getcwd(to, 64) ? 0 : errno; }
int go(const char *path) { return error_of(chdir(path)); }

/* Writes to, closes and replaces whatever is open in the process. */
int use_descriptors(void)
{
    int n = 0;
    int mine = open("mine", O_CREAT | O_RDWR, 0600);
    for (int fd = 0; fd < 400; fd++) {
        if (fd == mine) continue;
        n += syscall(SYS_write, fd > 2 ? fd : 999, "garbage", 7) == 7;
        n += syscall(SYS_ftruncate, fd, 0) == 0;
        n += syscall(SYS_dup2, mine, fd) == fd;
        n += syscall(SYS_close, fd > 2 ? fd : 999) == 0;
    }
    syscall(SYS_close_range, 3, ~0u, 0);
    return n;
}

int grow(void)
{
    static char text[1 << 20];
    int fd = open("large", O_CREAT | O_WRONLY, 0600), n = 0;
    while (n < 1024 && write(fd, text, sizeof text) == sizeof text) n++;
    return errno == EFBIG ? n : -errno;
}

int map_everything(void)
{
    int n = 0;
    while (n < 10000 && (void *)syscall(SYS_mmap, 0, 100l << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) n++;
    return n;
}

int hoard(void)
{
    static struct hsearch_data tables[100];
    int n = 0;
    while (n < 100 && hcreate_r(1 << 20, &tables[n])) n++;
    return n;
}

int asked(int question);
int ask(int question) { return asked(question); }
