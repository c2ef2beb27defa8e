// expect: null|unowned-access|out-of-bounds of push, at most 1 calls
/* A full stack is written beyond its end. */
struct stack { unsigned top, capacity; int *at; };

/*@
predicate (struct stack) Stack(pointer s) {
  take S = RW<struct stack>(s);
  assert(S.top <= S.capacity && S.capacity <= 6u32);
  take Used = each (u32 i; i < S.top) { RW<int>(array_shift<int>(S.at, i)) };
  take Free = each (u32 i; S.top <= i && i < S.capacity) { W<int>(array_shift<int>(S.at, i)) };
  return S;
}
@*/

void push(struct stack *s, int value)
/*@ requires take S = Stack(s);
    ensures take T = Stack(s); @*/
{
    if (s->top > s->capacity) return;
    s->at[s->top++] = value;
}
