int known(int x)
/*@ ensures return == x; @*/
{
    return x;
}

/*@ spec knwon(i32 x);
    requires true;
    ensures return == x; @*/

/*@ spec entirely_different(u32 x);
    requires x > 0u32; @*/
