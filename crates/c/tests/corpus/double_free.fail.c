// expect: double-free of close_both, at most 2 calls
#include <stdlib.h>

struct pair { char *left, *right; };

static void release(char *p) { free(p); }

struct pair open_pair(_Bool share)
{
    struct pair p;
    p.left = malloc(4);
    p.right = share ? p.left : malloc(4);
    return p;
}

void close_both(struct pair p)
{
    release(p.left);
    release(p.right);
}
