/* Items belong to the list that they were put into, which nobody says. */
#include <stdlib.h>

struct item { struct item *next, *prev; int value; };
struct list { struct item *first; };

struct list *list_new(void) { return calloc(1, sizeof(struct list)); }

struct item *item_new(int value)
{
    struct item *item = calloc(1, sizeof *item);
    if (item) item->value = value;
    return item;
}

void item_free(struct item *item) { free(item); }

void list_put(struct list *list, struct item *item)
{
    item->next = list->first;
    item->prev = NULL;
    if (list->first) list->first->prev = item;
    list->first = item;
}

int list_sum(const struct list *list)
{
    unsigned sum = 0;
    for (const struct item *item = list->first; item; item = item->next) sum += (unsigned)item->value;
    return (int)sum;
}

void list_free(struct list *list)
{
    while (list->first) {
        struct item *next = list->first->next;
        free(list->first);
        list->first = next;
    }
    free(list);
}
