static unsigned counter;

unsigned tick(void)
/*@ accesses countr;
    ensures counter == return; @*/
{
    return ++counter;
}

unsigned tock(void)
/*@ ensures counter == return; @*/
{
    return --counter;
}
