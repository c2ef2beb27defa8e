// expect: postcondition of sum, at most 1 call
// clause: return == a + b
/* The second thread overwrites what the first one has added. */
#include <pthread.h>

static int total;

static void *add(void *x)
{
    total += *(int *)x;
    return 0;
}

static void *put(void *x)
{
    total = *(int *)x;
    return 0;
}

int sum(int a, int b)
/*@ accesses total;
    requires a > -1000i32; a < 1000i32; b > -1000i32; b < 1000i32;
    ensures return == a + b; @*/
{
    pthread_t first, second;
    total = 0;
    if (pthread_create(&first, 0, add, &a) || pthread_create(&second, 0, put, &b)) return a + b;
    pthread_join(first, 0);
    pthread_join(second, 0);
    return total;
}
