// expect: dead-stack of sum, at most 1 call
/* The address of a variable outlives the function. */

struct numbers { int *at; int n; };

static void two(struct numbers *out, int x)
{
    int local[2] = { x, 1 };
    int *volatile escaped = local;
    out->at = escaped;
    out->n = 2;
}

int sum(short x)
{
    struct numbers all;
    two(&all, x);
    int total = 0;
    for (int i = 0; i < all.n; i++) total += all.at[i];
    return total;
}
