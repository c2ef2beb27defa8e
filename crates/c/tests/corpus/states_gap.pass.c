// expect: pass
#include <stdlib.h>
/* A text with a gap where it is edited; what is in the gap means nothing. */
struct gap { char *text; unsigned size, start, end; };
/*@
predicate ({struct gap G, map<u32, u8> before, map<u32, u8> after}) Gap(pointer p) {
  take G = RW<struct gap>(p);
  assert(0u32 < G.size && G.size <= 12u32 && G.start <= G.end && G.end <= G.size);
  take B = each (u32 i; i < G.start) { RW<char>(array_shift<char>(G.text, i)) };
  take X = each (u32 i; G.start <= i && i < G.end) { W<char>(array_shift<char>(G.text, i)) };
  take A = each (u32 i; G.end <= i && i < G.size) { RW<char>(array_shift<char>(G.text, i)) };
  return { G: G, before: B, after: A };
}
@*/
int put(struct gap *g, char c)
/*@ requires take B = Gap(g);
    ensures take B2 = Gap(g);
            return == 0i32 ? B2.G == B.G : (B2.G.start == B.G.start + 1u32 && B2.before[B.G.start] == c); @*/
{
    if (g->start == g->end) return 0;
    g->text[g->start++] = c;
    return 1;
}
void left(struct gap *g)
/*@ requires take B = Gap(g); B.G.start > 0u32;
    ensures take B2 = Gap(g); B2.G.start == B.G.start - 1u32; B2.G.end == B.G.end - 1u32;
            B2.after[B2.G.end] == B.before[B2.G.start]; @*/
{
    g->start--;
    g->end--;
    g->text[g->end] = g->text[g->start];
}
unsigned length(struct gap *g)
/*@ requires take B = Gap(g);
    ensures take B2 = Gap(g); B2 == B; return == B.G.size - (B.G.end - B.G.start); @*/
{
    return g->size - (g->end - g->start);
}
