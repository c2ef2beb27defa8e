void nothing(int x)
/*@ requires return == 1i32;
    ensures return == x; @*/
{
    (void)x;
}
