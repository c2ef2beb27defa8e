// expect: use-after-free of bus_emit|bus_off, at most 4 calls
// seeds: 2
/* The listener that is taken away first is still the head of the list. It takes the same function twice to see that. */
#include <stdlib.h>

typedef void (*listener)(int event);
struct node { listener call; struct node *next; };
struct bus { struct node *first; };

struct bus *bus_new(void) { return calloc(1, sizeof(struct bus)); }

int bus_on(struct bus *bus, listener call)
{
    struct node *node = malloc(sizeof *node);
    if (!node) return 0;
    node->call = call;
    node->next = bus->first;
    bus->first = node;
    return 1;
}

int bus_off(struct bus *bus, listener call)
{
    struct node *before = NULL;
    for (struct node *node = bus->first; node; before = node, node = node->next)
        if (node->call == call) {
            if (before) before->next = node->next;
            free(node);
            return 1;
        }
    return 0;
}

void bus_emit(struct bus *bus, int event)
{
    for (struct node *node = bus->first; node; node = node->next) node->call(event);
}
