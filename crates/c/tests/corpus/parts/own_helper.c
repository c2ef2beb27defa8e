static unsigned helper(unsigned x)
/*@ requires x < 10u32; ensures return == x + 2u32; @*/
{
    return x + 2;
}

unsigned second(unsigned x)
/*@ requires x < 10u32; ensures return == x + 2u32; @*/
{
    return helper(x);
}
