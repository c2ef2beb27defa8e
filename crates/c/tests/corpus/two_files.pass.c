// expect: pass
// sources: add.c
/* A program of two files that share a header with a contract. */
#include "parts/add.h"

int add3(int a, int b, int c)
/*@ requires -300i32 <= a && a <= 300i32; -300i32 <= b && b <= 300i32; -300i32 <= c && c <= 300i32;
    ensures return == a + b + c; @*/
{
    return add(add(a, b), c);
}
