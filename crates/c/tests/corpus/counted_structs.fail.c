// expect: out-of-bounds of sum, at most 1 calls
// seeds: 3
#include <stddef.h>
struct point { int x, y; };
long sum(const struct point *p, size_t n) { long s = 0; for (size_t i = 0; i <= n; i++) s += p[i].x; return s; }
