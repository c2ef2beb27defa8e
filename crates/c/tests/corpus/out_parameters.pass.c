// expect: pass
#include <stdlib.h>

/* Results live in variables, whose addresses can be passed on; so can their members. */

struct handle { unsigned generation; };

struct handle *acquire(void)
/*@ ensures take H = RW<struct handle>(return); H.generation == 0u32; @*/
{
    return calloc(1, sizeof(struct handle));
}

/* Frees what the variable points to and clears the variable. */
void release(struct handle **h)
/*@ requires take P = RW<struct handle *>(h);
             take H = RW<struct handle>(P);
    ensures take P2 = RW<struct handle *>(h); is_null(P2); @*/
{
    free(*h);
    *h = NULL;
}

void bump(unsigned *generation)
/*@ requires take G = RW<unsigned int>(generation);
    ensures take G2 = RW<unsigned int>(generation); G2 == G + 1u32; @*/
{
    ++*generation;
}

void divide(int a, int b, int *quotient, int *remainder)
/*@ requires b != 0i32; b != -1i32;
             take Q = W<int>(quotient); take R = W<int>(remainder);
    ensures take Q2 = RW<int>(quotient); take R2 = RW<int>(remainder);
            Q2 * b + R2 == a; @*/
{
    *quotient = a / b;
    *remainder = a % b;
}
