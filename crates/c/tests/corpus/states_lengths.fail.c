// expect: out-of-bounds|unowned-access of last_of, at most 1 calls
/* An array with its length in a header; the last element is read behind the end. */
struct vec { unsigned len; int *data; };

/*@
predicate (map<u64, i32>) Vec(pointer v) {
  take V = RW<struct vec>(v);
  assert(V.len <= 64u32);
  take used = each (u64 i; i < (u64) V.len) { RW<int>(array_shift<int>(V.data, i)) };
  return used;
}
@*/

int last_of(struct vec *v)
/*@ requires take A = Vec(v);
    ensures take B = Vec(v); A == B; @*/
{
    return v->len > 2 ? v->data[v->len] : 0;
}
