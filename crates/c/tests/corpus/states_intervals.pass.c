// expect: pass
#include <stdlib.h>
#include <stdint.h>
/* Disjoint ranges in order, none touching the next. */
struct range { int64_t lo, hi; struct range *next; };
/*@
datatype Ranges { None {}, Some { i64 lo, i64 hi, datatype Ranges more } }
function [rec] (boolean) covers(datatype Ranges r, i64 x) {
  match r { None {} => { false } Some { lo: lo, hi: hi, more: more } => { (lo <= x && x < hi) || covers(more, x) } }
}
function [rec] (integer) total(datatype Ranges r) {
  match r { None {} => { 0 } Some { lo: lo, hi: hi, more: more } => { (integer) hi - (integer) lo + total(more) } }
}
predicate [rec] (datatype Ranges) Disjoint(pointer p, i64 from) {
  if (is_null(p)) { return None {}; }
  else {
    take R = RW<struct range>(p);
    assert(from < R.lo && R.lo < R.hi && R.hi < 1000000i64);
    take M = Disjoint(R.next, R.hi);
    return Some { lo: R.lo, hi: R.hi, more: M };
  }
}
@*/
int covered(const struct range *r, int64_t x)
/*@ requires take R = Disjoint(r, -1000000i64);
    ensures take R2 = Disjoint(r, -1000000i64); R == R2; (return != 0i32) == covers(R, x); @*/
{
    while (r && r->hi <= x) r = r->next;
    return r && r->lo <= x;
}
int64_t size(const struct range *r)
/*@ requires take R = Disjoint(r, -1000000i64);
    ensures take R2 = Disjoint(r, -1000000i64); R == R2; (integer) return == total(R); @*/
{
    int64_t n = 0;
    for (; r; r = r->next) n += r->hi - r->lo;
    return n;
}
/* Takes away everything below a limit. */
struct range *cut_below(struct range *r, int64_t limit)
/*@ requires take R = Disjoint(r, -1000000i64); -1000000i64 < limit;
    ensures take R2 = Disjoint(return, -1000000i64);
            !covers(R2, limit - 1i64);
            covers(R2, limit) == covers(R, limit); @*/
{
    while (r && r->hi <= limit) {
        struct range *next = r->next;
        free(r);
        r = next;
    }
    if (r && r->lo < limit) r->lo = limit;
    return r;
}
