// expect: out-of-bounds of store, at most 1 calls
// seeds: 3
#include <string.h>
int store(const char *s) { char buf[64]; strcpy(buf, s); return buf[0]; }
int other(int x) { return x > 3; }
