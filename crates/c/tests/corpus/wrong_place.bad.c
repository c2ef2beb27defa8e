/* Specs where nothing can be said, or not this. */

int f(int x)
{
    int y = x /*@ requires x < 5i32; @*/ + 1;
    /*@ ensures return == 1i32; @*/
    for (int i = 0; i < 3; i++)
    /*@ assert(i < 3i32); @*/
    {
        y += i;
    }
    return y;
}

struct point {
    int x; /*@ inv x > 0i32; @*/
};
