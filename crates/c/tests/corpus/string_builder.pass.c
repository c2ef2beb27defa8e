// expect: pass
#include <stdlib.h>
#include <string.h>

/* Text that grows: always terminated, whatever is appended. No contracts. */

struct builder { size_t used, capacity; char *text; };

struct builder *builder_new(void)
{
    struct builder *b = malloc(sizeof *b);
    b->used = 0;
    b->capacity = 8;
    b->text = malloc(b->capacity);
    b->text[0] = 0;
    return b;
}

static void reserve(struct builder *b, size_t more)
{
    if (more > 1000 || b->used + more + 1 <= b->capacity) return;
    while (b->used + more + 1 > b->capacity) b->capacity *= 2;
    b->text = realloc(b->text, b->capacity);
}

void builder_add(struct builder *b, const char *text)
{
    size_t n = strlen(text);
    if (n > 1000) return;
    reserve(b, n);
    memcpy(b->text + b->used, text, n + 1);
    b->used += n;
}

void builder_add_char(struct builder *b, char c)
{
    char text[2] = { c, 0 };
    builder_add(b, text);
}

size_t builder_length(const struct builder *b)
{
    if (strlen(b->text) != b->used) abort();
    return b->used;
}
