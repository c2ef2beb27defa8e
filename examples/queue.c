/*
 * A queue of numbers, as a chain of cells. One of its functions is wrong:
 *
 *     cargo run --release -- test examples/queue.c
 *
 * The contracts in the special comments say what each function needs and what it promises. Everything in them is
 * explained in docs/c.md.
 */
#include <stdlib.h>

struct cell {
    int value;
    struct cell *next;
};

struct queue {
    struct cell *front; /* where values leave; NULL if there are none */
    struct cell *back;  /* where values arrive */
};

/*@
datatype List {
  Nil {},
  Cons { i32 head, datatype List tail }
}

// The cells from `p` to the end, which must be `back`, as a list.
predicate [rec] (datatype List) Cells(pointer p, pointer back) {
  if (is_null(p)) {
    return Nil {};
  } else {
    take C = RW<struct cell>(p);
    assert(is_null(C.next) implies ptr_eq(p, back));
    take Rest = Cells(C.next, back);
    return Cons { head: C.value, tail: Rest };
  }
}

predicate (datatype List) Queue(pointer q) {
  take Q = RW<struct queue>(q);
  assert(is_null(Q.front) == is_null(Q.back));
  take L = Cells(Q.front, Q.back);
  return L;
}

function (i32) first(datatype List l) {
  match l {
    Nil {} => { 0i32 }
    Cons { head: h, tail: _ } => { h }
  }
}

function (datatype List) rest(datatype List l) {
  match l {
    Nil {} => { Nil {} }
    Cons { head: _, tail: t } => { t }
  }
}

function [rec] (datatype List) with_last(datatype List l, i32 x) {
  match l {
    Nil {} => { Cons { head: x, tail: Nil {} } }
    Cons { head: h, tail: t } => { Cons { head: h, tail: with_last(t, x) } }
  }
}
@*/

struct queue *empty_queue(void)
/*@ ensures take Q = Queue(return);
            Q == Nil {}; @*/
{
    struct queue *q = malloc(sizeof *q);
    q->front = NULL;
    q->back = NULL;
    return q;
}

void push_queue(int x, struct queue *q)
/*@ requires take Q = Queue(q);
    ensures take Q_post = Queue(q);
            Q_post == with_last(Q, x); @*/
{
    struct cell *c = malloc(sizeof *c);
    c->value = x;
    c->next = NULL;
    if (q->back)
        q->back->next = c;
    else
        q->front = c;
    q->back = c;
}

int pop_queue(struct queue *q)
/*@ requires take Q = Queue(q);
             Q != Nil {};
    ensures take Q_post = Queue(q);
            Q_post == rest(Q);
            return == first(Q); @*/
{
    struct cell *c = q->front;
    int x = 0;
    q->front = c->next;
    if (!q->front) {
        x = c->value;
        q->back = NULL;
    }
    free(c);
    return x;
}
