// expect: leak of wheel_tick, at most 4 calls
#include <stdlib.h>
/* A timer wheel of 8 slots; timers are intrusive and owned by the caller of advance. */
struct timer { struct timer *next; unsigned due; };
struct wheel { unsigned now; struct timer *slot[8]; };
/*@
predicate (u32) Chain(pointer p) {
  if (is_null(p)) { return 0u32; }
  else { take T = RW<struct timer>(p); take n = Chain(T.next); return n + 1u32; }
}
predicate ({struct wheel w, u32 n}) Wheel(pointer p) {
  take W = RW<struct wheel>(p);
  take a = Chain(W.slot[0u64]); take b = Chain(W.slot[1u64]); take c = Chain(W.slot[2u64]); take d = Chain(W.slot[3u64]);
  take e = Chain(W.slot[4u64]); take f = Chain(W.slot[5u64]); take g = Chain(W.slot[6u64]); take h = Chain(W.slot[7u64]);
  return { w: W, n: a + b + c + d + e + f + g + h };
}
@*/
struct wheel *wheel_new(void)
/*@ ensures take W = Wheel(return); W.n == 0u32; W.w.now == 0u32; @*/
{ return calloc(1, sizeof(struct wheel)); }

void wheel_add(struct wheel *w, unsigned after)
/*@ requires take W = Wheel(w); after >= 1u32; after <= 7u32;
    ensures take V = Wheel(w); V.n == W.n + 1u32; V.w.now == W.w.now; @*/
{
    struct timer *t = malloc(sizeof *t);
    t->due = w->now + after;
    t->next = w->slot[t->due % 8];
    w->slot[t->due % 8] = t;
}
unsigned wheel_tick(struct wheel *w)
/*@ requires take W = Wheel(w);
    ensures take V = Wheel(w); V.n == W.n - return; V.w.now == W.w.now + 1u32; @*/
{
    unsigned n = 0;
    w->now++;
    struct timer *t = w->slot[w->now % 8];
    w->slot[w->now % 8] = NULL;
    while (t) {
        struct timer *next = t->next;
        if (n == 1) { t = next; n++; continue; }
        free(t);
        n++;
        t = next;
    }
    return n;
}
