// expect: pass
#include <stdlib.h>
struct q { int n; int *a; };
int *alloc_ints(unsigned n)
/*@ trusted; requires n == 4u32; ensures take A = each (u64 i; i < (u64) n) { RW<int>(array_shift<int>(return, i)) }; @*/
{ return malloc(n * sizeof(int)); }
struct q *mk(void)
/*@ ensures take Q = RW<struct q>(return); take A = each (u64 i; i < 4u64) { RW<int>(array_shift<int>(Q.a, i)) }; @*/
{ struct q *q = malloc(sizeof *q); q->n = 0; q->a = alloc_ints(4); return q; }
int use(struct q *q)
/*@ requires take Q = RW<struct q>(q); take A = each (u64 i; i < 4u64) { RW<int>(array_shift<int>(Q.a, i)) };
    ensures take R = RW<struct q>(q); take B = each (u64 i; i < 4u64) { RW<int>(array_shift<int>(R.a, i)) }; @*/
{ return q->a[2] > 0 ? 1 : 0; }
