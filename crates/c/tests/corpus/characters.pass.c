// expect: pass
/* `char` is unsigned where a spec speaks of one, whatever the machine says; comparisons with letters are right in both. */

int is_upper(char c)
/*@ ensures (return == 1i32) == (65u8 <= c && c <= 90u8); @*/
{
    return c >= 'A' && c <= 'Z';
}

char lower(char c)
/*@ ensures 65u8 <= c && c <= 90u8 implies return == c + 32u8;
            return != c implies return - c == 32u8; @*/
{
    return is_upper(c) ? c - 'A' + 'a' : c;
}

int high_bit(char c)
/*@ ensures (return == 1i32) == (c >= 128u8); @*/
{
    return c > 127;
}

int signed_value(signed char c)
/*@ ensures return == (i32) c; (return < 0i32) == (c < 0i8); @*/
{
    return c;
}
