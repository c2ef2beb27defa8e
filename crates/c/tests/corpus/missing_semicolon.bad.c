int first(int a, int b)
/*@ requires a < b
    ensures return == a; @*/
{
    return a;
}

int second(int a, int b)
/*@ requires a < b;
    ensure return == b; @*/
{
    return b;
}
