// A first contract. `stairway test` reads it from the comment between the header of a function and its body,
// builds this file, and calls the functions in random order until a promise is broken.

#include <stdlib.h>

struct counter {
    unsigned value;
    unsigned limit;
};

struct counter *counter_new(unsigned limit)
/*@ ensures take C = RW<struct counter>(return);    // the bytes of *return belong to the caller now
            C.value == 0u32;                        // numbers carry their type: u32 is `unsigned`
            C.limit == limit; @*/
{
    struct counter *c = malloc(sizeof *c);
    c->value = 0;
    c->limit = limit;
    return c;
}

void counter_up(struct counter *c)
/*@ requires take C = RW<struct counter>(c);        // what the caller must guarantee
             C.value <= C.limit;
    ensures take D = RW<struct counter>(c);         // what the function promises in return
            D.limit == C.limit;
            D.value <= D.limit; @*/                 // it does not keep this one: see what the report says
{
    c->value++;
}

void counter_free(struct counter *c)
/*@ requires take C = RW<struct counter>(c); @*/    // taken and not handed back: it must be freed
{
    free(c);
}
