/* The C itself is wrong: the compiler's own words. */

int f(int x)
/*@ ensures return == x; @*/
{
    return x +;
}
