// expect: pass
#include <stdint.h>
typedef int32_t q16;
/*@ function (i64) wide(i32 a) { (i64) a } @*/
q16 q_add(q16 a, q16 b)
/*@ requires wide(a) + wide(b) <= (i64) MAXi32(); wide(a) + wide(b) >= (i64) MINi32();
    ensures return == a + b; @*/
{ return a + b; }
q16 q_mul(q16 a, q16 b)
/*@ requires wide(a) < 8388608i64; wide(a) > -8388608i64; wide(b) < 8388608i64; wide(b) > -8388608i64;
    ensures return == (i32) ((wide(a) * wide(b)) / 65536i64); @*/
{
    return (q16)((int64_t)a * b / 65536);
}
q16 q_abs(q16 a)
/*@ requires a > MINi32(); ensures return >= 0i32; @*/
{ return a < 0 ? -a : a; }
q16 q_saturate(int64_t x)
/*@ ensures x > (i64) MAXi32() implies return == MAXi32(); x < (i64) MINi32() implies return == MINi32();
            (x <= (i64) MAXi32() && x >= (i64) MINi32()) implies (i64) return == x; @*/
{ return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (q16)x; }
