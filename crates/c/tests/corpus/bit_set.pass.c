// expect: pass
/* A set in a word of bits, behind a pointer. */

struct set { unsigned long bits; };

/*@
function (boolean) contains(struct set s, u8 k) {
  (shift_right(s.bits, (u64) k) & 1u64) == 1u64
}
@*/

void insert(struct set *s, unsigned char k)
/*@ requires take S = RW<struct set>(s); k < 64u8;
    ensures take S2 = RW<struct set>(s); contains(S2, k);
            each (u8 j; j < 64u8) { j != k implies contains(S2, j) == contains(S, j) }; @*/
{
    s->bits |= 1ul << k;
}

void delete(struct set *s, unsigned char k)
/*@ requires take S = RW<struct set>(s); k < 64u8;
    ensures take S2 = RW<struct set>(s); !contains(S2, k);
            each (u8 j: 0, 63; j == k || contains(S2, j) == contains(S, j)); @*/
{
    s->bits &= ~(1ul << k);
}

unsigned size(struct set *s)
/*@ requires take S = RW<struct set>(s);
    ensures take S2 = RW<struct set>(s); S2 == S; return <= 64u32;
            (return == 0u32) == (S.bits == 0u64); @*/
{
    unsigned n = 0;
    for (unsigned long b = s->bits; b; b &= b - 1) n++;
    return n;
}
