// expect: leak of keep, at most 2 calls
// seeds: 3
// options: --leaks
#include <stdlib.h>
static char *last;
void keep(void) { last = malloc(10); }
void drop(void) { free(last); last = 0; }
