// expect: leak of shrink, at most 2 calls
/* Freeing fewer bytes than were allocated leaks the rest. */

void *cn_malloc(unsigned long size);
void cn_free_sized(void *p, unsigned long size);

struct wide { long a, b; };

struct wide *wide(void)
/*@ ensures take W1 = RW<struct wide>(return); @*/
{
    struct wide *w = cn_malloc(sizeof *w);
    w->a = w->b = 0;
    return w;
}

void shrink(struct wide *w)
/*@ requires take W1 = RW<struct wide>(w); @*/
{
    cn_free_sized(w, sizeof(long));
}
