// expect: abort of parse, at most 1 calls
// seeds: 3
#include <string.h>
#include <stdlib.h>
int parse(const char *line)
{
    if (strncmp(line, "set ", 4) == 0) {
        const char *eq = strchr(line, '=');
        if (eq && strcmp(eq + 1, "on\n") == 0) abort();
        return 1;
    }
    return 0;
}
