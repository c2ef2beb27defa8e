/*@
function (u32) larger(u32 a, u32 b) { a > b ? a : b }
@*/

unsigned f(unsigned x, void *p)
/*@ requires larger(x) == x; is_null(x);
    ensures return == larger(x, p); return == largest(x, 1u32); @*/
{
    return x;
}
