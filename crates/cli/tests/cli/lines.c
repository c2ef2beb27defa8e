#include <stddef.h>
#include <stdlib.h>
static volatile int zero;
int total;
int sign(int x) {
    if (x > 5)
        return 1;
    if (zero)
        return 0; // no
    return -1;
}
int last(int x) {
    if (zero)
        return 3; // no
    if (x < 100 || x >= 100)
        return 2;
    return 0; // no
}
int pick(unsigned k) {
    int r;
    if (k < 5)
        r = 1;
    else
        r = 2;
    if (zero)
        r = 3; // no
    else if (zero)
        r = 4; // no
    return r;
}
int cases(unsigned k) {
    switch (k % 8) {
    case 0:
        return 10;
    case 1:
        return 20;
    case 2:
    case 3:
        return 30;
    case 4:
        total++;
        /* fallthrough */
    case 5:
        return 50;
    case 9:
        return 60; // no
    case 6:
        break;
    default:
        return 0;
    }
    return 7;
}
int letters(const char *text) {
    int n = 0;
    while (*text) {
        if (*text == 'a') {
            n++;
            text++;
            continue;
        }
        if (zero)
            break; // no
        text++;
    }
    if (zero)
        return -1; // no
    return 0;
}
int both(int a, int b) {
    if (zero &&
        b == 7) // no
        return 1; // no
    if (a > 0)
        return 1;
    return 2;
}
int later(int a) {
    int code = 0;
    if (zero)
        goto bad; // no
    if (a > 0)
        goto good;
    code = 1;
    return code;
bad:
    code = 7; // no
    return code; // no
good:
    return 9;
}
int counted(unsigned n) {
    int sum = 0;
    for (unsigned k = 0; k < n % 7; k++)
        sum += (int)k;
    for (unsigned k = 0; zero; k++)
        sum -= 2; // no
    do {
        sum++;
    } while (zero);
    return sum;
}
int only_false(int a) {
    if (!zero)
        return 0;
    return a; // no
}
void nothing(int a) {
    if (zero)
        return; // no
    if (a > 3)
        return;
    total = 0;
}
int nested(int a, int b) {
    if (a > 0) {
        if (b > 0) {
            if (zero)
                return 11; // no
            return 12;
        } else {
            return 13;
        }
    }
    if (zero) {
        total++; // no
        return 14; // no
    }
    return 15;
}
int *made(size_t n) {
    int *p = malloc(sizeof *p);
    if (!p)
        return NULL; // no
    *p = 0;
    if (zero) {
        free(p); // no
        return NULL; // no
    }
    *p = n > 3;
    return p;
}
int divided(int a, int b) {
    if (b == 0)
        return 0;
    if (zero)
        return a / (b - 1); // no
    return a % 8;
}
_Bool is_large(int a) {
    if (zero) return 1; // mixed
    return a > 1000
        || zero;
}
int aborted(int a) {
    if (zero)
        abort(); // no
    if (zero) {
        total = a; // no
        exit(1); // no
    }
    return 4;
}
