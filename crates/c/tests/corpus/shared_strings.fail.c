// expect: out-of-bounds of rc_concat, at most 3 calls
#include <stdlib.h>
#include <string.h>
struct rc { unsigned refs; size_t len; char text[]; };
struct rc *rc_new(const char *s)
{
    size_t n = strlen(s);
    struct rc *r = malloc(sizeof *r + n + 1);
    r->refs = 1;
    r->len = n;
    memcpy(r->text, s, n + 1);
    return r;
}
struct rc *rc_share(struct rc *r) { r->refs++; return r; }
size_t rc_length(const struct rc *r) { return r->len; }
struct rc *rc_concat(const struct rc *a, const struct rc *b)
{
    struct rc *r = malloc(sizeof *r + a->len + b->len);
    r->refs = 1;
    r->len = a->len + b->len;
    memcpy(r->text, a->text, a->len);
    memcpy(r->text + a->len, b->text, b->len + 1);
    return r;
}
int rc_equal(const struct rc *a, const struct rc *b) { return a->len == b->len && !memcmp(a->text, b->text, a->len); }
void rc_drop(struct rc *r) { if (!--r->refs) free(r); }
