/*
 * What the C library remembers from call to call, put back so that a sequence begins like a new program: options, the locale, its table of
 * names, random numbers of the 48-bit kind, the rounding mode. What costs something is put back only if it was used.
 */
#include "internal.h"
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <search.h>
#include <stdlib.h>

STATE static struct { uint32_t has_locale, has_table, has_random, has_options; } L;
REAL(setlocale);
REAL(uselocale);
REAL(hcreate);
REAL(hdestroy);
REAL(getopt);
REAL(getopt_long);
REAL(getopt_long_only);

static void reset_c_library(void)
{
    static const uint16_t x87 = 0x37f;
    __asm__ volatile("fldcw %0" : : "m"(x87));
    if (L.has_locale) {
        uselocale(LC_GLOBAL_LOCALE);
        setlocale(LC_ALL, "C");
    }
    if (L.has_table) hdestroy();
    /* As it is before the first number is asked for. */
    if (L.has_random) lcong48((unsigned short[7]){ 0, 0, 0, 0xe66d, 0xdeec, 5, 0xb });
    if (L.has_options || optind != 1) {
        char *none[] = { "", 0 };
        optind = 0;
        getopt(1, none, "");
    }
    optind = opterr = 1;
    optopt = '?';
    optarg = 0;
    L.has_locale = L.has_table = L.has_random = L.has_options = 0;
}

WRAP(char *, setlocale)(int category, const char *name)
{
    if (name) terminated(name, RA);
    L.has_locale |= name != 0;
    char *p = setlocale(category, name);
    if (p) allow_foreign(p, strlen(p) + 1);
    return p;
}
WRAP(locale_t, uselocale)(locale_t l) { L.has_locale = 1; return uselocale(l); }
WRAP(int, hcreate)(size_t n) { L.has_table = 1; return hcreate(n); }
WRAP(void, hdestroy)(void) { L.has_table = 0; hdestroy(); }

REAL(drand48);
REAL(lrand48);
REAL(mrand48);
REAL(srand48);
REAL(seed48);
REAL(lcong48);
WRAP(double, drand48)(void) { L.has_random = 1; return drand48(); }
WRAP(long, lrand48)(void) { L.has_random = 1; return lrand48(); }
WRAP(long, mrand48)(void) { L.has_random = 1; return mrand48(); }
WRAP(void, srand48)(long seed) { L.has_random = 1; srand48(seed); }
WRAP(void, lcong48)(unsigned short all[7]) { range_access((uint64_t)all, 14, 0, RA); L.has_random = 1; lcong48(all); }
WRAP(unsigned short *, seed48)(unsigned short seed[3])
{
    range_access((uint64_t)seed, 6, 0, RA);
    L.has_random = 1;
    unsigned short *p = seed48(seed);
    allow_foreign(p, 6);
    return p;
}

WRAP(int, getopt)(int n, char *const all[], const char *options) { terminated(options, RA); L.has_options = 1; return getopt(n, all, options); }
WRAP(int, getopt_long)(int n, char *const all[], const char *options, const struct option *more, int *which)
{
    terminated(options, RA);
    L.has_options = 1;
    return getopt_long(n, all, options, more, which);
}
WRAP(int, getopt_long_only)(int n, char *const all[], const char *options, const struct option *more, int *which)
{
    terminated(options, RA);
    L.has_options = 1;
    return getopt_long_only(n, all, options, more, which);
}
