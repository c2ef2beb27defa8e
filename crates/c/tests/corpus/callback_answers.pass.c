// expect: pass
#include <stdlib.h>
#include <assert.h>
typedef int (*visit)(void *context, int value);
struct list { int items[8]; int n; };
struct list *list_new(void) { return calloc(1, sizeof(struct list)); }
int list_add(struct list *l, int v) { if (l->n == 8) return 0; l->items[l->n++] = v; return 1; }
int list_each(struct list *l, visit f, void *context)
{
    int n = 0;
    for (int i = 0; i < l->n; i++) { int r = f(context, l->items[i]); n += r != 0; }
    return n;
}
double apply(double (*g)(double), double x) { double y = g(x); return y == x; }
void quiet(void (*done)(int, int)) { done(1, 2); }
