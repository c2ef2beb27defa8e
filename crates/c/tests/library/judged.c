#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* Contracts, kept and broken, for tests that call these functions from Rust. */

int half(int x)
/*@ requires x >= 0i32;
    ensures return == x / 2i32; @*/
{
    return x == 7 ? 4 : x / 2;
}

void store(int *p, int v)
/*@ requires take P = RW<int>(p);
    ensures take Q = RW<int>(p); Q == v; @*/
{
    *p = v;
}

/* Calls `half` as its contract forbids, for negative numbers; has no contract itself. */
int quarter(int x) { return half(half(x)); }

static int hidden[2];

/* Touches a variable that its contract does not take. */
void count(int *p)
/*@ requires take P = RW<int>(p); P < 1000i32;
    ensures take Q = RW<int>(p); Q == P + 1i32; @*/
{
    *p = *p + 1;
    if (*p == 42) hidden[0]++;
}

int *boxed(int v)
/*@ ensures take B = RW<int>(return); B == v; @*/
{
    int *p = malloc(sizeof *p), *q = v == 5 ? malloc(1) : 0;
    if (!p || (v == 5 && !q)) abort();
    *p = v;
    return p;
}

int from_sensor(int channel);
/*@ spec from_sensor(i32 channel);
    requires 0i32 <= channel; channel < 4i32;
    ensures 0i32 <= return; return <= 100i32; @*/

int warmest(int n)
{
    int best = 0;
    for (int k = 0; k < n; k++) {
        int t = from_sensor(k);
        if (t > best) best = t;
    }
    return best;
}

/* Overruns a local variable. */
int sum_of(int n)
{
    int values[4] = { 1, 2, 3, 4 }, sum = 0;
    const int *next = values;
    for (int k = 0; k < n; k++) sum += *next++;
    return sum;
}

#ifndef LIMIT
#define LIMIT 1
#endif
int limit(void) { return LIMIT; }

static int seen;
int seen_before(void) { return seen++; }

/* Two ways to be stopped within the C library: by a bad address, and by the clock. */
unsigned long wide(unsigned long at) { return wcslen((const wchar_t *)at); }
int match(const char *pattern, const char *text) { return fnmatch(pattern, text, FNM_EXTMATCH); }

/* Long enough for another thread to do something meanwhile. */
void spinning(void);
unsigned spin(unsigned n)
{
    volatile unsigned sum = 0;
    spinning();
    for (unsigned k = 0; k < n; k++) sum += k;
    return sum;
}
