/* Allocation ids and provenance are for proofs. */

int same(int *p, int *q)
/*@ requires prov_eq(p, q);
             (alloc_id) p == (alloc_id) q;
    ensures return == (addr_eq(p, q) ? 1i32 : 0i32); @*/
{
    return p == q;
}
