/* How little memory a test can do with: sixteen properties, one of them over arrays of ten bytes. Prints what was needed, and fails if
 * it is more than 32 KB, or if the stack was not enough. */

#define MEMORY_KB 32
#include "print.h"

static uint32_t sum, n_bytes;
static bool reset(sw_test *t) { (void)t; sum = n_bytes = 0; return true; }

static sw_verdict add(sw_test *t)
{
    sum += SW_ARG(t, uint32_t, 0) % 7;
    return SW_OK;
}

static sw_verdict take_bytes(sw_test *t)
{
    sw_array bytes = SW_ARG(t, sw_array, 0);
    n_bytes += (uint32_t)bytes.length;
    sw_fail_if(t, SW_ARG(t, uint32_t, 1) == 3 && bytes.length > 2 && ((uint8_t *)bytes.items)[2] > 100);
    return SW_OK;
}

static const sw_generator bytes = SW_ARRAY_OF(&sw_any_uint8, 0, 10);
static const sw_generator small = SW_UNSIGNED_IN(uint32_t, 0, 9);
#define ADD(name_) { .name = name_, .body = add, .arguments = { { "x", &sw_any_uint32 } } }
static const sw_property properties[] = {
    ADD("a"), ADD("b"), ADD("c"), ADD("d"), ADD("e"), ADD("f"), ADD("g"), ADD("h"),
    ADD("i"), ADD("j"), ADD("k"), ADD("l"), ADD("m"), ADD("n"), ADD("o"),
    { .name = "take bytes", .body = take_bytes, .arguments = { { "bytes", &bytes }, { "x", &small } } },
};
static const sw_property cleanups[] = { SW_EMPTY_CLEANUP };

int main(int argc, char **argv)
{
    const sw_set set = { .name = "sixteen", .reset = reset, .properties = properties, .n_properties = 16,
                         .cleanups = cleanups, .n_cleanups = 1 };
    sw_settings settings = settings_of(argc, argv);
    sw_report report;
    sw_result result;
    settings.lean = true;
    settings.n_tests = 2000;
    result = sw_run(&set, 1, &settings, &report);
    if (result != SW_FAILED || !report.is_minimal || report.n_steps != 1) return 1;
    if (report.memory_used > report.memory_needed || report.memory_needed > 32 * 1024) return 2;
    return board_stack_used() <= sw_stack_needed() ? 0 : 3;
}
