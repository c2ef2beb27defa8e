// expect: pass
/* Two arrays with one length behind them have as many elements each, whether they are indexed or copied. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

double dot(const double *xs, const double *ys, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += xs[i] * ys[i];
    return sum;
}

void add(int *out, const int *a, const int *b, size_t count)
{
    for (size_t i = 0; i < count; i++) out[i] = (int)((unsigned)a[i] + (unsigned)b[i]);
}

struct line { size_t n; long *from, *to; };

struct line *line_new(const long *from, const long *to, size_t n)
{
    struct line *line = malloc(sizeof *line);
    if (!line) return NULL;
    line->n = n;
    line->from = malloc((n + 1) * sizeof *from);
    line->to = malloc((n + 1) * sizeof *to);
    if (line->from) memcpy(line->from, from, n * sizeof *from);
    if (line->to) memcpy(line->to, to, n * sizeof *to);
    return line;
}

long line_end(const struct line *line) { return line->n && line->to ? line->to[line->n - 1] : 0; }
