// expect: pass
/* A join runs the thread that is joined and no other: the one that would wait for it stays. */
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int order[2], n_done;

static void *consume(void *x)
{
    sem_wait(&ready);
    order[n_done++] = 2;
    return x;
}

static void *produce(void *x)
{
    order[n_done++] = 1;
    sem_post(&ready);
    return x;
}

int hand_over(int n)
/*@ requires n >= 0i32; n < 100i32;
    ensures return == n + 12i32; @*/
{
    pthread_t consumer, producer;
    n_done = 0;
    sem_init(&ready, 0, 0);
    if (pthread_create(&consumer, 0, consume, 0) || pthread_create(&producer, 0, produce, 0)) return n + 12;
    pthread_join(producer, 0);
    pthread_join(consumer, 0);
    return n + 10 * order[0] + order[1];
}
