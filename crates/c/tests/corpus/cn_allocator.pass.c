// expect: pass
/* The allocation functions of CN are there without a header, or with one's own prototypes. */

void *cn_malloc(unsigned long size);
void *cn_calloc(unsigned long n, unsigned long size);
void cn_free_sized(void *p, unsigned long size);

struct box { long content; };

struct box *box(long x)
/*@ ensures take B = RW<struct box>(return); B.content == x; @*/
{
    struct box *b = cn_malloc(sizeof(struct box));
    b->content = x;
    return b;
}

struct box *zero_box(void)
/*@ ensures take B = RW<struct box>(return); B.content == 0i64; @*/
{
    return cn_calloc(1, sizeof(struct box));
}

long unbox(struct box *b)
/*@ requires take B = RW<struct box>(b);
    ensures return == B.content; @*/
{
    long x = b->content;
    cn_free_sized(b, sizeof(struct box));
    return x;
}
