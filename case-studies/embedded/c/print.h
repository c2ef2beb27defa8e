/* What every program here has: memory, and a place for text. */
#include "stairway.h"
#include <stdio.h>
#include <stdlib.h>

static unsigned char memory[64 * 1024];

static void print(void *user, const char *text, size_t n)
{
    (void)user;
    fwrite(text, 1, n, stdout);
}

/* The seed is the first argument. */
static sw_settings settings_of(int argc, char **argv)
{
    sw_settings settings = { .memory = memory, .memory_size = sizeof memory, .write = print };
    settings.seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    settings.statistics = argc > 2 ? SW_STATISTICS_ALL : SW_STATISTICS_NONE;
    return settings;
}
