/* A queue with contracts of ownership, as chapter 2 of the thesis has it: for measuring. Nothing is wrong here. */

void *cn_malloc(unsigned long size);
void cn_free_sized(void *p, unsigned long size);

struct cell { int value; struct cell *next; };
struct queue { struct cell *front; struct cell *back; };

/*@
datatype List { Nil {}, Cons { i32 head, datatype List tail } }

function (i32) first(datatype List l) {
  match l { Nil {} => { 0i32 } Cons { head: h, tail: _ } => { h } }
}

function (datatype List) rest(datatype List l) {
  match l { Nil {} => { Nil {} } Cons { head: _, tail: t } => { t } }
}

function [rec] (datatype List) with_last(datatype List l, i32 x) {
  match l {
    Nil {} => { Cons { head: x, tail: Nil {} } }
    Cons { head: h, tail: t } => { Cons { head: h, tail: with_last(t, x) } }
  }
}

predicate [rec] (datatype List) Before(pointer f, pointer b) {
  if (ptr_eq(f, b)) {
    return Nil {};
  } else {
    take F = RW<struct cell>(f);
    assert(!is_null(F.next));
    take Rest = Before(F.next, b);
    return Cons { head: F.value, tail: Rest };
  }
}

predicate (datatype List) Cells(pointer f, pointer b) {
  if (is_null(f)) {
    return Nil {};
  } else {
    take B = RW<struct cell>(b);
    assert(is_null(B.next));
    take L = Before(f, b);
    return with_last(L, B.value);
  }
}

predicate (datatype List) Queue(pointer q) {
  take Q = RW<struct queue>(q);
  assert(is_null(Q.front) == is_null(Q.back));
  take L = Cells(Q.front, Q.back);
  return L;
}
@*/

struct queue *empty_queue(void)
/*@ ensures take Q = Queue(return); Q == Nil {}; @*/
{
    struct queue *q = cn_malloc(sizeof *q);
    q->front = 0;
    q->back = 0;
    return q;
}

void push_queue(int x, struct queue *q)
/*@ requires take Q = Queue(q);
    ensures take Q2 = Queue(q); Q2 == with_last(Q, x); @*/
{
    struct cell *c = cn_malloc(sizeof *c);
    c->value = x;
    c->next = 0;
    if (q->back == 0) {
        q->front = c;
    } else {
        q->back->next = c;
    }
    q->back = c;
}

int pop_queue(struct queue *q)
/*@ requires take Q = Queue(q); Q != Nil {};
    ensures take Q2 = Queue(q); Q2 == rest(Q); return == first(Q); @*/
{
    struct cell *c = q->front;
    int x = c->value;
    q->front = c->next;
    if (q->front == 0) q->back = 0;
    cn_free_sized(c, sizeof *c);
    return x;
}
