/* How much stack a run takes: the stack is painted, and looked at afterwards. */
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>
#include <stdlib.h>

static int count;
static bool reset(sw_test *t) { (void)t; count = 0; return true; }
static sw_verdict up(sw_test *t) { sw_fail_if(t, ++count == 5 && SW_ARG(t, int, 0) > 40); return SW_OK; }
static const sw_generator small = SW_INT_IN(0, 100);
static const sw_generator list = SW_ARRAY_OF(&sw_any_double, 0, 4);
static const sw_property ups[] = { { .name = "up", .body = up, .arguments = { { "x", &small }, { "l", &list } } } };
static const sw_property end[] = { SW_EMPTY_CLEANUP };

enum { PAINT = 0xA5, ROOM = 256 * 1024 };

static void *run_it(void *is_idle)
{
    sw_set set = { .name = "s", .reset = reset, .properties = ups, .n_properties = 1, .cleanups = end, .n_cleanups = 1 };
    if (is_idle) return NULL;
    EXPECT(run(&set, 1, (sw_settings){ .seed = 5, .max_properties = 8, .json = true }) == SW_FAILED && says("SW_FAILED"));
    return NULL;
}

/* How far down the stack was painted over. */
static size_t used_by(void *is_idle)
{
    unsigned char *stack;
    size_t unused = 0;
    pthread_t thread;
    pthread_attr_t attributes;
    if (posix_memalign((void **)&stack, 4096, ROOM)) return 0;
    memset(stack, PAINT, ROOM);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, ROOM);
    pthread_create(&thread, &attributes, run_it, is_idle);
    pthread_join(thread, NULL);
    while (stack[unused] == PAINT) unused++;
    free(stack);
    return ROOM - unused;
}

int main(void)
{
    size_t used = used_by(NULL) - used_by(text);
    printf("%zu bytes of stack\n", used);
    EXPECT(used <= sw_stack_needed());
    return n_wrong;
}
