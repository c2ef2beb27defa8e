#include <stdlib.h>
struct cell { int first; struct cell *next; };
struct queue { struct cell *front; struct cell *back; };

/*@
datatype seq { Nil {}, Cons { i32 head, datatype seq tail } }

function [rec] (datatype seq) snoc(datatype seq xs, i32 y) {
  match xs {
    Nil {} => { Cons { head: y, tail: Nil {} } }
    Cons { head: x, tail: zs } => { Cons { head: x, tail: snoc(zs, y) } }
  }
}

predicate (datatype seq) Cells(pointer f, pointer b) {
  take c = RW<struct cell>(f);
  if (ptr_eq(f, b)) {
    assert(is_null(c.next));
    return Cons { head: c.first, tail: Nil {} };
  } else {
    take rest = Cells(c.next, b);
    return Cons { head: c.first, tail: rest };
  }
}

predicate (datatype seq) Queue(pointer q) {
  take Q = RW<struct queue>(q);
  if (is_null(Q.front)) {
    assert(is_null(Q.back));
    return Nil {};
  } else {
    take xs = Cells(Q.front, Q.back);
    return xs;
  }
}
@*/

struct queue *empty(void)
/*@ ensures take q = Queue(return); q == Nil {}; @*/
{
    struct queue *q = malloc(sizeof *q);
    q->front = q->back = NULL;
    return q;
}

void push(struct queue *q, int x)
/*@ requires take before = Queue(q);
    ensures take after = Queue(q); after == snoc(before, x); @*/
{
    struct cell *c = malloc(sizeof *c);
    c->first = x;
    c->next = NULL;
    if (q->back == NULL) {
        q->front = q->back = c;
    } else {
        q->back->next = c;
        q->back = c;
    }
}

int pop(struct queue *q)
/*@ requires take before = Queue(q); before != Nil {};
    ensures take after = Queue(q); before == Cons { head: return, tail: after }; @*/
{
    struct cell *c = q->front;
    int x = c->first;
    if (q->front == q->back) {
        q->front = q->back = NULL;
    } else {
        q->front = c->next;
        x = 0;
    }
    free(c);
    return x;
}
