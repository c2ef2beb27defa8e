// expect: pass
/* Conditions guard what follows: nothing here divides by zero, reads through NULL or leaves an array. */

/*@
function (boolean) divides(u32 d, u32 n) { d != 0u32 && n % d == 0u32 }
function (u32) quotient(u32 n, u32 d) { d == 0u32 ? 0u32 : n / d }
@*/

unsigned divided(unsigned n, unsigned d)
/*@ requires d == 0u32 || n / d < 1000u32;
    ensures d != 0u32 implies return == n / d;
            d == 0u32 implies return == 0u32;
            return == quotient(n, d);
            if (d == 0u32) { true } else { n / d == return }; @*/
{
    return d ? n / d : 0;
}

_Bool is_divisor(unsigned d, unsigned n)
/*@ ensures (return == 1u8) == divides(d, n);
            !(d != 0u32) || n % d == n - (n / d) * d; @*/
{
    return d != 0 && n % d == 0;
}

/* `implies` binds tighter than `||`. */
int choice(int a)
/*@ requires true || a == 0i32 implies false;
    ensures return == 0i32; @*/
{
    return a == 0 ? 0 : 0;
}
