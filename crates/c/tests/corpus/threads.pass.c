// expect: pass
/* Threads run one after the other, whoever waits for them. */
#include <pthread.h>
#include <threads.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

struct part { const int *from; int n; long sum; };

static void *sum_part(void *x)
{
    struct part *part = x;
    for (int i = 0; i < part->n; i++) part->sum += part->from[i];
    pthread_mutex_lock(&lock);
    total += part->sum;
    pthread_mutex_unlock(&lock);
    return part;
}

long sum(int a, int b, int c, int d)
/*@ accesses total;
    requires a > -1000i32; a < 1000i32; b > -1000i32; b < 1000i32; c > -1000i32; c < 1000i32; d > -1000i32; d < 1000i32;
    ensures return == (i64)(a + b + c + d); @*/
{
    int all[4] = { a, b, c, d };
    struct part parts[2] = { { all, 2, 0 }, { all + 2, 2, 0 } };
    pthread_t t[2];
    total = 0;
    for (int i = 0; i < 2; i++)
        if (pthread_create(&t[i], 0, sum_part, &parts[i])) return 0;
    for (int i = 0; i < 2; i++) {
        void *part;
        if (pthread_join(t[i], &part) || part != &parts[i]) return 0;
    }
    return total;
}

static int halve(void *x) { return *(int *)x / 2; }

int half(int x)
/*@ requires x > -1000i32; x < 1000i32;
    ensures return == x / 2i32; @*/
{
    thrd_t t;
    int result = 0;
    if (thrd_create(&t, halve, &x) != thrd_success || thrd_join(t, &result) != thrd_success) return -1;
    return result;
}
