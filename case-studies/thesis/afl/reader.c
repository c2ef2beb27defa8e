/* File reader: a file is read from the input as its descriptor. Those of the fuzzer itself are not passed. */
#include "afl.h"
#include WORKLOAD

static void test(void)
{
    struct file *file = cn_malloc(sizeof *file);
    file->descriptor = next_int();
    int descriptor = file->descriptor;
    ASSUME(descriptor < 0 || descriptor > 255);
    int number = read_file(file);
    CHECK(is_live(file, sizeof *file) && file->descriptor == descriptor && (number == 0 || number == 123456));
}
