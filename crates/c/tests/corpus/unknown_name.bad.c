int twice(int number)
/*@ requires nubmer < 1000i32;
    ensures return == 2i32 * number + ofset; @*/
{
    return 2 * number;
}
