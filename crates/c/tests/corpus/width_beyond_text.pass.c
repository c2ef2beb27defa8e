// expect: pass
#include <stdlib.h>
#include <string.h>
/* `s` to the right in a field of `width`. */
char *pad_left(const char *s, size_t width)
{
    size_t n = strlen(s), all = n > width ? n : width;
    if (width > 4096) return NULL;
    char *out = malloc(all + 1);
    if (!out) return NULL;
    memset(out, ' ', all - n);
    memcpy(out + (all - n), s, n + 1);
    return out;
}
