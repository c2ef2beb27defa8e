/* Declarations of all kinds, for bindings that follow from them. */
#include "bound.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct table {
    size_t n;
    struct entry *entries;
};

/* Numbers, and pointers with their lengths. */
uint64_t sum(const uint32_t *values, size_t n)
{
    uint64_t total = 0;
    for (size_t k = 0; k < n; k++)
        total += values[k];
    return total;
}
void add(const int16_t *a, const int16_t *b, int16_t *to, uint8_t n)
{
    for (uint8_t k = 0; k < n; k++)
        to[k] = (int16_t)(a[k] + b[k]);
}
int compare(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }
void clear(void *at, size_t n) { memset(at, 0, n); }
size_t length(const char *text) { return strlen(text); }

/* Structs and enumerations. */
vector scaled(const vector *v, double by) { return (vector){ v->x * by, v->y * by, v->way }; }
void turn(vector *v) { v->way = v->way == LEFT ? RIGHT : LEFT; }
enum way opposite(enum way way) { return way == LEFT ? RIGHT : way == RIGHT ? LEFT : way; }

/* Results by address. */
bool quotient(int32_t a, int32_t b, int32_t *quotient, int32_t *rest)
{
    if (b == 0 || (a == INT32_MIN && b == -1)) return false;
    *quotient = a / b;
    *rest = a % b;
    return true;
}
void halfway(vector *at) { at->x = 0.5; }

/* What the caller owns. */
struct table *table_new(void) { return calloc(1, sizeof(struct table)); }
bool table_put(struct table *table, const char *key, int32_t type)
{
    struct entry *more = realloc(table->entries, (table->n + 1) * sizeof *more);
    if (!more) return false;
    table->entries = more;
    memset(&more[table->n], 0, sizeof *more);
    strncpy(more[table->n].key, key, sizeof more->key - 1);
    more[table->n++].type = type;
    return true;
}
const char *table_key(const struct table *table, int32_t type)
{
    for (size_t k = 0; k < table->n; k++)
        if (table->entries[k].type == type) return table->entries[k].key;
    return NULL;
}
struct entry table_last(const struct table *table)
{
    return table->n ? table->entries[table->n - 1] : (struct entry){ .type = -1 };
}
/* Frees all but what `PLANTED` says. */
void table_free(struct table *table)
{
    if (table && table->n != 3) free(table->entries);
    free(table);
}
void table_free_with(struct table *table, int how) { (void)how, table_free(table); }

/* A function pointer, and a function that is nowhere. */
int apply(int (*f)(int), int x) { return f(x); }
int doubled(int x) { return 2 * x; }
uint32_t tick(struct clock *clock) { return clock_now(clock) + 1; }

/* Names that are not names in Rust. */
int move(int self, int type) { return self + type; }

/* What Rust cannot call. */
int logged(const char *format, ...) { return (int)strlen(format); }
int vlogged(const char *format, va_list rest) { return (void)rest, (int)strlen(format); }
long double precise(double x) { return x; }
struct flags marked(struct flags flags) { return flags.is_on = 1, flags; }
int either(union number n) { return n.i; }

static int hidden(int x) { return x + 1; }
int uses_hidden(int x) { return hidden(x); }
int main(void) { return 0; }
