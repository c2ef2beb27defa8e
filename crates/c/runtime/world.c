/*
 * What the code shares with its process and could leave behind for the next sequence, or see differently in the next
 * run: the environment, mappings, random bytes, other processes. The sandbox answers system calls; this answers the C
 * library's functions, so that both agree and code that is not confined behaves the same.
 */
#include "internal.h"
static int raise_signal(int sig, void *pc);
#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/time.h>

/* The environment: changed in place by the C library, put back at `reset`. */
#define MAX_VARIABLES 64
extern char **environ;
REAL(setenv);
REAL(unsetenv);
REAL(putenv);
REAL(clearenv);
STATE static char *first_environment[MAX_VARIABLES + 1];
STATE static int is_environment_kept, is_environment_changed;

static void keep_environment(void)
{
    is_environment_changed = 1;
    if (is_environment_kept) return;
    is_environment_kept = 1;
    for (unsigned k = 0; k < MAX_VARIABLES && environ && environ[k]; k++) first_environment[k] = environ[k];
}
static void reset_environment(void)
{
    if (!is_environment_changed) return;
    is_environment_changed = 0;
    /* The C library copies what is not its own before it changes it. */
    STATE static char *now[MAX_VARIABLES + 1];
    memcpy(now, first_environment, sizeof now);
    environ = now;
}
WRAP(int, setenv)(const char *name, const char *value, int is_forced)
{
    terminated(name, RA);
    terminated(value, RA);
    keep_environment();
    return setenv(name, value, is_forced);
}
WRAP(int, unsetenv)(const char *name) { terminated(name, RA); keep_environment(); return unsetenv(name); }
WRAP(int, putenv)(char *entry) { terminated(entry, RA); keep_environment(); return putenv(entry); }
WRAP(int, clearenv)(void) { keep_environment(); return clearenv(); }

/* Other processes: none can be started, and none gets a signal. */
#define OWN_PID 1000
static int is_own_process(int pid) { return pid == 0 || pid == OWN_PID || pid == getpid(); }
static int signal_to(int pid, int sig, void *pc)
{
    if (!is_own_process(pid < 0 ? -pid : pid) || pid == -1) {
        /* The sandbox knows what was started, and notes what is refused. */
        if (S.layout.is_confined) return (int)syscall(SYS_kill, pid, sig);
        errno = EPERM;
        return -1;
    }
    return raise_signal(sig, pc);
}
WRAP(int, kill)(int pid, int sig) { return signal_to(pid, sig, RA); }
WRAP(int, killpg)(int group, int sig) { return signal_to(-group, sig, RA); }
WRAP(int, sigqueue)(int pid, int sig, void *value) { (void)value; return signal_to(pid, sig, RA); }
REAL(posix_spawn);
REAL(posix_spawnp);
WRAP(int, posix_spawn)(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes, char *const a[], char *const e[])
{
    if (!S.layout.mark) return refuse_process(), EAGAIN;
    return AS_HOST(int, posix_spawn(pid, path, actions, attributes, a, e));
}
WRAP(int, posix_spawnp)(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes, char *const a[], char *const e[])
{
    if (!S.layout.mark) return refuse_process(), EAGAIN;
    return AS_HOST(int, posix_spawnp(pid, path, actions, attributes, a, e));
}

/* Random bytes: from the same numbers as `rand`. */
static void fill_randomly(void *to, uint64_t n, void *pc)
{
    range_access((uint64_t)to, n, 1, pc);
    for (uint64_t k = 0; k < n; k++) ((unsigned char *)to)[k] = (unsigned char)next_random(&S.random);
}
WRAP(ssize_t, getrandom)(void *to, size_t n, unsigned flags)
{
    (void)flags;
    fill_randomly(to, n, RA);
    return (ssize_t)n;
}
WRAP(int, getentropy)(void *to, size_t n)
{
    if (n > 256) {
        errno = EIO;
        return -1;
    }
    fill_randomly(to, n, RA);
    return 0;
}
static uint32_t random_word(void) { return (uint32_t)(next_random(&S.random) << 16 ^ next_random(&S.random)); }
WRAP(uint32_t, arc4random)(void) { return random_word(); }
WRAP(void, arc4random_buf)(void *to, size_t n) { fill_randomly(to, n, RA); }
WRAP(uint32_t, arc4random_uniform)(uint32_t bound) { return bound < 2 ? 0 : random_word() % bound; }
WRAP(int, timespec_get)(struct timespec *out, int base)
{
    uint64_t t = now_us();
    range_access((uint64_t)out, sizeof *out, 1, RA);
    *out = (struct timespec){ (time_t)(t / 1000000), (long)(t % 1000000) * 1000 };
    return base;
}

/* Memory: only what the code has mapped is its own to change, and is gone at `reset`. */
REAL(mprotect);
REAL(madvise);
#define MAX_MAPPED 1024
STATE static struct sw_range mapped[MAX_MAPPED];
STATE static int is_mapped_any;

static struct sw_range *mapping_of(const void *p, size_t n)
{
    for (unsigned k = 0; k < MAX_MAPPED; k++) {
        uint64_t at = (uint64_t)p - mapped[k].address;
        if (at < mapped[k].size && n <= mapped[k].size - at) return &mapped[k];
    }
    return 0;
}
static int refuse_memory(int code) { errno = code; return -1; }
WRAP(void *, mmap)(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
    struct sw_range *place = 0;
    for (unsigned k = 0; k < MAX_MAPPED && !place; k++) if (!mapped[k].size) place = &mapped[k];
    void *p = flags & MAP_FIXED || !place || (fd >= 0 && is_hosts(fd)) ? MAP_FAILED : mmap(at, n, protection, flags, fd, offset);
    if (p == MAP_FAILED) {
        errno = ENOMEM;
        return p;
    }
    *place = (struct sw_range){ (uint64_t)p, (n + 4095) & ~4095ul };
    is_mapped_any = 1;
    allow_foreign(p, place->size);
    return p;
}
WRAP(int, munmap)(void *p, size_t n)
{
    struct sw_range *own = mapping_of(p, n);
    if (!own || own->address != (uint64_t)p) return refuse_memory(EINVAL);
    for (uint64_t k = 0; k < S.n_foreign && k < SW_MAX_FOREIGN; k++)
        if (foreign()[k].address == (uint64_t)p) foreign()[k] = (struct sw_range){ 0, 0 };
    n = (n + 4095) & ~4095ul;
    *own = n < own->size ? (struct sw_range){ own->address + n, own->size - n } : (struct sw_range){ 0, 0 };
    return munmap(p, n);
}
WRAP(int, mprotect)(void *p, size_t n, int protection) { return mapping_of(p, n) ? mprotect(p, n, protection) : refuse_memory(ENOMEM); }
WRAP(int, madvise)(void *p, size_t n, int advice) { return mapping_of(p, n) ? madvise(p, n, advice) : refuse_memory(ENOMEM); }
WRAP(void *, mremap)(void *p, size_t n, size_t size, int flags, ...)
{
    (void)p, (void)n, (void)size, (void)flags;
    refuse_memory(ENOMEM);
    return MAP_FAILED;
}
static void reset_mappings(void)
{
    for (unsigned k = 0; is_mapped_any && k < MAX_MAPPED; k++) {
        if (mapped[k].size) munmap((void *)mapped[k].address, mapped[k].size);
        mapped[k] = (struct sw_range){ 0, 0 };
    }
    is_mapped_any = 0;
}
