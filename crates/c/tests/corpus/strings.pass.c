// expect: pass
#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* Strings are terminated; no contract is needed for that. */

size_t count_words(const char *s)
{
    size_t n = 0;
    while (*s) {
        while (*s && isspace((unsigned char)*s)) s++;
        if (*s) n++;
        while (*s && !isspace((unsigned char)*s)) s++;
    }
    return n;
}

int same_ignoring_case(const char *a, const char *b)
{
    for (; *a && tolower((unsigned char)*a) == tolower((unsigned char)*b); a++, b++) {}
    return tolower((unsigned char)*a) == tolower((unsigned char)*b);
}

void reverse(char *s)
{
    size_t n = strlen(s);
    for (size_t i = 0; i < n / 2; i++) {
        char c = s[i];
        s[i] = s[n - 1 - i];
        s[n - 1 - i] = c;
    }
}

const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
