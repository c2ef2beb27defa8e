// expect: null of length_of, at most 1 calls
/* A union by tag that holds a number or a pointer; the absent text is NULL, and that is forgotten. */
struct value { unsigned char tag; union { long number; char *text; } of; };

/*@
predicate (u8) Value(pointer p) {
  take V = RW<struct value>(p);
  assert(V.tag <= 2u8);
  if (V.tag == 1u8) {
    take C = RW<char>(V.of.text);
    return 1u8;
  } else {
    assert(V.tag == 0u8 || is_null(V.of.text));
    return V.tag;
  }
}
@*/

int length_of(struct value *v)
/*@ requires take t = Value(v); t > 0u8;
    ensures take u = Value(v); u == t; @*/
{
    return v->of.text[0] != 0;
}
