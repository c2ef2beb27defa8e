/* A report of AddressSanitizer is a failure that shrinks, and the ends of generated arrays are seen. */

#include "../../posix/guard.h"
#include "check.h"
#include <signal.h>
#include <stdlib.h>

static int how;
static bool reset(sw_test *t) { (void)t; return true; }

static sw_verdict body(sw_test *t)
{
    sw_array a = SW_ARG(t, sw_array, 0);
    volatile unsigned char *items = a.items;
    if (a.length < 3) return SW_OK;
    if (how == 1) items[a.length] = 1;                    /* one behind the end */
    if (how == 2) items[-1] = 1;                          /* one before the beginning */
    if (how == 3) {                                       /* memory of its own */
        volatile char *mine = malloc(3);
        mine[a.length] = 1;
        free((void *)mine);
    }
    if (how == 4) abort();
    return SW_OK;
}

static const sw_generator bytes = SW_ARRAY_OF(&sw_any_uint8, 0, 8);
static const sw_property properties[] = { { .name = "touches", .body = body, .arguments = { { "a", &bytes } } } };
static const sw_property end[] = { SW_EMPTY_CLEANUP };

int main(void)
{
    sw_set set = { .name = "s", .reset = reset, .properties = properties, .n_properties = 1, .cleanups = end, .n_cleanups = 1 };
    sw_posix_counts_work = true;
    for (how = 0; how <= 4; how++) {
        sw_settings settings = { .seed = 1, .max_properties = 4, .guard = sw_posix_guard, .poison = sw_posix_poison };
        EXPECT(run(&set, 1, settings) == (how ? SW_FAILED : SW_PASSED));
        EXPECT(how == 0 || (report.n_steps == 1 && says("touches(a = {0, 0, 0})")));
        EXPECT(how == 0 || how == 4 || says("`touches` crashes (AddressSanitizer: "));
        EXPECT(how != 4 || (says("`touches` crashes (SIGABRT)") && report.failed_signal == SIGABRT));
    }
    printf("%d wrong\n", n_wrong);
    return n_wrong != 0;
}
