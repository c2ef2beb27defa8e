/*
 * A circular queue, after the demonstration of Fulminate: its items lie in an array that wraps around, and one
 * slot stays free, so that a full queue is told from an empty one.
 */

void *cn_malloc(unsigned long size);
void cn_free_sized(void *p, unsigned long size);

struct queue {
    unsigned int head;
    unsigned int tail;
    unsigned int n_slots;
    int *items;
};

/*@
datatype Items {
  None {},
  Item { i32 first, datatype Items rest }
}

function (u32) size_of(struct queue q) {
  if (q.head <= q.tail) { q.tail - q.head } else { q.n_slots - (q.head - q.tail) }
}

function (u32) after(u32 at, u32 n_slots) {
  if (at + 1u32 == n_slots) { 0u32 } else { at + 1u32 }
}

function [rec] (datatype Items) items_from(map<u64, i32> items, u32 at, u32 n, u32 n_slots) {
  if (n == 0u32) { None {} }
  else { Item { first: items[(u64) at], rest: items_from(items, after(at, n_slots), n - 1u32, n_slots) } }
}

function [rec] (datatype Items) with_last(datatype Items items, i32 last) {
  match items {
    None {} => { Item { first: last, rest: None {} } }
    Item { first: first, rest: rest } => { Item { first: first, rest: with_last(rest, last) } }
  }
}

predicate ({struct queue Q, datatype Items items}) Queue(pointer q) {
  take Q = RW<struct queue>(q);
  assert(2u32 <= Q.n_slots && Q.n_slots <= 64u32);
  assert(Q.head < Q.n_slots && Q.tail < Q.n_slots);
  take Slots = each (u64 i; i < (u64) Q.n_slots) { RW<int>(array_shift<int>(Q.items, i)) };
  return { Q: Q, items: items_from(Slots, Q.head, size_of(Q), Q.n_slots) };
}
@*/

struct queue *empty_queue(unsigned int n_slots)
/*@ requires 2u32 <= n_slots; n_slots <= 64u32;
    ensures take R = Queue(return);
            R.items == None {};
            R.Q.n_slots == n_slots; @*/
{
    struct queue *q = cn_malloc(sizeof(struct queue));
    q->head = 0;
    q->tail = 0;
    q->n_slots = n_slots;
    q->items = cn_malloc(n_slots * sizeof(int));
    for (unsigned int i = 0; i < n_slots; i++) {
        q->items[i] = 0;
    }
    return q;
}

unsigned int queue_size(struct queue *q)
/*@ requires take R = Queue(q);
    ensures take R_post = Queue(q);
            R_post == R;
            return == size_of(R.Q); @*/
{
    if (q->head <= q->tail) {
        return q->tail - q->head;
    }
    return q->n_slots - (q->head - q->tail);
}

void push_queue(struct queue *q, int item)
/*@ requires take R = Queue(q);
             size_of(R.Q) + 1u32 < R.Q.n_slots;
    ensures take R_post = Queue(q);
            R_post.items == with_last(R.items, item);
            size_of(R_post.Q) == size_of(R.Q) + 1u32; @*/
{
    q->items[q->tail] = item;
    q->tail = q->tail + 1 == q->n_slots ? 0 : q->tail + 1;
}

int pop_queue(struct queue *q)
/*@ requires take R = Queue(q);
             0u32 < size_of(R.Q);
    ensures take R_post = Queue(q);
            R.items == Item { first: return, rest: R_post.items }; @*/
{
    int item = q->items[q->head];
    q->head = q->head + 1 == q->n_slots ? 0 : q->head + 1;
    return item;
}
