// expect: pass
/* A sorted list in which the value before is passed down, as an option of its own. */
struct cell { int value; struct cell *next; };

/*@
datatype before { First {}, After { i32 value } }
datatype seq { Nil {}, Cons { i32 head, datatype seq tail } }

function (boolean) may_follow(datatype before b, i32 x) {
  match b { First {} => { true } After { value: y } => { y <= x } }
}

predicate (datatype seq) Sorted(pointer p, datatype before b) {
  if (is_null(p)) {
    return Nil {};
  } else {
    take C = RW<struct cell>(p);
    assert(may_follow(b, C.value));
    take rest = Sorted(C.next, After { value: C.value });
    return Cons { head: C.value, tail: rest };
  }
}
@*/

int least(struct cell *p)
/*@ requires take S = Sorted(p, First {}); S != Nil {};
    ensures take T = Sorted(p, First {}); S == T;
            return == (match S { Nil {} => { 0i32 } Cons { head: h, tail: _ } => { h } }); @*/
{
    return p->value;
}
