// expect: pass
/* Two lists that share nothing become one. */
struct node { int head; struct node *tail; };

/*@
datatype list { Nil {}, Cons { i32 head, list tail } }
function [rec] (datatype list) append(datatype list a, datatype list b) {
  match a { Nil {} => { b } Cons { head: h, tail: t } => { Cons { head: h, tail: append(t, b) } } }
}
predicate (datatype list) List(pointer p) {
  if (is_null(p)) { return Nil {}; }
  else {
    take N = RW<struct node>(p);
    take t = List(N.tail);
    return Cons { head: N.head, tail: t };
  }
}
@*/

struct node *joined(struct node *a, struct node *b)
/*@ requires take A = List(a); take B = List(b);
    ensures take C = List(return); C == append(A, B); @*/
{
    if (!a) return b;
    struct node *last = a;
    while (last->tail) last = last->tail;
    last->tail = b;
    return a;
}
