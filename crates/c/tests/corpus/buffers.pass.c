// expect: pass
#include <stdio.h>
#include <string.h>
/* No contracts: buffers of a size that nobody says, streams, texts that are not to be written, bytes that end with a zero. */

const char *name_of(int day)
{
    return day % 2 ? "odd" : "even";
}

char *label(int day)
{
    return day % 2 ? "odd day" : "even day";
}

void shout(char *text)
{
    for (; *text; text++) if (*text >= 'a' && *text <= 'z') *text -= 'a' - 'A';
}

int greet(char *out, const char *name)
{
    return sprintf(out, "hello, %.100s", name);
}

unsigned sum_of(const unsigned char *bytes)
{
    unsigned sum = 0;
    while (*bytes) sum += *bytes++;
    return sum;
}

int put_hex(unsigned char *out, unsigned x)
{
    for (int i = 0; i < 8; i++) out[i] = (unsigned char)"0123456789abcdef"[x >> (28 - 4 * i) & 15];
    return 8;
}

void join(char *restrict to, const char *restrict from)
{
    memcpy(to + strlen(to), from, strlen(from) + 1);
}

int log_line(FILE *to, const char *line)
{
    return fprintf(to, "%s\n", line) < 0;
}

int first_of(const int *values, int value_count)
{
    return value_count > 0 ? values[0] : 0;
}
