// expect: precondition-of-callee of twice, at most 1 call
// clause: take B = RW<int>(b)
/* The same cell twice: what the callee takes must be disjoint. */

static void add(int *a, int *b)
/*@ requires take A = RW<int>(a); take B = RW<int>(b); A < 1000i32; B < 1000i32; A > -1000i32; B > -1000i32;
    ensures take A2 = RW<int>(a); take B2 = RW<int>(b); A2 == A + B; B2 == B; @*/
{
    *a += *b;
}

void twice(int *p)
/*@ requires take P = RW<int>(p); -1000i32 < P && P < 1000i32;
    ensures take P2 = RW<int>(p); P2 == P + P; @*/
{
    add(p, p);
}
