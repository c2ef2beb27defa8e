// expect: pass
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Corners of C that are right and look wrong. */

void frees_nothing(void) { free(NULL); }

void empty_block(void)
{
    char *p = malloc(0);
    memcpy(p, "", 0);
    free(p);
}

/* One past the end may be computed, and compared. */
int sum(unsigned char x)
{
    int a[4] = { x, x, x, x }, total = 0;
    for (int *p = a; p != a + 4; p++) total += *p;
    return total;
}

int variable_length(unsigned char n)
{
    char text[n + 1];
    memset(text, 'x', n);
    text[n] = 0;
    return strlen(text) == n ? 0 : (abort(), 1);
}

int jumps(int x)
{
    static jmp_buf back;
    int how = setjmp(back);
    if (how) return how;
    longjmp(back, x == 0 ? 1 : x);
}

static int total(int n, ...)
{
    va_list list;
    int sum = 0;
    if (n != 2) return 0;
    va_start(list, n);
    while (n-- > 0) sum += va_arg(list, int);
    va_end(list);
    return sum;
}

int variadic(short a, short b) { return total(2, a, b); }

int formatted(int x)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%d", x);
    return atoi(text) == x && n < 13 ? n : (abort(), 0);
}

void moves_over_itself(unsigned char n)
{
    char text[260] = "abc";
    memmove(text + n % 4, text, 256);
}
