// expect: pass
/* Unbounded integers say what machine arithmetic cannot. */

/*@
function [rec] (integer) exp(integer base, u32 n) { n == 0u32 ? 1 : base * exp(base, n - 1u32) }
function (boolean) fits(integer x) { 0 <= x && x < power(2, 64) }
@*/

_Bool add_would_overflow(unsigned long a, unsigned long b)
/*@ ensures (return == 1u8) == !fits((integer) a + (integer) b); @*/
{
    return a + b < a;
}

unsigned long to_power(unsigned base, unsigned n)
/*@ requires n <= 8u32; fits(exp((integer) base, n));
    ensures (integer) return == exp((integer) base, n); @*/
{
    unsigned long result = 1;
    while (n--) result *= base;
    return result;
}

long floor_div(long a, long b)
/*@ requires b > 0i64;
    ensures let q = (integer) return; let d = (integer) b;
            q * d <= (integer) a; (integer) a < (q + 1) * d; @*/
{
    long q = a / b;
    return a % b < 0 ? q - 1 : q;
}
