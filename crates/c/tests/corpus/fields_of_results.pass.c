// expect: pass
#include <stdlib.h>

/* A result by value whose members are what other functions want. */

struct item { int weight; };
struct found { int is_found; struct item *item; };

struct found find(int weight)
/*@ ensures take I = RW<struct item>(return.item); return.is_found == 1i32; I.weight == weight; @*/
{
    struct found f = { 1, malloc(sizeof(struct item)) };
    f.item->weight = weight;
    return f;
}

int weigh(const struct item *i)
/*@ requires take I = RW<struct item>(i);
    ensures take I2 = RW<struct item>(i); I2 == I; return == I.weight; @*/
{
    return i->weight;
}
