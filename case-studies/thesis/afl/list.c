/* Sorted list: its values are read from the input. */
#include "afl.h"
#include WORKLOAD

#define MAX_VALUES 64

/* The values of a list that is there and sorted, or -1. */
static int values_of(struct node *list, int *values)
{
    int n = 0;
    for (; list; list = list->next) {
        if (n == MAX_VALUES + 1 || !is_live(list, sizeof *list) || (n && values[n - 1] > list->value)) return -1;
        values[n++] = list->value;
    }
    return n;
}

static void test(void)
{
    int which = next_byte() % 2, value = (signed char)next_byte(), n_made = next_byte() % MAX_VALUES;
    struct node *list = 0, **last = &list;
    int values[MAX_VALUES + 2], after[MAX_VALUES + 2];
    for (int i = 0; i < n_made; i++) {
        struct node *node = cn_malloc(sizeof *node);
        node->value = (signed char)next_byte();
        node->next = 0;
        *last = node;
        last = &node->next;
    }
    int n = values_of(list, values);
    ASSUME(n >= 0);
    if (which == 0) ASSUME(n == 0 || value <= values[0]);
    list = which == 0 ? cons(value, list) : insert(list, value);
    int at = 0;
    while (which == 1 && at < n && values[at] < value) at++;
    memmove(values + at + 1, values + at, (unsigned long)(n - at) * sizeof(int));
    values[at] = value;
    CHECK(values_of(list, after) == n + 1 && !memcmp(values, after, (unsigned long)(n + 1) * sizeof(int)));
    CHECK(n_live() == n + 1);
}
