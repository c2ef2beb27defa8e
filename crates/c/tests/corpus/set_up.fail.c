// expect: timeout of pool_count, at most 3 calls
/* A cell that is given back although nobody has it makes a cycle. The pool is never passed as zeros, in which there is one. */
#define N 4

struct pool {
    short next[N];
    short head;
};

void pool_init(struct pool *p)
{
    for (int i = 0; i < N; i++)
        p->next[i] = (short)(i + 1 < N ? i + 1 : -1);
    p->head = 0;
}

int pool_take(struct pool *p)
{
    int k = p->head;
    if (k >= 0)
        p->head = p->next[k];
    return k;
}

void pool_give(struct pool *p, int k)
{
    if (k < 0 || k >= N)
        return;
    p->next[k] = p->head;
    p->head = (short)k;
}

int pool_count(const struct pool *p)
{
    int n = 0;
    for (int k = p->head; k >= 0; k = p->next[k])
        n++;
    return n;
}
