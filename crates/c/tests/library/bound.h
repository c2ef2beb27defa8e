#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum way { LEFT = -1, STRAIGHT, RIGHT };

typedef struct {
    double x, y;
    enum way way;
} vector;

struct entry {
    char key[8];
    int32_t type;
};

struct flags {
    unsigned is_on : 1;
    unsigned rest : 31;
};

union number {
    int i;
    float f;
};

struct table;
struct clock;

uint32_t clock_now(struct clock *clock);
