// expect: pass
#include <stdlib.h>

/* RW for memory that has a value, W for memory that will get one. */

unsigned peek(unsigned *p)
/*@ requires take P = RW<unsigned int>(p);
    ensures take P2 = RW<unsigned int>(p);
            P2 == P; return == P; @*/
{
    return *p;
}

void store(unsigned *p, unsigned v)
/*@ requires take P = W<unsigned int>(p);
    ensures take P2 = RW<unsigned int>(p);
            P2 == v; @*/
{
    *p = v;
}

void swap(int *a, int *b)
/*@ requires take A = RW(a); take B = RW(b);
    ensures take A2 = RW(a); take B2 = RW(b);
            A2 == B && B2 == A; @*/
{
    int t = *a;
    *a = *b;
    *b = t;
}

struct point { int x; int y; };

struct point *point(int x, int y)
/*@ ensures take P = RW<struct point>(return); P.x == x; P.y == y; @*/
{
    struct point *p = malloc(sizeof *p);
    *p = (struct point){ x, y };
    return p;
}

void mirror(struct point *p)
/*@ requires take P = RW<struct point>(p);
             P.x != MINi32();
    ensures take P2 = RW<struct point>(p);
            p->x == -P.x; p->y == P.y; @*/
{
    p->x = -p->x;
}

/* Only one member is needed, so only one is taken. */
void lift(struct point *p)
/*@ requires take Y = RW<int>(&(p->y));
             Y < 1000i32;
    ensures take Y2 = RW<int>(member_shift<struct point>(p, y));
            Y2 == Y + 1i32; @*/
{
    p->y++;
}
