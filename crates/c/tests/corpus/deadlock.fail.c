// expect: timeout of both, at most 1 call
/* Locks a mutex twice where both flags are set. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int both(int a, int b)
{
    if (a > 3) pthread_mutex_lock(&lock);
    if (b > 3) pthread_mutex_lock(&lock);
    int sum = (a & 1) + (b & 1);
    if (b > 3) pthread_mutex_unlock(&lock);
    if (a > 3) pthread_mutex_unlock(&lock);
    return sum;
}
