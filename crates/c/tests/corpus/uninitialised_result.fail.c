// expect: postcondition of point, at most 1 call
// clause: take P = RW<struct point>(return)
#include <stdlib.h>

/* RW promises a value for every member; one never gets any. */

struct point { int x, y; };

struct point *point(int x)
/*@ ensures take P = RW<struct point>(return); P.x == x; @*/
{
    struct point *p = malloc(sizeof *p);
    p->x = x;
    return p;
}
