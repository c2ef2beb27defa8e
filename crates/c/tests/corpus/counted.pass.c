// expect: pass
#include <stddef.h>
struct point { int x, y; };
long sum(size_t count, const struct point *ps) { long s = 0; for (size_t i = 0; i < count; i++) s += ps[i].x; return s; }
int all(const struct point *ps, int n) { int s = 0; while (n-- > 0) s |= ps++->y; return s; }
int largest(unsigned len, const int *a) { if (len == 0) return 0; int m = a[0]; for (unsigned i = 1; i < len; i++) if (a[i] > m) m = a[i]; return m; }
