// expect: pass
/* Local variables of all kinds that are handed on whole: none is overrun. */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
enum { WIDTH = 3 };

static void fill(int *to, int n, int value)
{
    for (int i = 0; i < n; i++)
        to[i] = value;
}

static int deep(jmp_buf *out, int n)
{
    int page[4];
    fill(page, 4, n);
    if (n == 0) longjmp(*out, 7);
    return n > 100 ? 0 : deep(out, n - 1) + page[0];
}

int jumped(int n)
/*@ requires n >= 0i32; n < 20i32; ensures return == 7i32; @*/
{
    jmp_buf out;
    int came = setjmp(out);
    if (came) return came;
    return deep(&out, n);
}

int kinds(int n)
/*@ requires n > 0i32; n < 9i32; ensures return == 0i32; @*/
{
    int fixed[WIDTH], grid[2][3], *pointers[2], counted[] = { 1, 2, 3 };
    int sized[n], more[n + 1];
    int *asked = __builtin_alloca((size_t)n * sizeof *asked);
    struct point p = { 1, 2 }, q;
    volatile char flags[2];
    const char text[] = "ab";
    fill(fixed, WIDTH, n);
    fill(grid[0], 6, n);
    fill(counted, 3, n);
    fill(sized, n, n);
    fill(more, n + 1, n);
    fill(asked, n, n);
    memcpy(&q, &p, sizeof q);
    pointers[0] = pointers[1] = &q.y;
    flags[1] = text[2];
    for (int i = 0; i < n; i++) {
        int inner[2];
        fill(inner, 2, i);
        if (inner[1] == 5) goto done;
    }
done:
    return flags[1] + fixed[2] + grid[1][2] + counted[2] + sized[n - 1] + more[n] + asked[n - 1] - 6 * n + *pointers[1] - 2;
}

void refilled(int *to, unsigned n)
/*@ requires take T = each (u64 i; 0u64 <= i && i < (u64) n) { W<int>(array_shift<int>(to, i)) }; n <= 4u32;
    ensures take U = each (u64 i; 0u64 <= i && i < (u64) n) { RW<int>(array_shift<int>(to, i)) }; @*/
{
    int spare[4];
    fill(spare, (int)n, 3);
    memcpy(to, spare, n * sizeof *to);
}

int lent(void)
/*@ ensures return == 3i32; @*/
{
    int own[2];
    refilled(own, 2);
    return own[1];
}
