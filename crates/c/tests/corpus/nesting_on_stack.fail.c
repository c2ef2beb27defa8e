// expect: stack-overflow of evaluate, at most 1 calls
// seeds: 3
#include <ctype.h>
static const char *p;
static int expr(void);
static int atom(void)
{
    while (*p == ' ') p++;
    if (*p == '(') { p++; int v = expr(); if (*p == ')') p++; return v; }
    if (*p == '-') { p++; return -atom(); }
    int v = 0;
    while (isdigit((unsigned char)*p)) v = (v * 10 + (*p++ - '0')) % 1000;
    return v;
}
static int term(void) { int v = atom(); while (*p == '*') { p++; v = v * atom() % 1000; } return v; }
static int expr(void) { int v = term(); while (*p == '+') { p++; v += term(); } return v; }
int evaluate(const char *text) { p = text; return expr(); }
