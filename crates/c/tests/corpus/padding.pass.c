// expect: pass
#include <stdlib.h>
#include <string.h>

/* Padding has no value: copying it and handing it back is no mistake. */

struct padded { char tag; int number; char end; };

void fill(struct padded *p, char tag, int number)
/*@ requires take P = W<struct padded>(p);
    ensures take P2 = RW<struct padded>(p); P2 == struct padded { tag: tag, number: number, end: 1u8 }; @*/
{
    p->tag = tag;
    p->number = number;
    p->end = 1;
}

void copy(struct padded *to, const struct padded *from)
/*@ requires take T = W<struct padded>(to); take F = RW<struct padded>(from);
    ensures take T2 = RW<struct padded>(to); take F2 = RW<struct padded>(from); T2 == F; F2 == F; @*/
{
    memcpy(to, from, sizeof *to);
}

struct padded by_value(struct padded *p)
/*@ requires take P = RW<struct padded>(p);
    ensures take P2 = RW<struct padded>(p); return == P; @*/
{
    struct padded local = *p;
    struct padded other = local;
    return other;
}

struct padded *make(char tag)
/*@ ensures take P = RW<struct padded>(return); P.tag == tag; @*/
{
    struct padded *p = malloc(sizeof *p);
    fill(p, tag, 0);
    return p;
}
