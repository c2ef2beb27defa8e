// expect: postcondition of ring_put, at most 3 calls
// clause: R.n < 4u32 implies
#include <stdlib.h>
struct msg { unsigned id; unsigned char body[6]; };
struct ring { struct msg slot[4]; unsigned head, n; };
struct ring *ring_new(void)
/*@ ensures take R = RW<struct ring>(return); R.n == 0u32; R.head < 4u32; @*/
{ return calloc(1, sizeof(struct ring)); }
int ring_put(struct ring *r, struct msg m)
/*@ requires take R = RW<struct ring>(r); R.head < 4u32; R.n <= 4u32;
    ensures take Q = RW<struct ring>(r); Q.head == R.head;
            R.n < 4u32 implies (return == 1i32 && Q.n == R.n + 1u32 && Q.slot[(u64) ((R.head + R.n) % 4u32)] == m);
            R.n == 4u32 implies (return == 0i32 && Q == R); @*/
{
    if (r->n == 4) return 0;
    r->slot[(r->head + r->n) & 2] = m;
    r->n++;
    return 1;
}
struct msg ring_get(struct ring *r)
/*@ requires take R = RW<struct ring>(r); R.head < 4u32; R.n <= 4u32; R.n > 0u32;
    ensures take Q = RW<struct ring>(r); Q.n == R.n - 1u32; return == R.slot[(u64) R.head]; Q.head < 4u32; @*/
{
    struct msg m = r->slot[r->head];
    r->head = (r->head + 1) % 4;
    r->n--;
    return m;
}
