/* A spec whose end is forgotten: the compiler sees a comment up to the next end of one. */

int f(int x)
/*@ requires x < 5i32;
{
    return x + 1;
}
