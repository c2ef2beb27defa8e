/* The tester: a user program that runs the properties under the settings of its command line.
 *
 *     seed=42 tests=300 verbose json   what sw_settings has; without a seed the clock gives one
 *     limit=100                        milliseconds that a body may take; without it there is no limit
 *     queue                            only the properties of the queue
 *     bench                            with a line before and one after, and little said in between
 *
 * Knows the library's settings and the system calls for text and for the end. */
#include "guard.h"
#include "kernel_set.h"
#include "syscalls.h"

int user_main(const char *line);

/* All that the library gets: for the queue alone, and for the kernel as well. */
enum { BYTES_FOR_QUEUE = 64 * 1024, BYTES_FOR_ALL = 160 * 1024 };
static unsigned char memory[BYTES_FOR_ALL];

static void write(void *user, const char *text, size_t n) {
    (void)user;
    (void)sys_write(text, n);
}

static void say(const char *text) {
    size_t n = 0;
    while (text[n] != '\0')
        n++;
    (void)sys_write(text, n);
}

static void say_count(const char *name, uint64_t count) {
    char digits[24];
    size_t first = sizeof digits;
    digits[--first] = '\n';
    do
        digits[--first] = (char)('0' + count % 10);
    while ((count /= 10) > 0);
    say(name);
    (void)sys_write(digits + first, sizeof digits - first);
}

static uint64_t clock_entropy(void *user) {
    (void)user;
    return __builtin_ia32_rdtsc();
}

static void panic(void *user, const char *text, size_t n) {
    write(user, text, n);
    sys_exit(EXIT_ERROR);
}

/* What stands behind `name` in a line of words; NULL if the word is not there. */
static const char *find(const char *line, const char *name) {
    for (; *line != '\0'; line++) {
        size_t n = 0;
        while (name[n] != '\0' && line[n] == name[n])
            n++;
        if (name[n] == '\0')
            return line + n;
        while (line[1] != '\0' && *line != ' ')
            line++;
    }
    return NULL;
}

static uint64_t number(const char *digits) {
    uint64_t n = 0;
    for (; digits != NULL && *digits >= '0' && *digits <= '9'; digits++)
        n = n * 10 + (uint64_t)(*digits - '0');
    return n;
}

static bool is_queue_only(const char *line) {
    return find(line, "queue") != NULL;
}

static sw_settings settings_of(const char *line) {
    const bool is_bench = find(line, "bench") != NULL;
    return (sw_settings){
        .memory = memory,
        .memory_size = is_queue_only(line) ? BYTES_FOR_QUEUE : BYTES_FOR_ALL,
        .write = write,
        .seed = number(find(line, "seed=")),
        .entropy = find(line, "seed=") != NULL ? NULL : clock_entropy,
        .n_tests = number(find(line, "tests=")),
        .min_properties = 4,
        .max_properties = 24,
        .max_states = is_queue_only(line) ? 256 : 1024,
        .allow_unused_properties = is_bench,
        .json = find(line, "json") != NULL,
        .verbosity = is_bench ? SW_QUIET : find(line, "verbose") != NULL ? SW_INFO : SW_NORMAL,
        .statistics = is_bench ? SW_STATISTICS_NONE : SW_STATISTICS_ALL,
        .guard = guard,
        .panic = panic,
    };
}

static int exit_code(sw_result result) {
    if (result == SW_PASSED)
        return EXIT_PASSED;
    return result > 0 ? EXIT_FAILED : EXIT_ERROR;
}

int user_main(const char *line) {
    const sw_set sets[] = {queue_set, kernel_set()};
    const size_t n_sets = is_queue_only(line) ? 1 : 2;
    const sw_settings settings = settings_of(line);
    const bool is_bench = find(line, "bench") != NULL;
    guard_init(number(find(line, "limit=")));
    if (is_bench)
        say("bench: begins\n");
    sw_report report = {0};
    const sw_result result = sw_run(sets, n_sets, &settings, &report);
    if (is_bench)
        say_count("bench: ends, operations ", report.n_calls);
    return exit_code(result);
}
