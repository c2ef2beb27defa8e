// expect: postcondition of price, at most 1 call
// clause: return < 100000u32
/* A number that only a function deep inside compares with. */

static unsigned duty(unsigned code)
{
    return code == 2204217u ? 4000000000u : code % 7;
}

static unsigned with_duty(unsigned code)
{
    return duty(code) + 1;
}

unsigned price(unsigned code)
/*@ ensures return < 100000u32; @*/
{
    return with_duty(code);
}
