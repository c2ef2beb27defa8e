// expect: leak of f, at most 1 calls
// seeds: 3
#include <stdlib.h>
int f(int x)
/*@ requires x > 0i32; ensures return == x; @*/
{ char *p = malloc(3); if (p) *p = (char)x; return x; }
