/* Everything that a call can do right or wrong. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double x, y;
    uint8_t tag[3];
} point;

struct pair { int32_t a; struct pair *next; };
struct hidden;

enum colour { RED, GREEN };

point mirror(point p) { return (point){ .x = p.y, .y = p.x, .tag = { p.tag[2], p.tag[1], p.tag[0] } }; }
bool is_long(const char *text, int8_t limit) { return strlen(text) > (size_t)limit; }
float half(float x) { return x / 2; }
enum colour other(enum colour c) { return c == RED ? GREEN : RED; }
void swap(struct pair *p, struct pair *q) { int32_t a = p->a; p->a = q->a; q->a = a; }
void reverse(uint16_t *values, uint32_t n)
{
    for (uint32_t k = 0; k < n / 2; k++) {
        uint16_t v = values[k];
        values[k] = values[n - 1 - k];
        values[n - 1 - k] = v;
    }
}

static const uint16_t *kept;
static int n_calls;
void keep(const uint16_t *values) { kept = values; }
uint16_t look(void) { return kept[0]; }
int count(void) { return ++n_calls; }

char *copied(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}
void discard(char *text) { free(text); }
uint16_t *unwritten(void) { return malloc(4); }
int twice(int x) { return 2 * x; }
void die(int how)
{
    if (how == 0) abort();
    if (how == 1) exit(3);
    if (how == 2) *(volatile int *)8 = 1;
    if (how == 3) die(how);
    for (volatile int go = 1; go;) {}
}

int from_disk(uint32_t block, uint8_t *to);
int read_first(uint8_t *to) { return from_disk(7, to) < 0 ? -1 : to[0]; }
long seconds(void);
int cached(int x) { return x + 1; }
int by_cache(int x) { return 10 * cached(x); }
