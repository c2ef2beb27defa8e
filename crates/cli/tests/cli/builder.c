/* A text that grows. It may not be appended to itself. */
#include <stdlib.h>
#include <string.h>

struct builder { char *text; size_t length, capacity; };

void builder_init(struct builder *b) { memset(b, 0, sizeof *b); }

int builder_put(struct builder *b, const char *text)
{
    size_t n = strlen(text), capacity = b->capacity ? b->capacity : 16;
    while (capacity - b->length <= n) capacity *= 2;
    if (capacity != b->capacity) {
        char *grown = realloc(b->text, capacity);
        if (!grown) return -1;
        b->text = grown;
        b->capacity = capacity;
    }
    memcpy(b->text + b->length, text, n + 1);
    b->length += n;
    return 0;
}

const char *builder_text(const struct builder *b) { return b->text ? b->text : ""; }

void builder_free(struct builder *b)
{
    free(b->text);
    builder_init(b);
}
