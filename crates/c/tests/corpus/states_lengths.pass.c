// expect: pass
/* Arrays with lengths in other arguments and in headers. */
struct vec { unsigned len, cap; int *data; };

/*@
predicate (map<u64, i32>) Vec(pointer v) {
  take V = RW<struct vec>(v);
  assert(V.len <= V.cap && V.cap <= 64u32);
  take used = each (u64 i; i < (u64) V.len) { RW<int>(array_shift<int>(V.data, i)) };
  take rest = each (u64 i; (u64) V.len <= i && i < (u64) V.cap) { W<int>(array_shift<int>(V.data, i)) };
  return used;
}
@*/

int sum_of(int *a, unsigned n)
/*@ requires n < 100u32;
             take A = each (u64 i; i < (u64) n) { RW<int>(array_shift<int>(a, i)) };
             each (u64 i; i < (u64) n) { A[i] >= 0i32 && A[i] < 1000i32 };
    ensures take B = each (u64 i; i < (u64) n) { RW<int>(array_shift<int>(a, i)) };
            return >= 0i32; @*/
{
    int sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

int last_of(struct vec *v)
/*@ requires take A = Vec(v);
    ensures take B = Vec(v); A == B; @*/
{
    return v->len ? v->data[v->len - 1] : 0;
}
