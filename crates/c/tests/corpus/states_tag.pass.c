// expect: pass
/* A union by tag, in a list of such. */
enum kind { NUMBER, PAIR, NOTHING };
struct value { enum kind kind; union { int number; struct { short a, b; } pair; } of; struct value *next; };

/*@
predicate (void) Values(pointer p) {
  if (is_null(p)) {
    return;
  } else {
    take V = RW<struct value>(p);
    assert(V.kind <= (u32) NOTHING);
    assert(V.kind == (u32) NUMBER implies V.of.number >= 0i32);
    take rest = Values(V.next);
    return;
  }
}
@*/

int total(struct value *v)
/*@ requires take V = Values(v);
    ensures take W = Values(v); return >= 0i32; @*/
{
    int n = 0;
    for (; v; v = v->next)
        n = v->kind == NUMBER && v->of.number > n ? v->of.number : n;
    return n;
}
