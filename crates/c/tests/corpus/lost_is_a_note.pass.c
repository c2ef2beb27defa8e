// expect: pass
#include <stdlib.h>
static char *last;
void keep(void) { last = malloc(10); }
void drop(void) { free(last); last = 0; }
