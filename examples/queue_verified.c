/*
 * The queue with everything that a proof needs: the same C as a verifier for this language reads it, with the last
 * cell owned apart from the others, a lemma about pushing, and a hint where it is used. `stairway test` checks
 * all of it, the lemma included, by running it. Nothing is wrong here.
 *
 *     cargo run --release -- test examples/queue_verified.c
 */

/* Known to Stairway and to verifiers; no header is needed. */
void *cn_malloc(unsigned long size);
void cn_free_sized(void *p, unsigned long size);

struct cell {
    int value;
    struct cell *next;
};

struct queue {
    struct cell *front;
    struct cell *back;
};

/*@
datatype List {
  Nil {},
  Cons { i32 head, datatype List tail }
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

// The cells from `f` up to `b`, without the one at `b`.
predicate [rec] (datatype List) Before(pointer f, pointer b) {
  if (ptr_eq(f, b)) {
    return Nil {};
  } else {
    take F = RW<struct cell>(f);
    assert(!is_null(F.next));
    assert(ptr_eq(F.next, b) || !addr_eq(F.next, b));
    take Rest = Before(F.next, b);
    return Cons { head: F.value, tail: Rest };
  }
}

// The last cell is owned first: pushing reaches it through `back`, without a walk from the front.
predicate (datatype List) FrontToBack(pointer front, pointer back) {
  if (is_null(front)) {
    return Nil {};
  } else {
    take B = RW<struct cell>(back);
    assert(is_null(B.next));
    assert(ptr_eq(front, back) || !addr_eq(front, back));
    take L = Before(front, back);
    return with_last(L, B.value);
  }
}

predicate (datatype List) Queue(pointer q) {
  take Q = RW<struct queue>(q);
  assert((is_null(Q.front) && is_null(Q.back)) || (!is_null(Q.front) && !is_null(Q.back)));
  take L = FrontToBack(Q.front, Q.back);
  return L;
}

// The cells before the new last one are those before the old last one, and that one.
lemma one_more(pointer front, pointer p)
  requires
    ptr_eq(front, p) || !addr_eq(front, p);
    take Q = Before(front, p);
    take P = RW<struct cell>(p);
  ensures
    ptr_eq(front, P.next) || !addr_eq(front, P.next);
    take Q_post = Before(front, P.next);
    Q_post == with_last(Q, P.value);
@*/

struct queue *empty_queue(void)
/*@ ensures take Q = Queue(return);
            Q == Nil {}; @*/
{
    struct queue *q = cn_malloc(sizeof(struct queue));
    q->front = 0;
    q->back = 0;
    return q;
}

void push_queue(int x, struct queue *q)
/*@ requires take Q = Queue(q);
    ensures take Q_post = Queue(q);
            Q_post == with_last(Q, x); @*/
{
    struct cell *c = cn_malloc(sizeof(struct cell));
    c->value = x;
    c->next = 0;
    if (q->back == 0) {
        q->front = c;
        q->back = c;
    } else {
        struct cell *old_back = q->back;
        q->back->next = c;
        q->back = c;
        /*@ apply one_more(q->front, old_back); @*/
    }
}

int pop_queue(struct queue *q)
/*@ requires take Q = Queue(q);
             Q != Nil {};
    ensures take Q_post = Queue(q);
            Q_post == rest(Q);
            return == first(Q); @*/
{
    struct cell *c = q->front;
    int x = c->value;
    /*@ split_case ptr_eq(c, q->back); @*/
    if (c == q->back) {
        q->front = 0;
        q->back = 0;
    } else {
        q->front = c->next;
    }
    cn_free_sized(c, sizeof(struct cell));
    return x;
}
