/* `allocs` is CN's log of allocations: clauses about it are not checked, the others are. */

int value_of(int *p)
/*@ requires take P = RW<int>(p);
             let A = allocs[(alloc_id) p];
             (u64) p <= A.base + A.size;
    ensures take P2 = RW<int>(p);
            P2 == P;
            return == P; @*/
{
    return *p;
}
