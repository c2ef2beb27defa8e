/*
 * The C library's memory and string functions: the ranges they touch are checked like the code's own accesses,
 * copies carry the state of their bytes along. What they compute is the C library's work, or done byte by byte.
 */
#include "internal.h"
#include <poll.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <wchar.h>

REAL(memchr);
REAL(strtol);
REAL(strtoul);
REAL(strtoll);
REAL(strtoull);
REAL(strtod);
REAL(strtof);
REAL(vsnprintf);
REAL(fgets);
REAL(fread);
REAL(fwrite);
REAL(read);

#define IN(p, n) range_access((uint64_t)(p), (n), 0, RA)
#define OUT(p, n) range_access((uint64_t)(p), (n), 1, RA)

/* The length of a string, every byte of it checked; a byte that was never written decides where it ends, so it counts. */
static uint64_t terminated(const char *s, void *pc)
{
    uint64_t n = 0;
    do check_read((uint64_t)(s + n), 1, pc);
    while (s[n++]);
    burn(n * ONE_BY_ONE, pc);
    return n - 1;
}

static uint64_t bounded(const char *s, uint64_t limit, void *pc)
{
    uint64_t n = 0;
    for (; n < limit; n++) {
        check_read((uint64_t)(s + n), 1, pc);
        if (!s[n]) break;
    }
    burn(n * ONE_BY_ONE, pc);
    return n;
}

static void *copy(void *to, const void *from, uint64_t n, void *pc)
{
    range_access((uint64_t)from, n, 0, pc);
    range_access((uint64_t)to, n, 1, pc);
    memmove(to, from, n);
    copy_state((uint64_t)to, (uint64_t)from, n);
    return to;
}

static void *copy_apart(void *to, const void *from, uint64_t n, void *pc)
{
    uint64_t apart = (uint64_t)to > (uint64_t)from ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
    if (S.armed && apart && apart < n) {
        /* A length that runs out of its block says more than that it comes to another one. */
        range_access((uint64_t)from, n, 0, pc);
        range_access((uint64_t)to, n, 1, pc);
        stop_at(SW_OVERLAP, (uint64_t)to, 0, pc);
    }
    return copy(to, from, n, pc);
}

WRAP(void *, memcpy)(void *d, const void *s, size_t n) { return copy_apart(d, s, n, RA); }
WRAP(void *, mempcpy)(void *d, const void *s, size_t n) { return (char *)copy_apart(d, s, n, RA) + n; }
WRAP(void *, memmove)(void *d, const void *s, size_t n) { return copy(d, s, n, RA); }
WRAP(void *, __memcpy_chk)(void *d, const void *s, size_t n, size_t size) { (void)size; return copy_apart(d, s, n, RA); }
WRAP(void *, __memmove_chk)(void *d, const void *s, size_t n, size_t size) { (void)size; return copy(d, s, n, RA); }
void *__tsan_memcpy(void *d, const void *s, size_t n) { return copy_apart(d, s, n, RA); }
void *__tsan_memmove(void *d, const void *s, size_t n) { return copy(d, s, n, RA); }
static void *set(void *d, int c, uint64_t n, void *pc)
{
    range_access((uint64_t)d, n, 1, pc);
    return memset(d, c, n);
}
WRAP(void *, memset)(void *d, int c, size_t n) { return set(d, c, n, RA); }
WRAP(void *, __memset_chk)(void *d, int c, size_t n, size_t size) { (void)size; return set(d, c, n, RA); }
WRAP(void, explicit_bzero)(void *d, size_t n) { set(d, 0, n, RA); }
WRAP(void, bzero)(void *d, size_t n) { set(d, 0, n, RA); }
void *__tsan_memset(void *d, int c, size_t n) { return set(d, c, n, RA); }

/* Comparing decides on each byte up to the first difference, but the ranges must be there as a whole. */
WRAP(int, memcmp)(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    IN(a, n);
    IN(b, n);
    burn(n, RA);
    for (size_t i = 0; i < n; i++) {
        check_read((uint64_t)(x + i), 1, RA);
        check_read((uint64_t)(y + i), 1, RA);
        if (x[i] != y[i]) {
            note_prefix(i, x[i], y[i], RA);
            return x[i] < y[i] ? -1 : 1;
        }
    }
    note_prefix(n, 0, 0, RA);
    return 0;
}

WRAP(void *, memchr)(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    for (size_t i = 0; i < n; i++) {
        check_read((uint64_t)(p + i), 1, RA);
        if (i % BYTES_A_BLOCK == 0) burn(BYTES_A_BLOCK * ONE_BY_ONE, RA);
        if (p[i] == (unsigned char)c) return (void *)(p + i);
    }
    return 0;
}

WRAP(size_t, strlen)(const char *s) { return terminated(s, RA); }
WRAP(size_t, strnlen)(const char *s, size_t n) { return bounded(s, n, RA); }
WRAP(char *, strcpy)(char *d, const char *s) { return copy_apart(d, s, terminated(s, RA) + 1, RA); }
WRAP(char *, __strcpy_chk)(char *d, const char *s, size_t size) { (void)size; return copy_apart(d, s, terminated(s, RA) + 1, RA); }
WRAP(char *, stpcpy)(char *d, const char *s)
{
    uint64_t n = terminated(s, RA);
    return (char *)copy_apart(d, s, n + 1, RA) + n;
}
static char *copy_bounded(char *d, const char *s, uint64_t limit, void *pc)
{
    uint64_t n = bounded(s, limit, pc);
    copy_apart(d, s, n, pc);
    set(d + n, 0, limit - n, pc);
    return d;
}
WRAP(char *, strncpy)(char *d, const char *s, size_t n) { return copy_bounded(d, s, n, RA); }
WRAP(char *, __strncpy_chk)(char *d, const char *s, size_t n, size_t size) { (void)size; return copy_bounded(d, s, n, RA); }
static char *append(char *d, const char *s, uint64_t n, void *pc)
{
    uint64_t end = terminated(d, pc);
    copy_apart(d + end, s, n, pc);
    set(d + end + n, 0, 1, pc);
    return d;
}
WRAP(char *, strcat)(char *d, const char *s) { return append(d, s, terminated(s, RA), RA); }
WRAP(char *, __strcat_chk)(char *d, const char *s, size_t size) { (void)size; return append(d, s, terminated(s, RA), RA); }
WRAP(char *, strncat)(char *d, const char *s, size_t n) { return append(d, s, bounded(s, n, RA), RA); }

static int compare(const char *a, const char *b, uint64_t limit, int is_folded, void *pc)
{
    for (uint64_t i = 0; i < limit; i++) {
        check_read((uint64_t)(a + i), 1, pc);
        check_read((uint64_t)(b + i), 1, pc);
        if (i % BYTES_A_BLOCK == 0) burn(BYTES_A_BLOCK * ONE_BY_ONE, pc);
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (is_folded) x = tolower(x), y = tolower(y);
        if (x != y) {
            note_prefix(i, x, y, pc);
            return x < y ? -1 : 1;
        }
        if (!x) break;
    }
    note_prefix(0, 0, 0, pc);
    return 0;
}
WRAP(int, strcmp)(const char *a, const char *b) { return compare(a, b, ~0ul, 0, RA); }
WRAP(int, strcoll)(const char *a, const char *b) { return compare(a, b, ~0ul, 0, RA); }
WRAP(int, strncmp)(const char *a, const char *b, size_t n) { return compare(a, b, n, 0, RA); }
WRAP(int, strcasecmp)(const char *a, const char *b) { return compare(a, b, ~0ul, 1, RA); }
WRAP(int, strncasecmp)(const char *a, const char *b, size_t n) { return compare(a, b, n, 1, RA); }

static char *find(const char *s, int c, int is_last, void *pc)
{
    char *found = 0;
    for (uint64_t i = 0;; i++, s++) {
        check_read((uint64_t)s, 1, pc);
        if (i % BYTES_A_BLOCK == 0) burn(BYTES_A_BLOCK * ONE_BY_ONE, pc);
        if (*s == (char)c) {
            found = (char *)s;
            if (!is_last) return found;
        }
        if (!*s) return found;
    }
}
WRAP(char *, strchr)(const char *s, int c) { return find(s, c, 0, RA); }
WRAP(char *, index)(const char *s, int c) { return find(s, c, 0, RA); }
WRAP(char *, strrchr)(const char *s, int c) { return find(s, c, 1, RA); }
WRAP(char *, rindex)(const char *s, int c) { return find(s, c, 1, RA); }
WRAP(char *, strstr)(const char *s, const char *what)
{
    uint64_t n = terminated(what, RA), m = terminated(s, RA);
    burn(m * ONE_BY_ONE, RA);
    for (uint64_t i = 0; i + n <= m; i++)
        if (!memcmp(s + i, what, n)) return (char *)(s + i);
    return 0;
}

static int is_in(char c, const char *set_, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (set_[i] == c) return 1;
    return 0;
}
static uint64_t span(const char *s, const char *set_, int accept, void *pc)
{
    uint64_t n = terminated(set_, pc), i = 0;
    for (;; i++) {
        check_read((uint64_t)(s + i), 1, pc);
        burn(n + BYTES_A_BLOCK, pc);
        if (!s[i] || is_in(s[i], set_, n) != accept) return i;
    }
}
WRAP(size_t, strspn)(const char *s, const char *set_) { return span(s, set_, 1, RA); }
WRAP(size_t, strcspn)(const char *s, const char *set_) { return span(s, set_, 0, RA); }
WRAP(char *, strpbrk)(const char *s, const char *set_)
{
    s += span(s, set_, 0, RA);
    return *s ? (char *)s : 0;
}
static char *token(char *s, const char *set_, char **rest, void *pc)
{
    if (!s) s = *rest;
    if (!s) return 0;
    s += span(s, set_, 1, pc);
    if (!*s) return *rest = 0;
    char *end = s + span(s, set_, 0, pc);
    *rest = 0;
    if (*end) {
        check_write((uint64_t)end, 1, pc);
        *end = 0;
        *rest = end + 1;
    }
    return s;
}
WRAP(char *, strtok)(char *s, const char *set_) { return token(s, set_, &S.strtok_rest, RA); }
WRAP(char *, strtok_r)(char *s, const char *set_, char **rest)
{
    if (!s) check_read((uint64_t)rest, 8, RA);
    check_write((uint64_t)rest, 8, RA);
    return token(s, set_, rest, RA);
}

static char *duplicate(const char *s, uint64_t n, void *pc)
{
    char *p = heap(n + 1, 16, pc);
    if (!p) return 0;
    memcpy(p, s, n);
    p[n] = 0;
    set(p, 0, 0, pc);
    memset(SHADOW((uint64_t)p), (int)(S.tag << 2 | SW_LIVE | SW_INIT), n + 1);
    return p;
}
WRAP(char *, strdup)(const char *s) { return duplicate(s, terminated(s, RA), RA); }
WRAP(char *, __strdup)(const char *s) { return duplicate(s, terminated(s, RA), RA); }
WRAP(char *, strndup)(const char *s, size_t n) { return duplicate(s, bounded(s, n, RA), RA); }

/* Numbers from strings: reading stops somewhere inside; the terminator must be there. */
#define NUMBER(type, name) \
    WRAP(type, name)(const char *s, char **end, int base) \
    { terminated(s, RA); if (end) check_write((uint64_t)end, 8, RA); return name(s, end, base); }
NUMBER(long, strtol)
/* What newer headers call them. */
WRAP(long, __isoc23_strtol)(const char *s, char **end, int base) { return __wrap_strtol(s, end, base); }
WRAP(unsigned long, __isoc23_strtoul)(const char *s, char **end, int base) { terminated(s, RA); if (end) check_write((uint64_t)end, 8, RA); return strtoul(s, end, base); }
NUMBER(unsigned long, strtoul)
NUMBER(long long, strtoll)
NUMBER(unsigned long long, strtoull)
WRAP(double, strtod)(const char *s, char **end) { terminated(s, RA); if (end) check_write((uint64_t)end, 8, RA); return strtod(s, end); }
WRAP(float, strtof)(const char *s, char **end) { terminated(s, RA); if (end) check_write((uint64_t)end, 8, RA); return strtof(s, end); }
WRAP(int, atoi)(const char *s) { terminated(s, RA); return (int)strtol(s, 0, 10); }
WRAP(long, atol)(const char *s) { terminated(s, RA); return strtol(s, 0, 10); }
WRAP(long long, atoll)(const char *s) { terminated(s, RA); return strtoll(s, 0, 10); }
WRAP(double, atof)(const char *s) { terminated(s, RA); return strtod(s, 0); }

/* Printing into memory: measured first, then the range is checked, then done. */
static int print(char *d, uint64_t limit, const char *format, va_list arguments, void *pc)
{
    va_list again;
    terminated(format, pc);
    va_copy(again, arguments);
    int n = vsnprintf(0, 0, format, again);
    va_end(again);
    burn(FORMATTING + (n > 0 ? (uint64_t)n : 0), pc);
    if (n < 0 || !limit) return n;
    uint64_t written = (uint64_t)n + 1 < limit ? (uint64_t)n + 1 : limit;
    range_access((uint64_t)d, written, 1, pc);
    return vsnprintf(d, written, format, arguments);
}
#define PRINT(limit) \
    va_list arguments; va_start(arguments, format); \
    int n = print(d, (limit), format, arguments, RA); va_end(arguments); return n
WRAP(int, sprintf)(char *d, const char *format, ...) { PRINT(~0ul); }
WRAP(int, snprintf)(char *d, size_t limit, const char *format, ...) { PRINT(limit); }
WRAP(int, __sprintf_chk)(char *d, int flag, size_t size, const char *format, ...) { (void)flag, (void)size; PRINT(~0ul); }
WRAP(int, __snprintf_chk)(char *d, size_t limit, int flag, size_t size, const char *format, ...) { (void)flag, (void)size; PRINT(limit); }
WRAP(int, vsprintf)(char *d, const char *format, va_list arguments) { return print(d, ~0ul, format, arguments, RA); }
WRAP(int, vsnprintf)(char *d, size_t limit, const char *format, va_list arguments) { return print(d, limit, format, arguments, RA); }
static int print_new(char **out, const char *format, va_list arguments, void *pc)
{
    va_list again;
    va_copy(again, arguments);
    int n = vsnprintf(0, 0, format, again);
    va_end(again);
    char *p = n < 0 ? 0 : heap((uint64_t)n + 1, 16, pc);
    check_write((uint64_t)out, 8, pc);
    *out = p;
    return p ? print(p, ~0ul, format, arguments, pc) : -1;
}
WRAP(int, vasprintf)(char **out, const char *format, va_list arguments) { return print_new(out, format, arguments, RA); }
WRAP(int, asprintf)(char **out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = print_new(out, format, arguments, RA);
    va_end(arguments);
    return n;
}

/* Reading from files into memory. */
WRAP(char *, fgets)(char *d, int n, FILE *f)
{
    if (n > 0) OUT(d, (uint64_t)n);
    burn(FORMATTING, RA);
    return fgets(d, n, f);
}
WRAP(size_t, fread)(void *d, size_t size, size_t n, FILE *f)
{
    OUT(d, size * n);
    return fread(d, size, n, f);
}
WRAP(size_t, fwrite)(const void *s, size_t size, size_t n, FILE *f)
{
    IN(s, size * n);
    return fwrite(s, size, n, f);
}
static void await_file(int fd, short events, const char *function, void *pc);
WRAP(ssize_t, read)(int fd, void *d, size_t n)
{
    OUT(d, n);
    burn(SYSTEM_CALL, RA);
    if (is_hosts(fd)) return 0;
    await_file(fd, POLLIN, "read", RA);
    return read(fd, d, n);
}
static ssize_t read_line(char **line, size_t *size, int delimiter, FILE *f, void *pc)
{
    check_read((uint64_t)line, 8, pc);
    check_read((uint64_t)size, 8, pc);
    uint64_t used = 0;
    for (int c; (c = fgetc(f)) != EOF;) {
        burn(ONE_BY_ONE, pc);
        if (!*line || used + 2 > *size) {
            uint64_t larger = *line ? *size * 2 + 16 : 128;
            char *p = resize(*line, larger, pc);
            if (!p) return -1;
            *line = p;
            *size = larger;
        }
        set(*line + used, c, 1, pc);
        used++;
        if (c == delimiter) break;
    }
    if (!used) return -1;
    set(*line + used, 0, 1, pc);
    return (ssize_t)used;
}
WRAP(ssize_t, getline)(char **line, size_t *size, FILE *f) { return read_line(line, size, '\n', f, RA); }
WRAP(ssize_t, getdelim)(char **line, size_t *size, int delimiter, FILE *f) { return read_line(line, size, delimiter, f, RA); }

/* Sorting in place, so that what the comparison sees is the code's own memory. Heap sort: no bad case, no memory. */
struct order { char *base; uint64_t size; int (*plain)(const void *, const void *); int (*with)(const void *, const void *, void *); void *context; };
static int compare_at(const struct order *o, uint64_t i, uint64_t j)
{
    const void *a = o->base + i * o->size, *b = o->base + j * o->size;
    return o->with ? o->with(a, b, o->context) : o->plain(a, b);
}
static void swap_at(const struct order *o, uint64_t i, uint64_t j)
{
    char *a = o->base + i * o->size, *b = o->base + j * o->size;
    uint8_t *s = shadow_of((uint64_t)a, o->size), *t = shadow_of((uint64_t)b, o->size);
    for (uint64_t k = 0; k < o->size; k++) {
        char c = a[k];
        a[k] = b[k];
        b[k] = c;
        if (s && t) {
            uint8_t m = s[k];
            s[k] = t[k];
            t[k] = m;
        }
    }
}
static void sift(const struct order *o, uint64_t root, uint64_t n)
{
    for (uint64_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && compare_at(o, child, child + 1) < 0) child++;
        if (compare_at(o, root, child) >= 0) return;
        swap_at(o, root, child);
    }
}
static void sort(const struct order *o, uint64_t n, void *pc)
{
    range_access((uint64_t)o->base, n * o->size, 0, pc);
    for (uint64_t k = n / 2; k-- > 0;) sift(o, k, n);
    for (uint64_t k = n; k-- > 1;) {
        swap_at(o, 0, k);
        sift(o, 0, k);
    }
}
WRAP(void, qsort)(void *base, size_t n, size_t size, int (*plain)(const void *, const void *))
{
    struct order o = { .base = base, .size = size, .plain = plain };
    sort(&o, n, RA);
}
WRAP(void, qsort_r)(void *base, size_t n, size_t size, int (*with)(const void *, const void *, void *), void *context)
{
    struct order o = { .base = base, .size = size, .with = with, .context = context };
    sort(&o, n, RA);
}
