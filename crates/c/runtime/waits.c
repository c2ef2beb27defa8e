/*
 * Waiting for what only this program could do: a pipe that it writes itself, descriptors that nothing happens on. There is no other process,
 * and threads run while somebody waits, so a wait that goes on after all of them have run would never end: the call is discarded (`SW_WAITS`),
 * at once and on every machine. Waits with a limit pass it on the code's own clock. Where the code may start processes, it really waits.
 */
#include "internal.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

REAL(poll);
REAL(ppoll);
REAL(select);
REAL(pselect);
REAL(epoll_wait);
REAL(epoll_pwait);
REAL(readv);
REAL(recv);
REAL(accept);
REAL(accept4);

/* Whether somebody else may end a wait. */
static int has_others(void) { return S.layout.mark != 0; }

/* After a look that has found nothing: whether to look again; if not, the time is over. `limit` in milliseconds, none if negative. */
static int looks_again(int64_t limit, const char *function, void *pc)
{
    burn(SYSTEM_CALL, pc);
    if (run_threads()) return 1;
    if (limit < 0) waits(function, pc);
    S.clock += (uint64_t)limit;
    return 0;
}

static void await_file(int fd, short events, const char *function, void *pc)
{
    if (has_others()) return;
    for (;;) {
        struct pollfd f = { .fd = fd, .events = events };
        int saved = errno, n = poll(&f, 1, 0);
        errno = saved;
        if (n || fcntl(fd, F_GETFL) & O_NONBLOCK) return;
        looks_again(-1, function, pc);
    }
}

/* A pipe takes a page whenever it takes anything. */
#define ONE_PAGE 4096ul
static int is_regular(int fd)
{
    struct stat about;
    return fstat(fd, &about) || !(S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode));
}
static ssize_t write_awaited(int fd, const void *s, size_t n, void *pc)
{
    if (has_others() || is_regular(fd) || fcntl(fd, F_GETFL) & O_NONBLOCK) return write(fd, s, n);
    size_t done = 0;
    do {
        size_t part = n - done < ONE_PAGE ? n - done : ONE_PAGE;
        await_file(fd, POLLOUT, "write", pc);
        ssize_t written = write(fd, (const char *)s + done, part);
        if (written < 0) return done ? (ssize_t)done : written;
        done += (size_t)written;
    } while (done < n);
    return (ssize_t)done;
}

WRAP(ssize_t, readv)(int fd, const struct iovec *parts, int n)
{
    range_access((uint64_t)parts, n > 0 ? (uint64_t)n * sizeof *parts : 0, 0, RA);
    for (int k = 0; k < n; k++) range_access((uint64_t)parts[k].iov_base, parts[k].iov_len, 1, RA);
    burn(SYSTEM_CALL, RA);
    if (is_hosts(fd)) return 0;
    await_file(fd, POLLIN, "readv", RA);
    return readv(fd, parts, n);
}
WRAP(ssize_t, recv)(int fd, void *d, size_t n, int flags)
{
    range_access((uint64_t)d, n, 1, RA);
    burn(SYSTEM_CALL, RA);
    if (is_hosts(fd)) return refuse_file();
    if (!(flags & MSG_DONTWAIT)) await_file(fd, POLLIN, "recv", RA);
    return recv(fd, d, n, flags);
}
WRAP(int, accept)(int fd, struct sockaddr *address, socklen_t *size)
{
    if (!is_hosts(fd)) await_file(fd, POLLIN, "accept", RA);
    return accept(fd, address, size);
}
WRAP(int, accept4)(int fd, struct sockaddr *address, socklen_t *size, int flags)
{
    if (!is_hosts(fd)) await_file(fd, POLLIN, "accept4", RA);
    return accept4(fd, address, size, flags);
}

static int64_t milliseconds(const struct timespec *t) { return t ? (int64_t)t->tv_sec * 1000 + t->tv_nsec / 1000000 : -1; }

static int poll_awaited(struct pollfd *all, nfds_t n, int64_t limit, const char *function, void *pc)
{
    range_access((uint64_t)all, n * sizeof *all, 0, pc);
    range_access((uint64_t)all, n * sizeof *all, 1, pc);
    if (has_others()) return poll(all, n, limit < 0 ? -1 : (int)limit);
    int found;
    while (!(found = poll(all, n, 0)) && limit && looks_again(limit, function, pc)) {}
    return found;
}
WRAP(int, poll)(struct pollfd *all, nfds_t n, int limit) { return poll_awaited(all, n, limit, "poll", RA); }
WRAP(int, ppoll)(struct pollfd *all, nfds_t n, const struct timespec *limit, const sigset_t *mask)
{
    (void)mask;
    return poll_awaited(all, n, milliseconds(limit), "ppoll", RA);
}

static int select_awaited(int n, fd_set *sets[3], int64_t limit, const char *function, void *pc)
{
    fd_set asked[3];
    for (int k = 0; k < 3; k++) if (sets[k]) asked[k] = *sets[k];
    struct timeval now = { (time_t)(limit / 1000), (suseconds_t)(limit % 1000 * 1000) };
    if (has_others()) return select(n, sets[0], sets[1], sets[2], limit < 0 ? 0 : &now);
    for (;;) {
        now = (struct timeval){ 0 };
        int found = select(n, sets[0], sets[1], sets[2], &now);
        if (found || !limit || !looks_again(limit, function, pc)) return found;
        for (int k = 0; k < 3; k++) if (sets[k]) *sets[k] = asked[k];
    }
}
WRAP(int, select)(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *limit)
{
    return select_awaited(n, (fd_set *[3]){ in, out, other }, limit ? (int64_t)limit->tv_sec * 1000 + limit->tv_usec / 1000 : -1, "select", RA);
}
WRAP(int, pselect)(int n, fd_set *in, fd_set *out, fd_set *other, const struct timespec *limit, const sigset_t *mask)
{
    (void)mask;
    return select_awaited(n, (fd_set *[3]){ in, out, other }, milliseconds(limit), "pselect", RA);
}

static int epoll_awaited(int fd, struct epoll_event *all, int n, int64_t limit, const char *function, void *pc)
{
    range_access((uint64_t)all, n > 0 ? (uint64_t)n * sizeof *all : 0, 1, pc);
    if (is_hosts(fd)) return refuse_file();
    if (has_others()) return epoll_wait(fd, all, n, limit < 0 ? -1 : (int)limit);
    int found;
    while (!(found = epoll_wait(fd, all, n, 0)) && limit && looks_again(limit, function, pc)) {}
    return found;
}
WRAP(int, epoll_wait)(int fd, struct epoll_event *all, int n, int limit) { return epoll_awaited(fd, all, n, limit, "epoll_wait", RA); }
WRAP(int, epoll_pwait)(int fd, struct epoll_event *all, int n, int limit, const sigset_t *mask)
{
    (void)mask;
    return epoll_awaited(fd, all, n, limit, "epoll_pwait", RA);
}
