// expect: out-of-bounds of add_handler, at most 5 calls
#include <stddef.h>
typedef int (*handler)(int);
static handler table[4];
static unsigned n_handlers;
int twice(int x) { return x > 1000 || x < -1000 ? 0 : 2 * x; }
int next(int x) { return x > 1000 || x < -1000 ? 0 : x + 1; }
int sane(void) { return n_handlers <= 4; }
int add_handler(handler h)
{
    if (n_handlers > 4) return -1;
    table[n_handlers++] = h;
    return 0;
}
int run_all(int x)
{
    for (unsigned i = 0; i < n_handlers; i++) x = table[i](x);
    return x;
}
void remove_last(void) { if (n_handlers) n_handlers--; }
