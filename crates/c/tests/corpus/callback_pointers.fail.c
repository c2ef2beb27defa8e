// expect: out-of-bounds of copy_name, at most 1 call
// seeds: 2
/* A function that is made up answers a text, which may be long. */
#include <string.h>

struct reader { int line; };

static char last[16];

int copy_name(const char *(*next)(struct reader *), struct reader *from)
{
    const char *name = next(from);
    if (!name) return 0;
    strcpy(last, name);
    return last[0];
}
