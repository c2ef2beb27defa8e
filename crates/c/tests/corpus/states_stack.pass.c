// expect: pass
/* A stack that owns an array of its capacity; what lies above the top has no value. */
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

int push(struct stack *s, int value)
/*@ requires take S = Stack(s);
    ensures take T = Stack(s);
            return == (S.top < S.capacity ? 1i32 : 0i32);
            T.top == S.top + (u32) return; @*/
{
    if (s->top == s->capacity) return 0;
    s->at[s->top++] = value;
    return 1;
}

int pop(struct stack *s)
/*@ requires take S = Stack(s); S.top > 0u32;
    ensures take T = Stack(s); T.top == S.top - 1u32; @*/
{
    return s->at[--s->top];
}
