// expect: postcondition of contains, at most 1 calls
// clause: (return != 0i32) == has(L, key)
#include <stdlib.h>
/* Two lanes: every node is in the slow one, some are in the fast one as well. */
struct node { int key; struct node *next; struct node *fast; };
struct skip { struct node *slow; struct node *fast; };
/*@
datatype Keys { Nil {}, Cons { i32 key, boolean tall, datatype Keys rest } }

predicate [rec] (datatype Keys) Lane(pointer p, pointer fast, i32 above) {
  if (is_null(p)) {
    assert(is_null(fast));
    return Nil {};
  } else {
    take N = RW<struct node>(p);
    assert(above < N.key);
    if (ptr_eq(p, fast)) {
      take R = Lane(N.next, N.fast, N.key);
      return Cons { key: N.key, tall: true, rest: R };
    } else {
      assert(is_null(N.fast));
      take R = Lane(N.next, fast, N.key);
      return Cons { key: N.key, tall: false, rest: R };
    }
  }
}
predicate (datatype Keys) Skip(pointer s) {
  take S = RW<struct skip>(s);
  take L = Lane(S.slow, S.fast, MINi32());
  return L;
}
function [rec] (boolean) has(datatype Keys l, i32 k) {
  match l {
    Nil {} => { false }
    Cons { key: x, tall: _, rest: r } => { x == k || has(r, k) }
  }
}
function [rec] (i32) n_tall(datatype Keys l) {
  match l {
    Nil {} => { 0i32 }
    Cons { key: _, tall: t, rest: r } => { (t ? 1i32 : 0i32) + n_tall(r) }
  }
}
@*/
int contains(struct skip *s, int key)
/*@ requires take L = Skip(s);
    ensures take L2 = Skip(s); L2 == L; (return != 0i32) == has(L, key); @*/
{
    struct node *at = 0;
    for (struct node *f = s->fast; f != 0 && f->key <= key; f = f->fast) at = f;
    struct node *n = at == 0 ? s->slow : at->next;
    while (n != 0 && n->key < key) n = n->next;
    return n != 0 && n->key == key;
}
int tall(struct skip *s)
/*@ requires take L = Skip(s);
    ensures take L2 = Skip(s); L2 == L; return == n_tall(L); @*/
{
    int n = 0;
    for (struct node *f = s->fast; f != 0; f = f->fast) n++;
    return n;
}
int pop_first(struct skip *s)
/*@ requires take L = Skip(s); L != Nil {};
    ensures take L2 = Skip(s);
            match L { Nil {} => { false } Cons { key: k, tall: _, rest: r } => { return == k && L2 == r } }; @*/
{
    struct node *n = s->slow;
    int key = n->key;
    if (s->fast == n) s->fast = n->fast;
    s->slow = n->next;
    free(n);
    return key;
}
