// expect: pass
#include <stdlib.h>

/* Functions without contracts run with what their caller owns. */

struct cursor { const char *at; unsigned line; };

static void skip(struct cursor *c)
{
    while (*c->at == ' ' || *c->at == '\n') c->line += *c->at++ == '\n';
}

static unsigned number(struct cursor *c)
{
    unsigned n = 0;
    while (*c->at >= '0' && *c->at <= '9') n = n * 10 + (*c->at++ - '0');
    return n;
}

unsigned second_number(const char *text)
{
    struct cursor c = { text, 1 };
    skip(&c);
    number(&c);
    skip(&c);
    return number(&c);
}

void shift(int *p)
/*@ requires take P = RW<int>(p);
    ensures take P2 = RW<int>(p); P2 == P / 2i32; @*/
{
    int *scratch = malloc(sizeof *scratch);
    *scratch = *p;
    *p = *scratch / 2;
    free(scratch);
}
