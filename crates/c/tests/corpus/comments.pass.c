// expect: pass
/* One contract in several comments, repeated keywords, comments in comments, a contract behind the brace. */

int between(int low, int x, int high)
/*@ requires low <= high; @*/
/* an ordinary comment in the middle */
/*@ ensures return == 0i32 || return == 1i32; // one of two
    ensures (return == 1i32) == (low <= x && x <= high); @*/
{
    return low <= x && x <= high;
}

int plus_one(int n) {
    /*@ requires n < 1000i32; @*/
    /*@ ensures return == n + 1i32; @*/
    return n + 1;
}

/* @ this is an ordinary comment: there is a space before the sign @ */

int ends_like_a_comment(int x)
/*@ ensures return == x; */
{
    return x;
}

int text_is_no_spec(void)
/*@ ensures return == 4i32; @*/
{
    const char *text = "/*@ requires nonsense @*/";
    return text[0] == '/' && text[2] == '@' ? 4 : 0;
}
