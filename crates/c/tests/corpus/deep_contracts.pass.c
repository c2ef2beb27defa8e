// expect: pass
/* Contracts nested far more deeply than the shadow has names for frames: what was not handed down comes back untouched. */
#include <stdlib.h>

int down(int n, int *p, int *q)
/*@ requires take P = RW<int>(p);
             take Q = RW<int>(q);
             n >= 0i32; n <= 150i32;
    ensures take P2 = RW<int>(p);
            take Q2 = RW<int>(q);
            P2 == P; Q2 == Q;
            return == n; @*/
{
    int own = n, *mine = malloc(sizeof *mine);
    if (!mine) exit(1);
    *mine = n + (*q - *q);
    own = n ? down(n - 1, p, &own) + 1 : *p - *p;
    int is_kept = *mine == n;
    free(mine);
    return is_kept ? own : -1;
}

int start(int *p, int *q)
/*@ requires take P = RW<int>(p);
             take Q = RW<int>(q);
    ensures take P2 = RW<int>(p);
            take Q2 = RW<int>(q);
            P2 == P; Q2 == Q;
            return == 150i32; @*/
{
    return down(150, p, q);
}
