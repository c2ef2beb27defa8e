// expect: pass
/* A spec speaks of a `char`, which is `u8` to it: C sees the same numbers. */

static const unsigned char classes[256] = { ['a'] = 1, ['0'] = 2 };

int class_of(char c)
/*@ ensures return >= 0i32; (c == 97u8) implies return == 1i32; (c == 200u8) implies return == 0i32; @*/
{
    return classes[(int)c];
}
