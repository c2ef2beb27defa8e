// expect: pass
#include <stdlib.h>
enum tag { INT, PAIR };
struct val { enum tag tag; union { int i; struct { struct val *a, *b; } p; } u; };
/*@
datatype Val { VInt { i32 i }, VPair { datatype Val a, datatype Val b } }
function [rec] (u32) size(datatype Val v) {
  match v { VInt { i: i } => { 1u32 } VPair { a: a, b: b } => { size(a) + size(b) + 1u32 } }
}
predicate [rec] (datatype Val) Value(pointer p) {
  take T = RW<enum tag>(member_shift<struct val>(p, tag));
  if (T == (u32) INT) {
    take I = RW<int>(member_shift<struct val>(p, u));
    take rest = W<int>(array_shift<int>(member_shift<struct val>(p, u), 1u64));
    take more = W<long>(array_shift<long>(member_shift<struct val>(p, u), 1u64));
    take pad = W<int>(array_shift<int>(p, 1u64));
    return VInt { i: I };
  } else {
    take pad = W<int>(array_shift<int>(p, 1u64));
    take A = RW<struct val *>(member_shift<struct val>(p, u));
    take B = RW<struct val *>(array_shift<struct val *>(member_shift<struct val>(p, u), 1u64));
    take a = Value(A); take b = Value(B);
    return VPair { a: a, b: b };
  }
}
@*/
struct val *mk_int(int i)
/*@ ensures take V = Value(return); V == VInt { i: i }; @*/
{ struct val *v = malloc(sizeof *v); v->tag = INT; v->u.i = i; return v; }
struct val *mk_pair(struct val *a, struct val *b)
/*@ requires take A = Value(a); take B = Value(b);
    ensures take V = Value(return); V == VPair { a: A, b: B }; @*/
{ struct val *v = malloc(sizeof *v); v->tag = PAIR; v->u.p.a = a; v->u.p.b = b; return v; }
unsigned count(struct val *v)
/*@ requires take V = Value(v); ensures take W = Value(v); V == W; return == size(V); @*/
{
    if (v->tag == INT) return 1;
    return count(v->u.p.a) + count(v->u.p.b) + 1;
}
void drop(struct val *v)
/*@ requires take V = Value(v); @*/
{ if (v->tag == PAIR) { drop(v->u.p.a); drop(v->u.p.b); } free(v); }
