// expect: pass
/* A bodiless spec function that means a C function. */

/*@ function (u32) mixed(u32 x, u32 salt) @*/

static unsigned mix(unsigned x, unsigned salt)
/*@ cn_function mixed; @*/
{
    return (x ^ salt) * 2654435761u;
}

unsigned bucket(unsigned x, unsigned n)
/*@ requires n != 0u32;
    ensures return < n; return == mixed(x, 17u32) % n; @*/
{
    return mix(x, 17) % n;
}

_Bool collide(unsigned x, unsigned y)
/*@ ensures (return != 0u8) == (mixed(x, 17u32) == mixed(y, 17u32)); @*/
{
    return mix(x, 17) == mix(y, 17);
}
