// expect: out-of-bounds of without_newline, at most 1 call
#include <string.h>

/* An empty text has no last character. */

void without_newline(char *line)
{
    char *last = line + strlen(line) - 1;
    if (*last == '\n') *last = 0;
}
