// expect: out-of-bounds of set, at most 1 calls
// seeds: 3
static int table[10];
int get(int i)
/*@ requires 0i32 <= i && i < 10i32; ensures return >= 0i32; @*/
{ return table[i] * table[i]; }
void set(int i, int v)
/*@ requires 0i32 <= i && i <= 10i32 && v < 100i32 && v > -100i32; @*/
{ table[i] = v; }
int len(const char *s)
/*@ ensures return >= 0i32; @*/
{ int n = 0; while (s[n]) n++; return n; }
