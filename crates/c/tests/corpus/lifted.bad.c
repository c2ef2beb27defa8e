/* Functions to be lifted must be there and fit; a function without a body has no value. */

/*@
function (u32) hashed(i32 x)
function (u32) never(u32 x)
@*/

unsigned hash(unsigned x)
/*@ cn_function hashed; @*/
{
    return x * 31;
}

unsigned other(unsigned x)
/*@ cn_function hsahed;
    ensures return == never(x); @*/
{
    return x;
}
