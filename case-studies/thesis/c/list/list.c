/*
 * A sorted list. That it is sorted is stated in three ways: compared with the head of the tail after the walk
 * (`-DVERSION=1`), with the value before it, which may not be there (2), or with the value before it, the smallest
 * number at the beginning (3).
 */

void *cn_malloc(unsigned long size);
void cn_free_sized(void *p, unsigned long size);

struct node {
    int value;
    struct node *next;
};

/*@
datatype List {
  Nil {},
  Cons { i32 head, datatype List tail }
}

datatype Previous {
  Nothing {},
  Just { i32 value }
}

function [rec] (datatype List) inserted(datatype List l, i32 v) {
  match l {
    Nil {} => { Cons { head: v, tail: Nil {} } }
    Cons { head: h, tail: t } => {
      if (v <= h) { Cons { head: v, tail: l } } else { Cons { head: h, tail: inserted(t, v) } }
    }
  }
}

function (boolean) may_follow(datatype List l, i32 v) {
  match l {
    Nil {} => { true }
    Cons { head: h, tail: _ } => { v <= h }
  }
}

function (boolean) may_precede(datatype Previous previous, i32 v) {
  match previous {
    Nothing {} => { true }
    Just { value: before } => { before <= v }
  }
}
@*/

#if VERSION == 2
/*@
predicate [rec] (datatype List) After(pointer p, datatype Previous previous) {
  if (is_null(p)) {
    return Nil {};
  } else {
    take N = RW<struct node>(p);
    assert(may_precede(previous, N.value));
    take Tail = After(N.next, Just { value: N.value });
    return Cons { head: N.value, tail: Tail };
  }
}

predicate (datatype List) Sorted(pointer p) {
  take L = After(p, Nothing {});
  return L;
}
@*/
#elif VERSION == 3
/*@
predicate [rec] (datatype List) From(pointer p, i32 previous) {
  if (is_null(p)) {
    return Nil {};
  } else {
    take N = RW<struct node>(p);
    assert(previous <= N.value);
    take Tail = From(N.next, N.value);
    return Cons { head: N.value, tail: Tail };
  }
}

predicate (datatype List) Sorted(pointer p) {
  take L = From(p, MINi32());
  return L;
}
@*/
#else
/*@
predicate [rec] (datatype List) Sorted(pointer p) {
  if (is_null(p)) {
    return Nil {};
  } else {
    take N = RW<struct node>(p);
    take Tail = Sorted(N.next);
    assert(may_follow(Tail, N.value));
    return Cons { head: N.value, tail: Tail };
  }
}
@*/
#endif

struct node *cons(int value, struct node *next)
/*@ requires take L = Sorted(next);
             may_follow(L, value);
    ensures take L_post = Sorted(return);
            L_post == Cons { head: value, tail: L }; @*/
{
    struct node *node = cn_malloc(sizeof(struct node));
    node->value = value;
    node->next = next;
    return node;
}

struct node *insert(struct node *list, int value)
/*@ requires take L = Sorted(list);
    ensures take L_post = Sorted(return);
            L_post == inserted(L, value); @*/
{
    if (list == 0 || value <= list->value) {
        return cons(value, list);
    }
    list->next = insert(list->next, value);
    return list;
}
