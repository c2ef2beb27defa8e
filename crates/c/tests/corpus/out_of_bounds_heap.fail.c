// expect: out-of-bounds of copy, at most 1 call
#include <stdlib.h>
#include <string.h>

/* The terminating zero has no room. */

size_t copy(const char *text)
{
    char *mine = malloc(strlen(text));
    strcpy(mine, text);
    size_t n = strlen(mine);
    free(mine);
    return n;
}
