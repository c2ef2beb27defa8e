/* What the C tests share: expectations, and text kept to look into. */
#ifndef CHECK_H
#define CHECK_H

#include "stairway.h"
#include <stdio.h>
#include <string.h>

static int n_wrong;
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            n_wrong++;                                                                             \
            printf("%s:%d: %s\n%s\n", __FILE__, __LINE__, #condition, text);                       \
        }                                                                                          \
    } while (0)

static char text[1 << 20];
static size_t n_text;

static void keep(void *user, const char *bytes, size_t n)
{
    (void)user;
    if (n_text + n >= sizeof text) return;
    memcpy(text + n_text, bytes, n);
    n_text += n;
    text[n_text] = 0;
}

static bool says(const char *what) { return strstr(text, what) != NULL; }

static unsigned char memory[1 << 18];
static sw_report report;

/* Runs with what is given; memory and output are filled in. */
static sw_result run(const sw_set *sets, size_t n_sets, sw_settings settings)
{
    if (!settings.memory) { settings.memory = memory; settings.memory_size = sizeof memory; }
    settings.write = keep;
    n_text = 0;
    text[0] = 0;
    return sw_run(sets, n_sets, &settings, &report);
}

#endif
