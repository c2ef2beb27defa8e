// expect: use-after-free of unlink_item|push|item_free, at most 8 calls
#include <stddef.h>
#include <stdlib.h>
/* An intrusive doubly linked list without contracts, asserted by an invariant-free checker. */
struct link { struct link *next, *prev; };
struct item { int value; struct link link; };
#define item_of(l) ((struct item *)((char *)(l) - offsetof(struct item, link)))
struct link *list_new(void) { struct link *l = malloc(sizeof *l); l->next = l->prev = l; return l; }
struct item *item_new(int v) { struct item *i = malloc(sizeof *i); i->value = v; i->link.next = i->link.prev = &i->link; return i; }
void unlink_item(struct item *i)
{
    i->link.prev->next = i->link.next;
    i->link.next->prev = i->link.prev;
}
void push(struct link *l, struct item *i)
{
    unlink_item(i);
    i->link.next = l->next; i->link.prev = l; l->next->prev = &i->link; l->next = &i->link;
}
long sum(struct link *l)
{
    long s = 0;
    for (struct link *p = l->next; p != l; p = p->next) s += item_of(p)->value;
    return s;
}
void item_free(struct item *i) { unlink_item(i); free(i); }
