// expect: pass
/* A doubly linked list that ends in NULL on both sides. Nothing here makes one. */
struct item { int value; struct item *next, *prev; };

/*@
datatype items { Nil {}, Cons { i32 head, items tail } }

predicate (datatype items) Forward(pointer p, pointer before) {
  if (is_null(p)) {
    return Nil {};
  } else {
    take I = RW<struct item>(p);
    assert(ptr_eq(I.prev, before));
    take rest = Forward(I.next, p);
    return Cons { head: I.value, tail: rest };
  }
}
@*/

/* Takes the second item out, if there is one; the caller gets it. */
struct item *without_second(struct item *first)
/*@ requires take L = Forward(first, NULL); !is_null(first);
    ensures take M = Forward(first, NULL);
            take S = Forward(return, NULL);
            match L { Nil {} => { false } Cons { head: a, tail: t } => {
              match t { Nil {} => { M == L && S == Nil {} }
                        Cons { head: b, tail: u } => { M == Cons { head: a, tail: u } && S == Cons { head: b, tail: Nil {} } } } } }; @*/
{
    struct item *second = first->next;
    if (!second) return 0;
    first->next = second->next;
    if (second->next) second->next->prev = first;
    second->next = second->prev = 0;
    return second;
}
