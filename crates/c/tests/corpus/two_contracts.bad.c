int f(int x);
/*@ spec f(i32 x);
    requires x < 5i32; @*/

int f(int x)
/*@ requires x < 6i32; @*/
{
    return x;
}
