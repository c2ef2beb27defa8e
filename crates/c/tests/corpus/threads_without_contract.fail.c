// expect: out-of-bounds of sum_in_parts, at most 1 calls
// seeds: 3
// Threads are joined on the stack that calls have where there is no contract; the last part is too long.
#include <pthread.h>

#define MOST_PARTS 8

struct part { const int *numbers; unsigned n; long sum; };

static void *add_up(void *argument)
{
    struct part *part = argument;
    for (unsigned i = 0; i < part->n; i++) part->sum += part->numbers[i];
    return NULL;
}

long sum_in_parts(const int *numbers, unsigned n, unsigned n_parts)
{
    pthread_t threads[MOST_PARTS];
    struct part parts[MOST_PARTS] = { 0 };
    long sum = 0;
    if (!n_parts || n_parts > MOST_PARTS) return -1;
    unsigned each = (n + n_parts - 1) / n_parts;
    for (unsigned i = 0; i < n_parts; i++) {
        parts[i] = (struct part){ numbers + i * each, each, 0 };
        if (pthread_create(&threads[i], NULL, add_up, &parts[i])) return -1;
    }
    for (unsigned i = 0; i < n_parts; i++) {
        pthread_join(threads[i], NULL);
        sum += parts[i].sum;
    }
    return sum;
}
