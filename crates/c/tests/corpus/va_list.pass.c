// expect: pass
#include <stdarg.h>
#include <stdio.h>
int vlog(const char *f, va_list ap) { char b[9]; return vsnprintf(b, sizeof b, f, ap); }
int twice(int x) { return x < 1000 && x > -1000 ? 2 * x : 0; }
