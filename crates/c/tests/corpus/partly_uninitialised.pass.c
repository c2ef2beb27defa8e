// expect: pass
#include <stdlib.h>
#include <string.h>

/* Uninitialised bytes may be moved around, as long as nothing is decided on them. */

struct packet { unsigned used; unsigned char data[12]; };

struct packet *packet(unsigned char byte)
/*@ ensures take U = RW<unsigned int>(&(return->used)); U == 1u32;
            take D = W<unsigned char[12]>(&(return->data)); @*/
{
    struct packet *p = malloc(sizeof *p);
    p->used = 1;
    p->data[0] = byte;
    return p;
}

/* The unused rest of `data` is copied along, by assignment and by memcpy. */
unsigned char round_trip(unsigned char byte)
/*@ ensures return == byte; @*/
{
    struct packet a, b, c;
    a.used = 1;
    a.data[0] = byte;
    b = a;
    memcpy(&c, &b, sizeof c);
    memmove(&a, &c, sizeof a);
    return a.used == 1 ? a.data[0] : 0;
}

/* Overwritten before it is looked at. */
int late(int x)
/*@ ensures return == x; @*/
{
    int *p = malloc(sizeof *p);
    int copy = *p;
    copy = x;
    *p = copy;
    int result = *p;
    free(p);
    return result;
}
