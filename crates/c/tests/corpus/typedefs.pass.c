// expect: pass
/* Two typedefs of one type are two kinds of argument: a `text` has its length before it, a `char *` does not. */
#include <stdlib.h>
#include <string.h>

typedef char *text;

struct head { unsigned long n; char characters[]; };

static struct head *head_of(text t) { return (struct head *)(t - sizeof(struct head)); }

text text_new(const char *from)
{
    unsigned long n = strlen(from);
    struct head *head = malloc(sizeof *head + n + 1);
    if (!head) return 0;
    head->n = n;
    memcpy(head->characters, from, n + 1);
    return head->characters;
}

unsigned long text_length(text t) { return head_of(t)->n; }

int text_is(text t, const char *s) { return strlen(s) == head_of(t)->n && memcmp(t, s, head_of(t)->n) == 0; }

char *plain(text t)
{
    char *copy = malloc(head_of(t)->n + 1);
    if (copy) memcpy(copy, t, head_of(t)->n + 1);
    return copy;
}

unsigned long count(char *s, char c)
{
    unsigned long n = 0;
    for (; *s; s++) n += *s == c;
    return n;
}
