// expect: pass
/* Recursive functions with contracts: each call is checked on its own. */

/*@
function [rec] (u64) fib(u32 n) { n < 2u32 ? (u64) n : fib(n - 1u32) + fib(n - 2u32) }
@*/

unsigned long fibonacci(unsigned n)
/*@ requires n <= 12u32;
    ensures return == fib(n); @*/
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

_Bool odd(unsigned n);

_Bool even(unsigned n)
/*@ requires n < 50u32;
    ensures return == (n % 2u32 == 0u32 ? 1u8 : 0u8); @*/
{
    return n == 0 || odd(n - 1);
}

_Bool odd(unsigned n)
/*@ requires n < 50u32;
    ensures return == (n % 2u32 == 0u32 ? 0u8 : 1u8); @*/
{
    return n != 0 && even(n - 1);
}

/* Deep, and right: 1000 frames are no overflow. */
unsigned depth(unsigned n)
/*@ requires n <= 1000u32;
    ensures return == n; @*/
{
    return n == 0 ? 0 : 1 + depth(n - 1);
}
