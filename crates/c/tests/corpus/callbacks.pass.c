// expect: pass
#include <stdlib.h>

/* Function pointers: the functions of this file that have the type. */

typedef int (*step)(int);

static int same(int x) { return x; }
static int negated(int x) { return x / -2; }

int apply_twice(step f, int x)
{
    return f(f(x));
}

struct rule { step f; int start; };

int run(struct rule r)
{
    return r.f(r.start);
}

step choose(_Bool other)
/*@ ensures !is_null(return); return == (other == 1u8 ? &negated : &same); @*/
{
    return other ? negated : same;
}

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int smallest_of_three(int a, int b, int c)
/*@ ensures return <= a; return <= b; return <= c; @*/
{
    int all[3] = { a, b, c };
    qsort(all, 3, sizeof *all, by_value);
    return all[0];
}
