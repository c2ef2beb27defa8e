// expect: out-of-bounds of buffer_new, at most 1 call
// seeds: 2
/* A function that allocates is passed: the C library's, which gives as much as it is asked for. */
#include <stddef.h>

typedef void *(*allocator)(size_t n);

struct buffer { size_t n; char text[]; };

struct buffer *buffer_new(size_t n, allocator allocate)
{
    struct buffer *buffer = n < 4096 ? allocate(sizeof *buffer + n) : NULL;
    if (!buffer) return NULL;
    buffer->n = n;
    buffer->text[n] = 0;
    return buffer;
}
