// expect: pass
/* A thread that waits for what its creator does only later cannot be run on its own: such a call is not judged. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *wait(void *x)
{
    pthread_mutex_lock(&lock);
    while (!is_ready) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return x;
}

int ping(int n)
/*@ accesses is_ready;
    ensures return == n; @*/
{
    pthread_t t;
    void *x = 0;
    is_ready = n > 5;
    if (pthread_create(&t, 0, wait, 0)) return n;
    sched_yield();
    pthread_mutex_lock(&lock);
    is_ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(t, &x);
    return n;
}
