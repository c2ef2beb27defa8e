// expect: pass
#include <stdio.h>
#include <stdlib.h>

/* A program with a main, which is never called. */

unsigned parse_digit(char c)
/*@ requires 48u8 <= c && c <= 57u8;
    ensures return < 10u32; return == (u32) c - 48u32; @*/
{
    return c - '0';
}

int main(int argc, char **argv)
{
    if (argc < 2) abort();
    printf("%u\n", parse_digit(argv[1][0]));
    return 0;
}
