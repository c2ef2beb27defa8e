/* What C has and specs do not have. */

unsigned f(unsigned x, char c)
/*@ requires c != 'a';
    ensures return == x << 1; @*/
{
    return x << 1;
}

unsigned g(unsigned x)
/*@ requires x != 5u;
    ensures x != 0 ? return : true; @*/
{
    return x;
}
