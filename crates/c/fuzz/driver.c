/*
 * libFuzzer's side of a target of Stairway. The target is a process of its own that speaks the protocol of AFL++'s fork server, so one
 * target serves both engines: this file plays afl-fuzz. It passes each input through shared memory, waits for the verdict, and copies
 * the branches that were taken to where libFuzzer looks for counters that the compiler has not made. Its command is in a file beside
 * this program, each argument ended by a zero byte; `@` at the beginning of one stands for the folder of this program.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <unistd.h>

#define N_COUNTERS 65536
#define MAX_INPUT (1 << 20)
#define MAX_ARGUMENTS 4096
/* Where AFL++ has its pipes. */
#define CONTROL 198
#define STATUS 199

__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t counters[N_COUNTERS];

static uint8_t *map, *input;
static int control, status;

static void fail(const char *what)
{
    fprintf(stderr, "stairway: %s\n", what);
    /* libFuzzer takes every exit of its process for a crash; this one is none. */
    _exit(70);
}

static uint8_t *share(const char *variable, size_t size)
{
    char number[16];
    int id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
    void *at = id < 0 ? (void *)-1 : shmat(id, 0, 0);
    if (at == (void *)-1) fail("no memory can be shared with the target");
    snprintf(number, sizeof number, "%d", id);
    setenv(variable, number, 1);
    return at;
}

static void unshare_name(const char *variable) { shmctl(atoi(getenv(variable)), IPC_RMID, 0); }

/* The arguments in the file beside this program. */
static char **command(const char *program)
{
    static char *arguments[MAX_ARGUMENTS + 1];
    char *line = NULL;
    size_t room = 0;
    char path[8192];
    snprintf(path, sizeof path, "%s.target", program);
    FILE *file = fopen(path, "r");
    if (!file) fail("the file beside this program that names the target cannot be read");
    const char *slash = strrchr(program, '/');
    int folder = slash ? (int)(slash - program) : 1;
    int n = 0;
    while (n < MAX_ARGUMENTS && getdelim(&line, &room, 0, file) > 0) {
        size_t size = strlen(line) + strlen(program) + 2;
        arguments[n] = malloc(size);
        if (line[0] == '@') snprintf(arguments[n], size, "%.*s%s", folder, slash ? program : ".", line + 1);
        else snprintf(arguments[n], size, "%s", line);
        n++;
    }
    free(line);
    fclose(file);
    if (!n) fail("the file beside this program names no target");
    return arguments;
}

static uint32_t receive(void)
{
    uint32_t word;
    if (read(status, &word, sizeof word) != sizeof word) fail("the target is gone; what it said is above");
    return word;
}

static void tell(uint32_t word)
{
    if (write(control, &word, sizeof word) != sizeof word) fail("the target is gone; what it said is above");
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    int to[2], from[2];
    map = share("__AFL_SHM_ID", N_COUNTERS);
    input = share("__AFL_SHM_FUZZ_ID", sizeof(uint32_t) + MAX_INPUT);
    char **arguments = command((*argv)[0]);
    if (pipe(to) || pipe(from)) fail("no pipe to the target");
    pid_t child = fork();
    if (child < 0) fail("no process for the target");
    if (!child) {
        if (dup2(to[0], CONTROL) < 0 || dup2(from[1], STATUS) < 0) fail("no pipe to the target");
        close(to[0]), close(to[1]), close(from[0]), close(from[1]);
        execvp(arguments[0], arguments);
        fail("the target cannot be started");
    }
    close(to[0]), close(from[1]);
    control = to[1], status = from[0];
    tell(receive()); /* what it can do is what is wanted */
    unshare_name("__AFL_SHM_ID"), unshare_name("__AFL_SHM_FUZZ_ID");
    unsetenv("__AFL_SHM_ID"), unsetenv("__AFL_SHM_FUZZ_ID");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n > MAX_INPUT) return 0;
    uint32_t size = (uint32_t)n;
    memcpy(input, &size, sizeof size);
    if (n) memcpy(input + sizeof size, data, n);
    memset(map, 0, N_COUNTERS);
    tell(0);
    receive(); /* whose process it is */
    uint32_t end = receive();
    memcpy(counters, map, N_COUNTERS);
    if (end) abort();
    return 0;
}
