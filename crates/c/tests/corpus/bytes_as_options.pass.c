// expect: pass
/* To CN a byte of memory is an option: one that was taken with its value is there. */

typedef unsigned char byte;

/*@
function [rec] (boolean) are_there(map<u64, byte> bytes, u64 n) {
  n == 0u64 || is_some(bytes[n - 1u64]) && !is_none(bytes[n - 1u64]) && are_there(bytes, n - 1u64)
}
@*/

unsigned first_byte(byte *p, unsigned long n)
/*@ requires 0u64 < n; n <= 8u64;
             take P = each (u64 i; i < n) { RW<byte>(array_shift<byte>(p, i)) };
             are_there(P, n);
    ensures take Q = each (u64 i; i < n) { RW<byte>(array_shift<byte>(p, i)) };
            return == (u32) (u8) get_opt(P[0u64]); @*/
{
    (void)n;
    return p[0];
}
