/* Bodies that really do not return, trap and overflow their stack, under the guard for POSIX. */

#include "../../posix/guard.h"
#include "check.h"
#include <signal.h>

static int count, how;
static volatile int zero, depth;
static int *volatile nowhere;
static bool reset(sw_test *t) { (void)t; count = 0; return true; }

static int deeper(int n)
{
    volatile char frame[1024];
    frame[0] = (char)n;
    depth = n;
    return zero ? n : deeper(n + 1) + frame[0];
}

static sw_verdict body(sw_test *t)
{
    (void)t;
    if (++count < 3) return SW_OK;
    if (how == 1) for (;;) zero = 0;
    if (how == 2) *nowhere = 1;
    if (how == 3) deeper(0);
    if (how == 4) depth = 7 / zero;
    return SW_OK;
}

static const sw_property properties[] = { { .name = "goes wrong", .body = body } };
static const sw_property end[] = { SW_EMPTY_CLEANUP };

int main(void)
{
    sw_set set = { .name = "s", .reset = reset, .properties = properties, .n_properties = 1, .cleanups = end, .n_cleanups = 1 };
    sw_posix_timeout_ms = 30;
    sw_posix_counts_work = true;
    for (how = 0; how <= 4; how++) {
        sw_result result = run(&set, 1, (sw_settings){ .seed = 1, .max_properties = 4, .guard = sw_posix_guard });
        EXPECT(result == (how ? SW_FAILED : SW_PASSED));
        EXPECT(how == 0 || report.n_steps == 3);
        EXPECT(how == 0 || says(how == 1 ? "`goes wrong` does not return" : "`goes wrong` crashes (SIG"));
        EXPECT(how != 2 || (says("SIGSEGV at address 0x0") && report.failed_address == 0 && report.failed_signal == SIGSEGV));
    }
    printf("%d wrong\n", n_wrong);
    return n_wrong != 0;
}
