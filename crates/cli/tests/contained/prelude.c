/* Before every line of the table: CANARY is a folder that must stay as it is, SHARED a file in /dev/shm. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static int n_hostile;
/* Something was refused, with this error. */
#define REFUSED(call, error) do { errno = 0; long r = (long)(call); assert(r == -1 && errno == (error)); } while (0)
#define FILE_OUTSIDE CANARY "/file"
/* Is found, shrunk and replayed whatever `hostile` does. */
void bug(int x) { assert(!(n_hostile && x > 1000)); }
