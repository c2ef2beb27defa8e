#include <stdlib.h>
#include <string.h>

/* Names that are counted and linked; a pool forgets to look whether a name is one of its own. */
struct name { struct name *next; unsigned n_uses; char text[16]; };
struct pool { struct name *first; };

struct pool *pool_new(void) { return calloc(1, sizeof(struct pool)); }

struct name *pool_get(struct pool *pool, const char *text)
{
    for (struct name *name = pool->first; name; name = name->next)
        if (!strncmp(name->text, text, 15)) {
            name->n_uses++;
            return name;
        }
    struct name *name = calloc(1, sizeof *name);
    strncpy(name->text, text, 15);
    name->n_uses = 1;
    name->next = pool->first;
    pool->first = name;
    return name;
}

void pool_put(struct pool *pool, struct name *name)
{
    if (--name->n_uses) return;
    for (struct name **at = &pool->first; *at; at = &(*at)->next)
        if (*at == name) {
            *at = name->next;
            break;
        }
    free(name);
}

unsigned pool_count(struct pool *pool)
{
    unsigned n = 0;
    for (struct name *name = pool->first; name; name = name->next) n++;
    return n;
}
