// expect: pass
/* Where a parameter is called the end of the one before it, it is: of an array, of a part of it, or of a text. */
#include <stddef.h>

long sum(const int *begin, const int *end)
{
    long total = 0;
    for (const int *p = begin; p != end; p++) total += *p;
    return total;
}

struct point { int x, y; };

int widest(const struct point *first, const struct point *stop)
{
    int most = 0;
    while (first < stop) {
        if (first->x > most) most = first->x;
        first++;
    }
    return most;
}

size_t count(const char *text, const char *text_end, char wanted)
{
    size_t n = 0;
    while (text < text_end) n += *text++ == wanted;
    return n;
}
