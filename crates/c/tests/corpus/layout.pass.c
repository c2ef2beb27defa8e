// expect: pass
/* sizeof, offsetof, good, default, limits of every width. */

struct mixed { char tag; long big; short small; };

/*@
function (boolean) limits() {
  MINi8() == -128i8 && MAXi16() == 32767i16 && MAXu8() == 255u8 && MAXu64() == 18446744073709551615u64
}
@*/

unsigned long size_of_mixed(void)
/*@ requires limits();
    ensures return == sizeof<struct mixed>; return == 24u64; offsetof(mixed, big) == 8u64; @*/
{
    return sizeof(struct mixed);
}

short *inner(struct mixed *m)
/*@ requires good<struct mixed *>(m); !is_null(m);
             take M = RW<struct mixed>(m);
    ensures take M2 = RW<struct mixed>(m); M2 == M;
            ptr_eq(return, member_shift<struct mixed>(m, small));
            (u64) return == (u64) m + offsetof(mixed, small); @*/
{
    return &m->small;
}

int nothing(void)
/*@ ensures return == default<i32>; good<int>(return); @*/
{
    return 0;
}
