// expect: out-of-bounds of median, at most 1 calls
// seeds: 3
#include <string.h>
#include <stddef.h>
int median(const int *a, size_t n) { int copy[200]; if (n == 0) return 0; memcpy(copy, a, n * sizeof *a); return copy[n / 2]; }
