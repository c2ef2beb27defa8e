/* What every program here has: memory, and a place for text; with -DBOARD on a machine without an operating system. */
#include "stairway.h"

#ifdef BOARD
#include "board.h"

/* The seed is a matter of the image there. */
#ifndef SEED
#define SEED 1
#endif
#ifndef MEMORY_KB
#define MEMORY_KB 44
#endif
static unsigned char memory[MEMORY_KB * 1024];

static sw_settings settings_of(int argc, char **argv)
{
    sw_settings settings = { .memory = memory, .memory_size = sizeof memory, .write = board_write };
    (void)argc;
    (void)argv;
    settings.seed = SEED;
    settings.statistics = SW_STATISTICS_NONE;
#ifndef NO_GUARD
    settings.guard = board_guard;
#endif
    return settings;
}
#else
#ifdef GUARD
#include "guard.h"
#endif
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
#ifdef GUARD
    settings.guard = sw_posix_guard;
#endif
    return settings;
}
#endif
