// expect: use-after-free|out-of-bounds of add, at most 3 calls
#include <stdlib.h>

/* The pointer from before realloc is used once more, but only when the array grows. */

struct list { unsigned n, capacity; int *items; };

struct list *list_new(void)
{
    struct list *l = malloc(sizeof *l);
    l->n = 0;
    l->capacity = 1;
    l->items = malloc(sizeof(int));
    return l;
}

static void grow(struct list *l)
{
    l->capacity *= 2;
    l->items = realloc(l->items, l->capacity * sizeof(int));
}

void add(struct list *l, int x)
{
    int *items = l->items;
    if (l->n == l->capacity) grow(l);
    items[l->n++] = x;
}
