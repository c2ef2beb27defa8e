// expect: pass
/* Local variables without an initialiser that are set in all the ways there are before they are handed over. */
#include <stdlib.h>
#include <string.h>

struct pair { int a; char b; int c; };

int get(int *p)
/*@ requires take X = RW<int>(p);
    ensures take Y = RW<int>(p);
            Y == X;
            return == Y; @*/
{
    return *p;
}

void set(int *p, int x)
/*@ requires take X = W<int>(p);
    ensures take Y = RW<int>(p);
            Y == x; @*/
{
    *p = x;
}

int sum(struct pair *p)
/*@ requires take X = RW<struct pair>(p);
             X.a < 1000i32; X.a > -1000i32; X.c < 1000i32; X.c > -1000i32;
    ensures take Y = RW<struct pair>(p);
            return == Y.a + Y.c; @*/
{
    return p->a + p->c;
}

static struct pair made(int x) { return (struct pair){ x, 'b', -x }; }

int all(int n)
/*@ requires n < 500i32; n > -500i32;
    ensures return == 0i32; @*/
{
    int one, two, three[3];
    struct pair p, q, r;
    one = n;
    set(&two, n);
    memset(three, 0, sizeof three);
    p = made(n);
    q.a = n, q.b = 0, q.c = -n;
    memcpy(&r, &q, sizeof r);
    if (n > 3) {
        int inner;
        set(&inner, 7);
        if (get(&inner) != 7) return 1;
    }
    for (int i = 0; i < 3; i++) {
        int again;
        again = atoi("7") + n - 7;
        if (get(&again) != n) return 3;
    }
    return get(&one) - get(&two) + get(&three[1]) + sum(&p) + sum(&q) + sum(&r);
}
