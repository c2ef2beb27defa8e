// expect: assert of count, at most 1 call
#include <assert.h>
#include <string.h>

/* Counts separators, not fields: the empty text has none. */

static int fields(const char *line)
{
    int n = 1;
    for (; *line; line++) n += *line == ',';
    return n;
}

int count(const char *line)
{
    int n = fields(line);
    assert(n <= (int)strlen(line));
    return n;
}
