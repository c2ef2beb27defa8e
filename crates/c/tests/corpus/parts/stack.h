#ifndef STACK_H
#define STACK_H
/* A header with a type, definitions of specs and contracts for prototypes. */

#define CAPACITY 4

struct stack {
    unsigned depth;
    int items[CAPACITY];
};

/*@
predicate (struct stack) Stack(pointer s) {
  take S = RW<struct stack>(s);
  assert(S.depth <= 4u32);
  return S;
}
@*/

struct stack *stack(void);
/*@ ensures take S = Stack(return); S.depth == 0u32; @*/

void push(struct stack *s, int x);
/*@ requires take S = Stack(s); S.depth < 4u32;
    ensures take T = Stack(s);
            T.depth == S.depth + 1u32; T.items == S.items[(u64) S.depth: x]; @*/

int pop(struct stack *s);
/*@ requires take S = Stack(s); S.depth > 0u32;
    ensures take T = Stack(s);
            T.depth == S.depth - 1u32; return == S.items[(u64) T.depth]; @*/

#endif
