// expect: pass
#include <stdlib.h>
/* Values of three kinds, told apart by a tag. */
enum kind { NUMBER, TEXT, PAIR };
struct value;
struct pair { struct value *a, *b; };
struct text { unsigned len; char *at; };
struct value { enum kind kind; union { int number; struct text text; struct pair *pair; } of; };
/*@
datatype V { Num { i32 n }, Txt { u32 len }, Two { datatype V a, datatype V b } }
function [rec] (integer) leaves(datatype V v) {
  match v { Num { n: _ } => { 1 } Txt { len: _ } => { 1 } Two { a: a, b: b } => { leaves(a) + leaves(b) } }
}
predicate [rec] (datatype V) Value(pointer p) {
  take K = RW<enum kind>(member_shift<struct value>(p, kind));
  assert(K == (u32) NUMBER || K == (u32) TEXT || K == (u32) PAIR);
  if (K == (u32) NUMBER) {
    take N = RW<int>(member_shift<struct value>(p, of));
    return Num { n: N };
  } else {
    if (K == (u32) TEXT) {
      take T = RW<struct text>(member_shift<struct value>(p, of));
      assert(T.len < 20u32);
      take C = each (u32 i; i < T.len) { RW<char>(array_shift<char>(T.at, i)) };
      return Txt { len: T.len };
    } else {
      take P = RW<struct pair *>(member_shift<struct value>(p, of));
      take Q = RW<struct pair>(P);
      take A = Value(Q.a);
      take B = Value(Q.b);
      return Two { a: A, b: B };
    }
  }
}
@*/
int count(struct value *v)
/*@ requires take V = Value(v);
    ensures take V2 = Value(v); V2 == V; (integer) return == leaves(V); @*/
{
    if (v->kind != PAIR) return 1;
    return count(v->of.pair->a) + count(v->of.pair->b);
}
int sum_of_bytes(struct value *v)
/*@ requires take V = Value(v);
    ensures take V2 = Value(v); V2 == V; @*/
{
    int n = 0;
    if (v->kind == TEXT) for (unsigned i = 0; i < v->of.text.len; i++) n += (unsigned char)v->of.text.at[i];
    return n;
}
