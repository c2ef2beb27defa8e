// expect: pass
// sources: own_helper.c
/* Static functions of two files that share a name and nothing else. */

static int helper(int x)
/*@ requires x < 100i32; ensures return == x + 1i32; @*/
{
    return x + 1;
}

int first(int x)
/*@ requires x < 100i32; ensures return == x + 1i32; @*/
{
    return helper(x);
}
