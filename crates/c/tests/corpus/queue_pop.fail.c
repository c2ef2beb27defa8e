// expect: postcondition of pop, at most 4 calls
// clause: return == head(Q)
#include <stdlib.h>

struct link { int item; struct link *next; };
struct queue { struct link *first, *last; };

/*@
datatype Items { None_ {}, Item { i32 x, datatype Items rest } }

predicate [rec] (datatype Items) Links(pointer p, pointer last) {
  if (is_null(p)) {
    return None_ {};
  } else {
    take L = RW<struct link>(p);
    assert(!is_null(L.next) || ptr_eq(p, last));
    take R = Links(L.next, last);
    return Item { x: L.item, rest: R };
  }
}
predicate (datatype Items) Queue(pointer q) {
  take Q = RW<struct queue>(q);
  take L = Links(Q.first, Q.last);
  return L;
}
function (i32) head(datatype Items l) { match l { None_ {} => { 0i32 } Item { x: x, rest: _ } => { x } } }
function (datatype Items) tail(datatype Items l) { match l { None_ {} => { None_ {} } Item { x: _, rest: r } => { r } } }
@*/

struct queue *queue(void)
/*@ ensures take Q = Queue(return); Q == None_ {}; @*/
{
    return calloc(1, sizeof(struct queue));
}

void push(struct queue *q, int x)
/*@ requires take Q = Queue(q); ensures take Q2 = Queue(q); Q2 != None_ {}; @*/
{
    struct link *l = malloc(sizeof *l);
    *l = (struct link){ x, NULL };
    *(q->first ? &q->last->next : &q->first) = l;
    q->last = l;
}

int pop(struct queue *q)
/*@ requires take Q = Queue(q); Q != None_ {};
    ensures take Q2 = Queue(q);
            return == head(Q);
            Q2 == tail(Q); @*/
{
    struct link *l = q->first;
    int x = l->next ? 0 : l->item; /* wrong if there is a next one */
    q->first = l->next;
    free(l);
    return x;
}
