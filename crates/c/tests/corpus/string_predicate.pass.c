// expect: pass
/*@
predicate (u64) Digits(pointer p) {
  take c = RW<char>(p);
  if (c == 0u8) { return 0u64; }
  else {
    assert(48u8 <= c && c <= 57u8);
    take rest = Digits(array_shift<char>(p, 1u64));
    return rest + 1u64;
  }
}
@*/
unsigned long digits(const char *s)
/*@ requires take N = Digits(s); ensures take M = Digits(s); return == N; @*/
{
    unsigned long n = 0;
    while (s[n]) n++;

    return n;
}
