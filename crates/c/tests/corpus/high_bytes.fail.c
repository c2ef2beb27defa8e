// expect: out-of-bounds of count, at most 1 calls
// seeds: 3
static int table[128];
int count(const char *s) { int n = 0; for (; *s; s++) n += table[(int)*s & 255] ; return n; }
