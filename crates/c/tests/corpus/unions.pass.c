// expect: pass
#include <string.h>

/* Unions by value and behind pointers; reading another member than was written is defined in C. */

union word { unsigned whole; unsigned char bytes[4]; };

struct variant { _Bool is_number; union { int number; char text[8]; } as; };

unsigned low_byte(union word w)
{
    return w.bytes[0];
}

union word make(unsigned x)
{
    union word w;
    w.whole = x;
    return w;
}

_Bool agree(union word *w)
{
    return low_byte(*w) == (w->whole & 0xff);
}

struct variant number(int x)
/*@ ensures return.is_number == 1u8; @*/
{
    struct variant v = { .is_number = 1, .as.number = x };
    return v;
}

int checked(unsigned x)
/*@ ensures return == 1i32; @*/
{
    union word w = make(x);
    return agree(&w);
}
