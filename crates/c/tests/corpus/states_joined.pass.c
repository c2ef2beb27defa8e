// expect: pass
/* A block begins with a header; whoever holds the memory behind it steps back to get at it. */
struct header { unsigned size, used; };
struct pair { struct header *of; unsigned long *payload; };

/*@
predicate ({struct header H, u64 first}) Headed(pointer h, pointer payload) {
  take H = RW<struct header>(h);
  take P = RW<unsigned long>(payload);
  assert(ptr_eq(payload, array_shift<struct header>(h, 1u64)));
  assert(H.used <= H.size);
  return { H: H, first: P };
}
@*/

unsigned used(unsigned long *payload, struct header *h)
/*@ requires take B = Headed(h, payload);
    ensures take C = Headed(h, payload); C == B; return == B.H.used; @*/
{
    return ((struct header *)payload)[-1].used;
}

unsigned long first_of(struct pair *p)
/*@ requires take P = RW<struct pair>(p); take B = Headed(P.of, P.payload);
    ensures take Q = RW<struct pair>(p); take C = Headed(P.of, P.payload); Q == P; return == C.first; @*/
{
    return *(unsigned long *)(p->of + 1);
}
