#include <stdlib.h>

struct cell {
    int value;
    struct cell *next;
};

void changed(int value);

struct cell *cons(int value, struct cell *next)
{
    struct cell *c = malloc(sizeof *c);
    if (!c) return NULL;
    c->value = value;
    c->next = next;
    changed(value);
    return c;
}

long total(struct cell *first)
{
    long sum = 0;
    for (; first; first = first->next)
        sum += first->value;
    return sum;
}

void destroy(struct cell *first)
{
    while (first) {
        struct cell *next = first->next;
        free(first);
        first = next;
    }
}
