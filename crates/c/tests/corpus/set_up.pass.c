// expect: pass
/* Structs that a function of the file sets up are passed to the others only after that, however its name is written,
   and no longer once another function has ended their life. */
#include <stdlib.h>

typedef struct {
    char *data;
    size_t len, cap;
} Buf;

void Buf_Init(Buf *b)
{
    b->data = malloc(4);
    b->len = 0;
    b->cap = 4;
}

void Buf_Append(Buf *b, char c)
{
    if (b->len == b->cap) {
        b->cap *= 2;
        b->data = realloc(b->data, b->cap);
    }
    b->data[b->len++] = c;
}

void Buf_Free(Buf *b)
{
    free(b->data);
    b->data = NULL;
}

struct scale {
    int unit;
};

int scaleSetup(struct scale *s, unsigned char unit)
{
    s->unit = unit + 1;
    return 0;
}

int scaleApply(const struct scale *s, int n)
{
    return n / s->unit;
}
